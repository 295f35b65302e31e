#pragma once

#include <cstdint>

namespace roofplan::test {

/// Counts what the program takes through operator new from its construction on, less what it gives back.
/// One at a time, on one thread.
class AllocationPeak {
 public:
  AllocationPeak();
  AllocationPeak(const AllocationPeak&) = delete;
  AllocationPeak& operator=(const AllocationPeak&) = delete;
  ~AllocationPeak();

  /// The most bytes held at once so far.
  std::int64_t bytes() const;
};

}  // namespace roofplan::test
