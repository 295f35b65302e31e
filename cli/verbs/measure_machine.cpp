#include "cli/verbs/measure_machine.hpp"

#include "cli/output/emit.hpp"
#include "model/probe/calibrate_device.hpp"
#include "model/probe/gpu/gpu.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>

namespace roofplan::cli {
namespace {

using model::InputError;

constexpr std::size_t kProgressEvery = 25;

std::atomic<bool> interrupted{false};
extern "C" void note_interrupt(int) {
  interrupted = true;
}

/// While it lives an interrupt ends the measuring, not the program.
class InterruptNoted {
 public:
  InterruptNoted() : before_(std::signal(SIGINT, note_interrupt)) { interrupted = false; }
  ~InterruptNoted() { std::signal(SIGINT, before_); }
  InterruptNoted(const InterruptNoted&) = delete;
  InterruptNoted& operator=(const InterruptNoted&) = delete;

 private:
  void (*before_)(int);
};

probe::BackEndWish wish_of(const Arguments& arguments) {
  return {.quick = arguments.has("quick"),
          .seed = static_cast<std::uint64_t>(arguments.count("seed").value_or(1)),
          .threads = static_cast<int>(arguments.count("threads").value_or(0))};
}

std::unique_ptr<probe::BackEnd> back_end_for(const Arguments& arguments) {
  const std::string asked = arguments.get_or("backend", "auto");
  const probe::BackEndWish wish = wish_of(arguments);
  if (asked != "cpu") {
    if (auto found = probe::open_back_end("cuda", wish)) return found;
  }
  if (asked == "cuda") throw InputError(InputError::Kind::missing, probe::gpu_obstacle(), "--backend cpu");
  return probe::open_back_end("cpu", wish);
}

}  // namespace

probe::DeviceRun measure_machine(Session& session) {
  const std::unique_ptr<probe::BackEnd> back_end = back_end_for(session.arguments());
  const InterruptNoted noted;
  probe::RunOptions options = back_end->options();
  options.interrupted = [] { return interrupted.load(); };
  if (!session.arguments().has("quiet")) {
    options.progress = [](const probe::Progress& p) {
      if (p.done % kProgressEvery == 0)
        write_stderr(fmt::format("{} of {}: {}", p.done + 1, p.total, p.name));
    };
  }
  return probe::calibrate_device(*back_end, options, session.catalog());
}

std::vector<std::pair<std::string, bool>> check_machine(Session& session) {
  const std::unique_ptr<probe::BackEnd> back_end = back_end_for(session.arguments());
  std::vector<std::pair<std::string, bool>> out;
  for (const probe::Probe& probe : back_end->checks()) out.emplace_back(shown(probe), runs_right(probe));
  return out;
}

}  // namespace roofplan::cli
