#pragma once

#include "model/units/quantity.hpp"

#include <cstddef>
#include <vector>

namespace roofplan::probe {

/// A second process that takes bytes through a pipe and answers with their sum when it has them all.
class ProcessCopy {
 public:
  /// Starts it. Throws InputError (missing) when the system refuses.
  ProcessCopy();
  ~ProcessCopy();
  ProcessCopy(const ProcessCopy&) = delete;
  ProcessCopy& operator=(const ProcessCopy&) = delete;

  /// Sends `bytes` and waits for the answer; zero when the other process is gone.
  model::Seconds send(std::size_t bytes);
  /// Whether the last answer was the sum of what was sent.
  bool arrived_whole() const { return whole_; }

 private:
  int to_ = -1, from_ = -1, child_ = -1;
  bool whole_ = false;
  std::vector<unsigned char> buffer_;
};

}  // namespace roofplan::probe
