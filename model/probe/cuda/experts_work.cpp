#include "model/probe/cuda/cuda_work.hpp"
#include "model/probe/cuda/product.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::probe {
namespace {

constexpr auto kFormat = ProductWork::Format::bfloat16;

std::int64_t slots(const ExpertsWork& w) {
  return w.distinct * w.rows();
}
std::int64_t up_bytes(const ExpertsWork& w) {
  return 2 * w.distinct * 2 * w.inner * w.hidden;
}
std::int64_t down_bytes(const ExpertsWork& w) {
  return 2 * w.distinct * w.hidden * w.inner;
}

/// A choice of a token goes to the experts in turn, so that none has more than rows() tokens.
struct Places {
  std::vector<int> token_of_slot, slot_of_choice;

  explicit Places(const ExpertsWork& w) : token_of_slot(static_cast<std::size_t>(slots(w)), 0) {
    for (std::int64_t choice = 0; choice < w.tokens * w.top_k; ++choice) {
      const std::int64_t slot = choice % w.distinct * w.rows() + choice / w.distinct;
      token_of_slot[static_cast<std::size_t>(slot)] = static_cast<int>(choice / w.top_k);
      slot_of_choice.push_back(static_cast<int>(slot));
    }
  }
};

class CudaExperts final : public CudaWork {
 public:
  CudaExperts(CudaContext& context, const ExpertsWork& work, int turns)
      : context_(context), work_(work), places_(work), turns_(turns) {}

  bool ready() {
    Arena& arena = *context_.arena;
    const ExpertsWork& w = work_;
    x_ = arena.take(2 * w.tokens * w.hidden);
    gathered_ = arena.take(2 * slots(w) * w.hidden);
    wide_ = arena.take(2 * slots(w) * 2 * w.inner);
    narrow_ = arena.take(2 * slots(w) * w.inner);
    answers_ = arena.take(2 * slots(w) * w.hidden);
    out_ = arena.take(2 * w.tokens * w.hidden);
    tokens_ = static_cast<int*>(arena.take(4 * slots(w)));
    choices_ = static_cast<int*>(arena.take(4 * w.tokens * w.top_k));
    for (int turn = 0; turn < turns_; ++turn) {
      up_.push_back(arena.take(up_bytes(w)));
      down_.push_back(arena.take(down_bytes(w)));
    }
    if (out_ == nullptr || choices_ == nullptr || up_.back() == nullptr || down_.back() == nullptr)
      return false;
    const kernels::Launch launch = context_.launch();
    kernels::fill(launch, x_, 2 * w.tokens * w.hidden, Pattern::bfloat16, 1);
    for (std::size_t turn = 0; turn < up_.size(); ++turn) {
      kernels::fill(launch, up_[turn], up_bytes(w), Pattern::bfloat16, 2 + static_cast<unsigned>(turn));
      kernels::fill(launch, down_[turn], down_bytes(w), Pattern::bfloat16,
                    1000 + static_cast<unsigned>(turn));
    }
    const auto sent = [&](int* to, const std::vector<int>& from) {
      return context_.done(cudaMemcpy(to, from.data(), 4 * from.size(), cudaMemcpyHostToDevice),
                           "sending a routing");
    };
    if (!context_.settled("filling experts") || !sent(tokens_, places_.token_of_slot) ||
        !sent(choices_, places_.slot_of_choice) ||
        !context_.done(cudaDeviceSynchronize(), "sending a routing"))
      return false;
    up_product_ = LtProduct::make(context_, kFormat, w.rows(), 2 * w.inner, w.hidden, w.distinct);
    down_product_ = LtProduct::make(context_, kFormat, w.rows(), w.hidden, w.inner, w.distinct);
    if (!up_product_ || !down_product_) return false;
    std::size_t turn = 0;
    return up_product_->choose([&] { up_product_->queue(gathered_, up_[turn++ % up_.size()], wide_); }) &&
           down_product_->choose(
               [&] { down_product_->queue(narrow_, down_[turn++ % down_.size()], answers_); });
  }

  void queue(int turn) override {
    const kernels::Launch launch = context_.launch();
    const auto t = static_cast<std::size_t>(turn);
    const auto rows = static_cast<int>(slots(work_)), hidden = static_cast<int>(work_.hidden);
    kernels::gather_rows(launch, x_, tokens_, gathered_, rows, hidden);
    up_product_->queue(gathered_, up_[t], wide_);
    kernels::gate_up(launch, wide_, narrow_, rows, static_cast<int>(work_.inner));
    down_product_->queue(narrow_, down_[t], answers_);
    kernels::join_rows(launch, answers_, choices_, static_cast<int>(work_.top_k), out_,
                       static_cast<int>(work_.tokens), hidden);
  }

  bool right() override {
    cudaMemsetAsync(out_, 0xff, static_cast<std::size_t>(2 * work_.tokens * work_.hidden),
                    context_.stream.get());
    queue(turns_ - 1);
    if (!context_.settled("checking experts")) return false;
    const ExpertsWork& w = work_;
    const ProductTypes types = product_types(kFormat);
    const auto behind = [](void* base, std::int64_t numbers) {
      return static_cast<char*>(base) + 2 * numbers;
    };
    // The first and the last expert's products, and the last token's sum.
    for (const std::int64_t e : {std::int64_t{0}, w.distinct - 1}) {
      const std::int64_t row = e * w.rows();
      if (!product_right(types, behind(gathered_, row * w.hidden),
                         behind(up_.back(), e * 2 * w.inner * w.hidden), behind(wide_, row * 2 * w.inner),
                         w.rows(), 2 * w.inner, w.hidden) ||
          !product_right(types, behind(narrow_, row * w.inner), behind(down_.back(), e * w.hidden * w.inner),
                         behind(answers_, row * w.hidden), w.rows(), w.hidden, w.inner))
        return false;
    }
    return gathered_right() && joined_right();
  }

 private:
  bool gathered_right() const {
    const std::int64_t slot = slots(work_) - 1, token = places_.token_of_slot.back(), width = work_.hidden;
    const auto from = fetched(Pattern::bfloat16, x_, token * width, width);
    return !from.empty() && from == fetched(Pattern::bfloat16, gathered_, slot * width, width);
  }
  bool joined_right() const {
    const std::int64_t token = work_.tokens - 1, width = work_.hidden;
    std::vector<double> wanted(static_cast<std::size_t>(width), 0.0);
    for (std::int64_t c = 0; c < work_.top_k; ++c) {
      const std::int64_t slot = places_.slot_of_choice[static_cast<std::size_t>(token * work_.top_k + c)];
      const auto answer = fetched(Pattern::bfloat16, answers_, slot * width, width);
      if (answer.size() != wanted.size()) return false;
      for (std::size_t i = 0; i < wanted.size(); ++i)
        wanted[i] += answer[i] / static_cast<double>(work_.top_k);
    }
    const auto found = fetched(Pattern::bfloat16, out_, token * width, width);
    if (found.size() != wanted.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (!(std::abs(found[i] - wanted[i]) <= 0.01 + std::abs(wanted[i]) / 64)) return false;
    }
    return true;
  }

  CudaContext& context_;
  ExpertsWork work_;
  Places places_;
  int turns_;
  void *x_ = nullptr, *gathered_ = nullptr, *wide_ = nullptr, *narrow_ = nullptr, *answers_ = nullptr,
       *out_ = nullptr;
  int *tokens_ = nullptr, *choices_ = nullptr;
  std::vector<void*> up_, down_;
  std::optional<LtProduct> up_product_, down_product_;
};

}  // namespace

Footprint experts_footprint(const ExpertsWork& w) {
  Footprint out;
  out.once =
      4 * w.tokens * w.hidden + slots(w) * (4 * w.hidden + 6 * w.inner + 4) + 4 * w.tokens * w.top_k + 4096;
  out.per_turn = up_bytes(w) + down_bytes(w) + 512;
  return out;
}

std::unique_ptr<CudaWork> make_experts_work(CudaContext& context, const ExpertsWork& work, int turns) {
  auto out = std::make_unique<CudaExperts>(context, work, turns);
  if (!out->ready()) return nullptr;
  return out;
}

}  // namespace roofplan::probe
