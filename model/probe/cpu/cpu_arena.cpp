#include "model/probe/cpu/cpu_arena.hpp"

#include <algorithm>
#include <random>

namespace roofplan::probe {
namespace {

/// A prime, so that rows of matrices differ.
constexpr std::size_t kBlock = 65'521;
/// As weights of a model are: vectors keep their size through a layer, and no exponential leaves its range,
/// where it would be slower. The mean is not zero, so that a sum tells when a part is missing.
constexpr float kLowest = -0.04F, kHighest = 0.06F;

}  // namespace

CpuArena::CpuArena(int threads, std::size_t bytes, std::uint64_t seed)
    : pool_(threads), data_(bytes / sizeof(float)) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> even(kLowest, kHighest);
  // A block of random numbers over and over: random enough for a check, and quick.
  const std::size_t block = std::min(data_.size(), kBlock);
  for (std::size_t i = 0; i < block; ++i) data_[i] = even(random);
  for (std::size_t i = block; i < data_.size(); ++i) data_[i] = data_[i - block];
}

float* CpuArena::scratch(std::size_t count) {
  if (scratch_.size() < count) scratch_.resize(count);
  return scratch_.data();
}

const float* CpuArena::next(std::size_t count) {
  if (at_ + count > data_.size()) at_ = 0;
  const float* out = data_.data() + at_;
  at_ += count;
  return out;
}

}  // namespace roofplan::probe
