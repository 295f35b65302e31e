#include "model/probe/cuda/product.hpp"

#include "model/probe/cuda/number_bits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace roofplan::probe {
namespace {

constexpr int kProposals = 8, kTrials = 3;
constexpr std::int64_t kSamples = 24;

using lt::Compute;
using lt::DataType;
using lt::ScaleMode;

/// Unlike a bfloat16 sum, one of whole numbers is exact.
double numbers_of(Pattern pattern, const void* from, std::int64_t index, bool whole) {
  if (!whole) {
    const auto one = fetched(pattern, from, index, 1);
    return one.empty() ? std::numeric_limits<double>::quiet_NaN() : one.front();
  }
  std::int32_t value = 0;
  if (cudaMemcpy(&value, static_cast<const std::int32_t*>(from) + index, sizeof value,
                 cudaMemcpyDeviceToHost) != cudaSuccess)
    return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(value);
}

}  // namespace

ProductTypes product_types(ProductWork::Format format) {
  using F = ProductWork::Format;
  constexpr Pattern kNone = Pattern::ones;
  switch (format) {
    case F::float16:
      return {DataType::float16,
              DataType::float16,
              Compute::float32,
              ScaleMode::whole,
              Pattern::float16,
              kNone,
              Pattern::float16,
              8,
              0};
    case F::tf32:
      return {DataType::float32,
              DataType::float32,
              Compute::tf32,
              ScaleMode::whole,
              Pattern::float32,
              kNone,
              Pattern::float32,
              8,
              0};
    case F::fp8:
      return {DataType::e4m3,
              DataType::bfloat16,
              Compute::float32,
              ScaleMode::whole,
              Pattern::fp8,
              kNone,
              Pattern::bfloat16,
              8,
              9};
    case F::int8:
      return {DataType::int8,
              DataType::int32,
              Compute::int32,
              ScaleMode::whole,
              Pattern::int8,
              kNone,
              Pattern::float32,
              8,
              0};
    case F::nvfp4:
      return {DataType::e2m1,
              DataType::bfloat16,
              Compute::float32,
              ScaleMode::of_16_ue4m3,
              Pattern::fp4,
              Pattern::scale_fp8,
              Pattern::bfloat16,
              10,
              0};
    case F::mxfp8:
      return {DataType::e4m3,
              DataType::bfloat16,
              Compute::float32,
              ScaleMode::of_32_ue8m0,
              Pattern::fp8,
              Pattern::scale_power,
              Pattern::bfloat16,
              10,
              0};
    case F::mxfp4:
      return {DataType::e2m1,
              DataType::bfloat16,
              Compute::float32,
              ScaleMode::of_32_ue8m0,
              Pattern::fp4,
              Pattern::scale_power,
              Pattern::bfloat16,
              10,
              0};
    case F::bfloat16:
      break;
  }
  return {DataType::bfloat16,
          DataType::bfloat16,
          Compute::float32,
          ScaleMode::whole,
          Pattern::bfloat16,
          kNone,
          Pattern::bfloat16,
          8,
          0};
}

struct LtProduct::Handles {
  lt::Functions f;
  lt::Operation operation = nullptr;
  lt::Layout weights = nullptr, inputs = nullptr, outputs = nullptr;

  explicit Handles(const lt::Functions& functions) : f(functions) {}
  ~Handles() {
    for (const lt::Layout layout : {weights, inputs, outputs}) {
      if (layout != nullptr) f.layout_destroy(layout);
    }
    if (operation != nullptr) f.operation_destroy(operation);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  template <class T>
  bool set(lt::OperationField field, T value) {
    return f.operation_set(operation, field, &value, sizeof value) == 0;
  }
  bool lay_out(lt::Layout& layout, DataType type, std::int64_t rows, std::int64_t columns,
               std::int64_t batches, std::int64_t leading = 0) {
    if (leading == 0) leading = rows;
    if (f.layout_create(&layout, type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                        leading) != 0)
      return false;
    if (batches == 1) return true;
    const auto count = static_cast<std::int32_t>(batches);
    const std::int64_t stride = leading * columns;
    return f.layout_set(layout, lt::LayoutField::batches, &count, sizeof count) == 0 &&
           f.layout_set(layout, lt::LayoutField::batch_stride, &stride, sizeof stride) == 0;
  }
};
void LtProduct::HandlesDeleter::operator()(Handles* handles) const {
  delete handles;
}

std::optional<LtProduct> LtProduct::make(CudaContext& context, ProductWork::Format format, std::int64_t m,
                                         std::int64_t n, std::int64_t k, std::int64_t batches,
                                         const void* scales, std::int64_t upright) {
  if (!context.lt || context.lt_handle == nullptr) return std::nullopt;
  const lt::Functions& f = context.lt->functions();
  const ProductTypes types = product_types(format);
  LtProduct out(context);
  out.whole_numbers_ = types.compute == Compute::int32;
  out.handles_.reset(new Handles(f));
  Handles& h = *out.handles_;
  // The library counts columns first: Y^T[n,m] = W X^T, both with k along their columns.
  bool made = f.operation_create(&h.operation, types.compute,
                                 out.whole_numbers_ ? DataType::int32 : DataType::float32) == 0 &&
              (upright > 0 ? h.lay_out(h.weights, types.input, n, k, batches, upright)
                           : h.set(lt::OperationField::transpose_a, lt::kTransposed) &&
                                 h.lay_out(h.weights, types.input, k, n, batches)) &&
              h.lay_out(h.inputs, types.input, k, m, batches) &&
              h.lay_out(h.outputs, types.output, n, m, batches);
  if (made && types.scale != ScaleMode::whole) {
    made = h.set(lt::OperationField::scale_mode_a, types.scale) &&
           h.set(lt::OperationField::scale_mode_b, types.scale) &&
           h.set(lt::OperationField::scale_a, scales) && h.set(lt::OperationField::scale_b, scales);
  }
  lt::Preference preference = nullptr;
  std::array<lt::Choice, kProposals> choices{};
  int found = 0;
  if (made && f.preference_create(&preference) == 0) {
    const auto bytes = static_cast<std::size_t>(kWorkspaceBytes);
    f.preference_set(preference, lt::PreferenceField::workspace_bytes, &bytes, sizeof bytes);
    if (f.choose(context.lt_handle, h.operation, h.weights, h.inputs, h.outputs, h.outputs, preference,
                 kProposals, choices.data(), &found) != 0)
      found = 0;
    f.preference_destroy(preference);
  }
  for (int i = 0; i < found; ++i) {
    const lt::Choice& choice = choices[static_cast<std::size_t>(i)];
    if (choice.status == 0) out.proposals_.push_back(choice);
  }
  if (!out.proposals_.empty()) return out;
  context.troubles.push_back(
      fmt::format("cuBLASLt has no {} product of {} x {} x {}", to_text(format), m, n, k));
  return std::nullopt;
}

bool LtProduct::choose(const std::function<void()>& queue_once) {
  CudaContext& c = *context_;
  double fastest = std::numeric_limits<double>::infinity();
  std::size_t best = proposals_.size();
  for (chosen_ = 0; chosen_ < proposals_.size(); ++chosen_) {
    queue_once();
    if (status_ != 0 || cudaStreamSynchronize(c.stream.get()) != cudaSuccess) continue;
    cudaEventRecord(c.start.get(), c.stream.get());
    for (int i = 0; i < kTrials; ++i) queue_once();
    cudaEventRecord(c.stop.get(), c.stream.get());
    const double time = c.elapsed_s();
    if (time > 0 && time < fastest) {
      fastest = time;
      best = chosen_;
    }
  }
  chosen_ = best;
  if (best < proposals_.size()) return true;
  c.troubles.emplace_back("cuBLASLt runs none of the algorithms that it proposes");
  return false;
}

void LtProduct::queue(const void* x, const void* w, void* y) {
  const lt::Functions& f = handles_->f;
  const float one = 1, nought = 0;
  const std::int32_t whole_one = 1, whole_nought = 0;
  const void* alpha = whole_numbers_ ? static_cast<const void*>(&whole_one) : &one;
  const void* beta = whole_numbers_ ? static_cast<const void*>(&whole_nought) : &nought;
  status_ = f.multiply(context_->lt_handle, handles_->operation, alpha, w, handles_->weights, x,
                       handles_->inputs, beta, y, handles_->outputs, y, handles_->outputs,
                       &proposals_[chosen_].algorithm, context_->workspace.get(),
                       static_cast<std::size_t>(kWorkspaceBytes), context_->stream.get());
}

bool product_right(const ProductTypes& types, const void* x, const void* w, const void* y, std::int64_t m,
                   std::int64_t n, std::int64_t k) {
  const bool whole = types.compute == Compute::int32;
  for (std::int64_t s = 0; s < kSamples; ++s) {
    // Spread over the matrix, both corners among them.
    const std::int64_t row = s * (m - 1) / (kSamples - 1), column = s * 7919 % n;
    const auto a = fetched(types.pattern, x, row * k, k), b = fetched(types.pattern, w, column * k, k);
    if (a.empty() || b.empty()) return false;
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += a[i] * b[i];
      size += std::abs(a[i] * b[i]);
    }
    const double found = numbers_of(types.output_pattern, y, row * n + column, whole);
    // Rounding of a 16-bit result, and of sums in 32 bits or, on Hopper in fp8, about 14.
    const double allowed = whole ? 0.0 : std::abs(sum) / 128 + size / 4096;
    if (!(std::abs(found - sum) <= allowed)) return false;
  }
  return true;
}

}  // namespace roofplan::probe
