#include "sim/kernel/ordered_loop.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace roofplan::sim {
namespace {

/// Enough items that locks do not count, few enough that the first rows come at once.
constexpr std::int64_t kChunk = 32;

struct Chunk {
  std::string text;
  std::int64_t made = 0;
  std::exception_ptr error;
};

class Loop {
 public:
  Loop(std::int64_t count, const std::function<std::string(std::int64_t)>& make,
       const std::function<void(const std::string&, std::int64_t)>& take, const std::atomic<bool>& stop)
      : count_(count), make_(make), take_(take), stop_(stop) {}

  void work() {
    while (!stop_ && !ended_) {
      const std::int64_t chunk = next_.fetch_add(1);
      if (chunk * kChunk >= count_) return;
      hand_on(chunk, make_chunk(chunk));
    }
  }

  std::int64_t finish() {
    if (error_) std::rethrow_exception(error_);
    return delivered_;
  }

 private:
  std::int64_t items_of(std::int64_t chunk) const { return std::min(kChunk, count_ - chunk * kChunk); }

  Chunk make_chunk(std::int64_t chunk) {
    Chunk out;
    try {
      for (; out.made < items_of(chunk) && !stop_; ++out.made) out.text += make_(chunk * kChunk + out.made);
    } catch (...) {
      out.error = std::current_exception();
    }
    return out;
  }

  void hand_on(std::int64_t chunk, Chunk made) {
    std::unique_lock lock(mutex_);
    turn_changed_.wait(lock, [&] { return turn_ == chunk || ended_; });
    if (ended_) return;
    try {
      if (made.made > 0) take_(made.text, made.made);
      delivered_ += made.made;
    } catch (...) {
      made.error = std::current_exception();
    }
    error_ = made.error;
    // After a gap nothing may follow.
    ended_ = made.error != nullptr || made.made < items_of(chunk);
    ++turn_;
    turn_changed_.notify_all();
  }

  const std::int64_t count_;
  const std::function<std::string(std::int64_t)>& make_;
  const std::function<void(const std::string&, std::int64_t)>& take_;
  const std::atomic<bool>& stop_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable turn_changed_;
  std::int64_t turn_ = 0, delivered_ = 0;
  std::exception_ptr error_;
};

}  // namespace

std::int64_t ordered_loop(std::int64_t count, int threads,
                          const std::function<std::string(std::int64_t)>& make,
                          const std::function<void(const std::string&, std::int64_t)>& take,
                          const std::atomic<bool>& stop) {
  Loop loop(count, make, take, stop);
  std::vector<std::thread> workers;
  for (int i = 1; i < threads; ++i) workers.emplace_back([&loop] { loop.work(); });
  loop.work();
  for (std::thread& worker : workers) worker.join();
  return loop.finish();
}

int thread_count(std::int64_t asked) {
  if (asked > 0) return static_cast<int>(asked);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace roofplan::sim
