#include "model/acceptance/run_identity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace roofplan::model {
namespace {

std::optional<Collective> op_in_name(const std::string& file) {
  static constexpr std::array<std::pair<std::string_view, Collective>, 10> kNames{
      {{"all_reduce", Collective::all_reduce},
       {"allreduce", Collective::all_reduce},
       {"all_gather", Collective::all_gather},
       {"allgather", Collective::all_gather},
       {"reduce_scatter", Collective::reduce_scatter},
       {"reducescatter", Collective::reduce_scatter},
       {"alltoall", Collective::all_to_all},
       {"all_to_all", Collective::all_to_all},
       {"broadcast", Collective::broadcast},
       {"sendrecv", Collective::send_recv}}};
  for (const auto& [name, op] : kNames) {
    if (file.find(name) != std::string::npos) return op;
  }
  return std::nullopt;
}

/// Whether the ratio of the printed bandwidths is the collective's over n ranks.
bool fits(Collective op, int n, double ratio) {
  return n < 2 || std::abs(ratio - bus_factor(op, n)) < 0.01;
}

/// The collectives that the columns allow, likeliest first.
std::vector<Collective> candidates(const RunSigns& signs) {
  if (signs.rooted)
    return signs.reduction == "none" ? std::vector{Collective::broadcast} : std::vector<Collective>{};
  if (signs.reduction == "none") return {signs.in_place ? Collective::all_gather : Collective::all_to_all};
  return {Collective::all_reduce, Collective::reduce_scatter};
}

int ranks_from_ratio(Collective op, double ratio) {
  const bool twice = op == Collective::all_reduce;
  if (op == Collective::broadcast || op == Collective::send_recv) return 0;
  const double share = twice ? ratio / 2 : ratio;
  if (share < 0.5 || share >= 1) return 0;
  const double n = std::round(1 / (1 - share));
  constexpr double kPrinted = 2e-4;  // two decimals of some hundred GB/s, twice
  if (n > 128 || std::abs((n - 1) / n - share) > kPrinted * share) return 0;
  return static_cast<int>(n);
}

/// Ratio of the printed bandwidths: the middle one of the rows whose digits suffice, so that one row that
/// lies does not decide. Zero where no row has digits enough.
double printed_ratio(const std::vector<CollectiveRow>& rows) {
  std::vector<double> ratios;
  for (const CollectiveRow& row : rows) {
    if (row.algorithm_rate >= 1 * unit::GB_s) ratios.push_back(row.bus_rate / row.algorithm_rate);
  }
  if (ratios.empty()) return 0;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>((ratios.size() - 1) / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

}  // namespace

void identify(CollectiveRun& run, const RunSigns& signs) {
  std::stable_sort(run.ranks.begin(), run.ranks.end(),
                   [](const RankPlace& a, const RankPlace& b) { return a.rank < b.rank; });
  run.rank_count = run.alone || run.ranks.empty() ? 0 : run.ranks.back().rank + 1;
  run.op = signs.said ? signs.said : op_in_name(signs.file);
  const double ratio = printed_ratio(run.rows);
  if (ratio <= 0) return;
  if (run.op && !fits(*run.op, run.rank_count, ratio)) run.op.reset();
  for (const Collective op : candidates(signs)) {
    const bool reduces = op == Collective::all_reduce;
    const bool possible =
        run.rank_count >= 2 ? fits(op, run.rank_count, ratio) : (reduces ? ratio > 1 : ratio < 1);
    if (!run.op && possible) run.op = op;
  }
  if (run.op && run.rank_count == 0 && !run.alone) run.rank_count = ranks_from_ratio(*run.op, ratio);
}

std::size_t drop_contradictions(CollectiveRun& run) {
  if (!run.op || run.rank_count < 2) return 0;
  const double factor = bus_factor(*run.op, run.rank_count);
  constexpr double kRounding = 0.02;  // GB/s
  return std::erase_if(run.rows, [&](const CollectiveRow& row) {
    const double printed = row.bus_rate / unit::GB_s, computed = factor * (row.algorithm_rate / unit::GB_s);
    return std::abs(printed - computed) > 0.02 * computed + kRounding;
  });
}

}  // namespace roofplan::model
