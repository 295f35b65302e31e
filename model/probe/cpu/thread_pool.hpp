#pragma once

#include "model/units/quantity.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace roofplan::probe {

/// Threads that run one function together and wait for each other: a parallel region.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }
  /// Calls part(i, count) for i = 0 .. count - 1, each on a thread of its own, and returns when all are done.
  /// `count` is at most threads(); 0 means all. The time is the processor time of the slowest part: what
  /// other programs take of the processors does not count.
  model::Seconds run(const std::function<void(int part, int count)>& part, int count = 0);

 private:
  void work(int index);
  void do_part(int index);

  std::vector<std::thread> workers_;
  std::vector<double> seconds_;  ///< of each part, a cache line apart
  const std::function<void(int, int)>* part_ = nullptr;
  int count_ = 0;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<int> open_{0};
  std::atomic<bool> over_{false};
};

}  // namespace roofplan::probe
