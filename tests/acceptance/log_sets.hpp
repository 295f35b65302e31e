#pragma once

#include "model/fabric/collective.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace roofplan::test {

/// Noise of a healthy measurement: a factor near 1, the same for the same seed and index on every machine.
double noise(std::uint64_t seed, std::uint64_t index, double share = 0.005);

/// Where a rank of a run of nccl-tests runs.
struct TestRank {
  std::string host;
  int device = 0;
  std::string bus;
};

/// A run of nccl-tests in the layout of its releases.
struct NcclTestsRun {
  enum class Layout { with_root, without_root };

  model::Collective op = model::Collective::all_reduce;
  std::vector<TestRank> ranks;
  std::string device_name = "NVIDIA H200";
  std::vector<double> sizes = {1073741824, 8589934592};  ///< bytes
  /// Bus bandwidth in GB/s at a size in bytes.
  std::function<double(double)> busbw;
  Layout layout = Layout::with_root;
  bool says_op = true;  ///< newer releases name the program
  long wrong = 0;
};

/// Ranks of whole nodes, `per_node` each, with the bus ids of an HGX board.
std::vector<TestRank> whole_nodes(const std::vector<std::string>& hosts, int per_node);
/// "node001" ... of so many.
std::vector<std::string> host_names(int count);

std::string nccl_tests_log(const NcclTestsRun& run);

/// Every line with `mark` in front.
std::string marked(const std::string& log, const std::string& mark);
/// The lines of several logs in turn, each with its mark in front.
std::string interleaved(const std::vector<std::pair<std::string, std::string>>& marks_and_logs);

}  // namespace roofplan::test
