#include "model/probe/cpu/process_copy.hpp"

#include "model/probe/measure.hpp"
#include "model/units/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

namespace roofplan::probe {
namespace {

bool read_all(int file, void* to, std::size_t bytes) {
  auto* data = static_cast<unsigned char*>(to);
  while (bytes > 0) {
    const ssize_t n = ::read(file, data, bytes);
    if (n <= 0) return false;
    data += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int file, const void* from, std::size_t bytes) {
  const auto* data = static_cast<const unsigned char*>(from);
  while (bytes > 0) {
    const ssize_t n = ::write(file, data, bytes);
    if (n <= 0) return false;
    data += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

std::uint64_t sum_of(const unsigned char* data, std::size_t bytes) {
  return std::accumulate(data, data + bytes, std::uint64_t{0});
}

/// The other process: only system calls, since the one that forked may have had threads.
[[noreturn]] void answer(int in, int out) {
  static std::array<unsigned char, 1 << 16> buffer;
  for (std::uint64_t bytes = 0; read_all(in, &bytes, sizeof bytes);) {
    std::uint64_t sum = 0;
    bool good = true;
    for (std::uint64_t left = bytes; good && left > 0;) {
      const std::size_t some = std::min<std::uint64_t>(left, buffer.size());
      good = read_all(in, buffer.data(), some);
      sum += sum_of(buffer.data(), some);
      left -= some;
    }
    if (!good || !write_all(out, &sum, sizeof sum)) break;
  }
  ::_exit(0);
}

}  // namespace

ProcessCopy::ProcessCopy() {
  std::array<int, 2> there{}, back{};
  if (::pipe(there.data()) != 0 || ::pipe(back.data()) != 0 || (child_ = ::fork()) < 0) {
    throw model::InputError(model::InputError::Kind::missing, "the system gives no second process");
  }
  if (child_ == 0) {
    ::close(there[1]);
    ::close(back[0]);
    answer(there[0], back[1]);
  }
  ::close(there[0]);
  ::close(back[1]);
  to_ = there[1];
  from_ = back[0];
}

ProcessCopy::~ProcessCopy() {
  ::close(to_);
  ::close(from_);
  ::waitpid(child_, nullptr, 0);
}

model::Seconds ProcessCopy::send(std::size_t bytes) {
  for (std::size_t i = buffer_.size(); i < bytes; ++i) buffer_.push_back(static_cast<unsigned char>(i % 251));
  const model::Seconds start = steady_now();
  const std::uint64_t announced = bytes;
  std::uint64_t sum = 0;
  const bool good = write_all(to_, &announced, sizeof announced) && write_all(to_, buffer_.data(), bytes) &&
                    read_all(from_, &sum, sizeof sum);
  const model::Seconds time = steady_now() - start;
  whole_ = good && sum == sum_of(buffer_.data(), bytes);
  return good ? time : model::Seconds{};
}

}  // namespace roofplan::probe
