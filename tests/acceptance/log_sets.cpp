#include "tests/acceptance/log_sets.hpp"

#include <fmt/format.h>

#include <array>
#include <sstream>

namespace roofplan::test {

double noise(std::uint64_t seed, std::uint64_t index, double share) {
  // SplitMix64 (Steele, Lea, Flood 2014); the sum of four is close enough to a bell.
  std::uint64_t state = seed * 0x9e3779b97f4a7c15ULL + index * 0xd1b54a32d192ed03ULL;
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    sum += static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53 - 0.5;
  }
  return 1 + share * 1.73 * sum;  // the sum has a standard deviation of 0.577
}

std::vector<TestRank> whole_nodes(const std::vector<std::string>& hosts, int per_node) {
  static constexpr std::array<const char*, 8> kBus{"0000:1b:00", "0000:43:00", "0000:52:00", "0000:61:00",
                                                   "0000:9d:00", "0000:c3:00", "0000:d1:00", "0000:df:00"};
  std::vector<TestRank> ranks;
  for (const std::string& host : hosts) {
    for (int d = 0; d < per_node; ++d)
      ranks.push_back({host, d, kBus[static_cast<std::size_t>(d) % kBus.size()]});
  }
  return ranks;
}

std::vector<std::string> host_names(int count) {
  std::vector<std::string> names;
  for (int i = 1; i <= count; ++i) names.push_back(fmt::format("node{:03}", i));
  return names;
}

namespace {

/// nccl-tests prints a time with as many decimals as fit into eight characters.
std::string time_text(double us) {
  return us >= 10000  ? fmt::format("{:.0f}", us)
         : us >= 1000 ? fmt::format("{:.1f}", us)
                      : fmt::format("{:.2f}", us);
}

std::string half_text(double bytes, double factor, double busbw, long wrong) {
  const double algbw = factor > 0 ? busbw / factor : busbw;
  return fmt::format("  {:>7}  {:>6.2f}  {:>6.2f}  {:>5}", time_text(bytes / algbw / 1e3), algbw, busbw,
                     wrong);
}

}  // namespace

std::string nccl_tests_log(const NcclTestsRun& run) {
  const int n = static_cast<int>(run.ranks.size());
  const bool sums = run.op == model::Collective::all_reduce || run.op == model::Collective::reduce_scatter;
  const bool root = run.layout == NcclTestsRun::Layout::with_root;
  std::string out;
  if (run.says_op && root) {
    out += "# nccl-tests version 2.18.3 nccl-headers=22809 nccl-library=22809\n";
    out += fmt::format("# Collective test starting: {}_perf\n", model::to_text(run.op));
  } else if (run.says_op) {
    out += fmt::format("+ mpirun -np {} ./build/{}_perf -b 1G -e 8G -f 8 -g 1\n", n, model::to_text(run.op));
  }
  out += fmt::format(
      "# nThread 1 nGpus 1 minBytes {:.0f} maxBytes {:.0f} step: 2(factor) warmup iters: 5 iters: 20 agg "
      "iters: 1 "
      "validation: 1 graph: 0\n#\n# Using devices\n",
      run.sizes.front(), run.sizes.back());
  for (int r = 0; r < n; ++r) {
    const TestRank& rank = run.ranks[static_cast<std::size_t>(r)];
    out += root ? fmt::format("#  Rank {:2} Group  0 Pid {:6} on {:>10} device {:2} [{}] {}\n", r, 4000 + r,
                              rank.host, rank.device, rank.bus, run.device_name)
                : fmt::format("#   Rank {:2} Pid {:6} on {:>10} device {:2} [{}] {}\n", r, 4000 + r,
                              rank.host, rank.device, rank.bus, run.device_name);
  }
  out += "NCCL version 2.28.9+cuda13.0\n#\n";
  out +=
      "#                                                              out-of-place                       "
      "in-place          \n";
  out += root ? "#       size         count      type   redop    root     time   algbw   busbw  #wrong     "
                "time   algbw   busbw  #wrong \n"
              : "#       size         count      type   redop     time   algbw   busbw  error     time   "
                "algbw   busbw  error\n";
  out +=
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  "
      "(GB/s)  (GB/s)         \n";
  double sum = 0;
  for (const double size : run.sizes) {
    const double bus = run.busbw(size), factor = model::bus_factor(run.op, n);
    out += fmt::format("{:12.0f}  {:12.0f}     float  {:>6}", size, size / 4, sums ? "sum" : "none");
    if (root) out += fmt::format("  {:>6}", -1);
    out += half_text(size, factor, bus, run.wrong) + half_text(size, factor, bus * 1.002, 0) + "\n";
    sum += bus;
  }
  out += fmt::format("# Out of bounds values : {}\n", run.wrong == 0 ? "0 OK" : "1 FAILED");
  out += fmt::format("# Avg bus bandwidth    : {:.4f} \n#\n", sum / static_cast<double>(run.sizes.size()));
  return out;
}

std::string marked(const std::string& log, const std::string& mark) {
  std::istringstream in(log);
  std::string out;
  for (std::string line; std::getline(in, line);) out += mark + line + "\n";
  return out;
}

std::string interleaved(const std::vector<std::pair<std::string, std::string>>& marks_and_logs) {
  std::vector<std::istringstream> streams;
  for (const auto& [mark, log] : marks_and_logs) streams.emplace_back(log);
  std::string out;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      std::string line;
      if (!std::getline(streams[i], line)) continue;
      out += marks_and_logs[i].first + line + "\n";
      more = true;
    }
  }
  return out;
}

}  // namespace roofplan::test
