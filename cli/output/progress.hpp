#pragma once

#include <chrono>
#include <cstdint>

namespace roofplan::cli {

/// How far a long run is, on standard error: one line that is written over each second on a terminal, a line
/// each half minute elsewhere. Silent for runs of a few seconds, and where the rows run over the same
/// terminal.
class Progress {
 public:
  Progress(std::int64_t total, bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// So many more points are done.
  void add(std::int64_t points);

 private:
  using Clock = std::chrono::steady_clock;

  std::int64_t total_, done_ = 0;
  bool live_ = false, silent_ = false, shown_ = false;
  Clock::time_point begun_, next_;
};

}  // namespace roofplan::cli
