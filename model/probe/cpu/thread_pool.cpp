#include "model/probe/cpu/thread_pool.hpp"

#include <algorithm>
#include <ctime>

namespace roofplan::probe {
namespace {

constexpr std::size_t kLine = 8;  // doubles of a cache line
constexpr int kSpins = 2000;      // some microseconds: what a wake-up by the kernel costs at least

double processor_seconds() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Looks again and again for a while, then sleeps until `value` is no longer `old`.
template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  for (int i = 0; i < kSpins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
  }
  value.wait(old);
}

}  // namespace

ThreadPool::ThreadPool(int threads) : seconds_(kLine * static_cast<std::size_t>(std::max(1, threads))) {
  for (int i = 1; i < std::max(1, threads); ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  over_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

model::Seconds ThreadPool::run(const std::function<void(int, int)>& part, int count) {
  part_ = &part;
  count_ = count > 0 ? std::min(count, threads()) : threads();
  open_ = static_cast<int>(workers_.size());
  ++round_;
  round_.notify_all();
  do_part(0);
  for (int left = open_.load(); left > 0; left = open_.load()) wait_while(open_, left);
  double slowest = 0;
  for (int i = 0; i < count_; ++i) slowest = std::max(slowest, seconds_[kLine * static_cast<std::size_t>(i)]);
  return slowest * model::unit::s;
}

void ThreadPool::do_part(int index) {
  const double start = processor_seconds();
  (*part_)(index, count_);
  seconds_[kLine * static_cast<std::size_t>(index)] = processor_seconds() - start;
}

void ThreadPool::work(int index) {
  for (std::uint32_t seen = 0;;) {
    wait_while(round_, seen);
    seen = round_.load();
    if (over_) return;
    if (index < count_) do_part(index);
    if (--open_ == 0) open_.notify_one();
  }
}

}  // namespace roofplan::probe
