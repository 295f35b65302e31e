#include "model/probe/team/exchange.hpp"

#include <algorithm>
#include <vector>

namespace roofplan::probe {
namespace {

/// Every rank gives ones: sums are the number of ranks.
class HostExchange final : public Exchange {
 public:
  explicit HostExchange(Team& team) : team_(team) {}

  bool prepare(const CollectiveWork& work) override {
    if (work.kind == CollectiveWork::Kind::reduce_scatter) return false;
    gathers_ = work.kind == CollectiveWork::Kind::all_gather;
    const auto ranks = static_cast<std::size_t>(team_.size());
    const auto each = static_cast<std::size_t>(work.bytes) / sizeof(float) / ranks;
    from_.assign(gathers_ ? each : each * ranks, 1.0f);
    to_.assign(each * ranks, 0.0f);
    return each > 0;
  }
  Seconds run() override {
    const Seconds start = steady_now();
    exchange();
    return steady_now() - start;
  }
  bool right() override {
    std::fill(to_.begin(), to_.end(), 0.0f);
    exchange();
    const float wanted = gathers_ ? 1.0f : static_cast<float>(team_.size());
    return std::all_of(to_.begin(), to_.end(), [&](float x) { return x == wanted; });
  }

 private:
  void exchange() {
    if (gathers_) {
      team_.gather(from_, to_);
    } else {
      team_.sum(from_, to_);
    }
  }

  Team& team_;
  bool gathers_ = false;
  std::vector<float> from_, to_;
};

}  // namespace

std::unique_ptr<Exchange> host_exchange(Team& team) {
  return std::make_unique<HostExchange>(team);
}

}  // namespace roofplan::probe
