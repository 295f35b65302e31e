#pragma once

#include "model/probe/cpu/thread_pool.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roofplan::probe {

/// Memory that the CPU probes work in: filled once, used by all.
class CpuArena {
 public:
  /// `bytes` of data, random numbers as small as weights; the same seed fills it the same.
  CpuArena(int threads, std::size_t bytes, std::uint64_t seed);

  ThreadPool& pool() { return pool_; }
  const float* data() const { return data_.data(); }
  std::size_t size() const { return data_.size(); }
  /// For results: grows to `count` elements, and keeps them until the next call.
  float* scratch(std::size_t count);
  /// The next `count` elements of the data, going round: what was used last is used again last, so that it
  /// comes from memory.
  const float* next(std::size_t count);

 private:
  ThreadPool pool_;
  std::vector<float> data_, scratch_;
  std::size_t at_ = 0;
};

}  // namespace roofplan::probe
