#include "cli/output/progress.hpp"

#include "cli/output/emit.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace roofplan::cli {
namespace {

constexpr auto kQuietStart = std::chrono::seconds(3);
constexpr auto kLiveStep = std::chrono::seconds(1), kLineStep = std::chrono::seconds(30);
constexpr const char* kClearLine = "\r\033[K";

void write_live(const std::string& text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(std::int64_t total, bool quiet) : total_(total), begun_(Clock::now()) {
  live_ = ::isatty(STDERR_FILENO) != 0;
  silent_ = quiet || (live_ && ::isatty(STDOUT_FILENO) != 0);
  next_ = begun_ + (live_ ? kQuietStart : kLineStep);
}

Progress::~Progress() {
  if (shown_) write_live(kClearLine);
}

void Progress::add(std::int64_t points) {
  done_ += points;
  const Clock::time_point now = Clock::now();
  if (silent_ || now < next_) return;
  next_ = now + (live_ ? kLiveStep : kLineStep);
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const double rate = static_cast<double>(done_) / seconds;
  const auto left = static_cast<std::int64_t>(static_cast<double>(total_ - done_) / rate);
  const std::string text = fmt::format("{} of {} points, {:.3g} a second, {}:{:02}:{:02} left", done_, total_,
                                       rate, left / 3600, left / 60 % 60, left % 60);
  if (live_) {
    write_live(kClearLine + text);
    shown_ = true;
  } else {
    write_stderr(text);
  }
}

}  // namespace roofplan::cli
