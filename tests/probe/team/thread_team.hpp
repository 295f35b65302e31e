#pragma once

#include "model/probe/team/team.hpp"

#include <algorithm>
#include <barrier>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace roofplan::test {

/// What the ranks of a team of threads share.
struct Meeting {
  explicit Meeting(int ranks) : size(ranks), all(ranks), numbers(static_cast<std::size_t>(ranks)) {}

  int size;
  std::barrier<> all;
  std::vector<double> numbers;
  std::vector<std::byte> word;
  std::vector<float> floats;
};

/// A team of threads of one process.
class ThreadTeam final : public probe::Team {
 public:
  ThreadTeam(Meeting& meeting, int rank) : m_(meeting), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return m_.size; }
  void broadcast(std::span<std::byte> bytes, int root) override {
    if (rank_ == root) m_.word.assign(bytes.begin(), bytes.end());
    m_.all.arrive_and_wait();
    std::copy(m_.word.begin(), m_.word.end(), bytes.begin());
    m_.all.arrive_and_wait();
  }
  double highest(double own) override {
    m_.numbers[static_cast<std::size_t>(rank_)] = own;
    m_.all.arrive_and_wait();
    const double out = *std::max_element(m_.numbers.begin(), m_.numbers.end());
    m_.all.arrive_and_wait();
    return out;
  }
  void sum(std::span<const float> from, std::span<float> to) override {
    std::vector<float> all(from.size() * static_cast<std::size_t>(m_.size));
    gather(from, all);
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = 0;
      for (std::size_t r = 0; r < static_cast<std::size_t>(m_.size); ++r) to[i] += all[r * from.size() + i];
    }
  }
  void gather(std::span<const float> from, std::span<float> to) override {
    if (rank_ == 0) m_.floats.assign(from.size() * static_cast<std::size_t>(m_.size), 0);
    m_.all.arrive_and_wait();
    std::copy(from.begin(), from.end(), m_.floats.begin() + static_cast<std::ptrdiff_t>(from.size()) * rank_);
    m_.all.arrive_and_wait();
    std::copy(m_.floats.begin(), m_.floats.end(), to.begin());
    m_.all.arrive_and_wait();
  }

 private:
  Meeting& m_;
  int rank_;
};

/// Runs what each rank does, all at once.
inline void together(int ranks, const std::function<void(ThreadTeam&)>& each) {
  Meeting meeting(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadTeam team(meeting, rank);
      each(team);
    });
  }
  for (std::thread& t : threads) t.join();
}

}  // namespace roofplan::test
