#include "cli/verbs/measure_machine.hpp"

#include "cli/output/emit.hpp"
#include "model/probe/calibrate_device.hpp"
#include "model/probe/gpu/gpu.hpp"
#include "model/probe/team/team_run.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <unistd.h>

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

/// As the command line asks: told on standard error, and ended by an interrupt.
void take_wishes(probe::RunOptions& options, const Arguments& arguments) {
  options.interrupted = [] { return interrupted.load(); };
  if (arguments.has("quiet")) return;
  options.progress = [](const probe::Progress& p) {
    if (p.done % kProgressEvery == 0) write_stderr(fmt::format("{} of {}: {}", p.done + 1, p.total, p.name));
  };
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

std::optional<probe::Launch> launch_here() {
  return probe::launched([](const char* name) { return static_cast<const char*>(std::getenv(name)); });
}

probe::DeviceRun measure_together(Session& session, const probe::Launch& launch) {
  const Arguments& arguments = session.arguments();
  const std::string asked = arguments.get_or("backend", "auto");
  const std::unique_ptr<probe::Team> team = probe::open_team(launch);
  // What one process lacks, all leave out.
  const bool gpus = asked != "cpu" && team->highest(probe::gpu_obstacle().empty() ? 0 : 1) == 0;
  if (asked == "cuda" && !gpus)
    throw InputError(InputError::Kind::missing,
                     probe::gpu_obstacle().empty() ? "another process has no GPU" : probe::gpu_obstacle(),
                     "--backend cpu");
  const std::unique_ptr<probe::Exchange> exchange =
      gpus ? probe::gpu_exchange(*team, launch.local_rank) : probe::host_exchange(*team);
  const auto device = probe::device_here(gpus ? "cuda" : "cpu");
  const InterruptNoted noted;
  probe::RunOptions options;
  options.rule.time_limit = (arguments.has("quick") ? 0.5 : 2.0) * model::unit::s;
  if (!gpus) options.rule.quantile = 0.1;  // other programs disturb processors
  options.seed = wish_of(arguments).seed;
  take_wishes(options, arguments);
  return probe::calibrate_team(*team, *exchange, {host_name(), device.value_or(probe::DeviceIdentity{})},
                               options, arguments.has("quick"));
}

probe::DeviceRun measure_machine(Session& session) {
  const std::unique_ptr<probe::BackEnd> back_end = back_end_for(session.arguments());
  const InterruptNoted noted;
  probe::RunOptions options = back_end->options();
  take_wishes(options, session.arguments());
  return probe::calibrate_device(*back_end, options, session.catalog());
}

std::vector<std::pair<std::string, bool>> check_machine(Session& session) {
  const std::unique_ptr<probe::BackEnd> back_end = back_end_for(session.arguments());
  std::vector<std::pair<std::string, bool>> out;
  for (const probe::Probe& probe : back_end->checks()) out.emplace_back(shown(probe), runs_right(probe));
  return out;
}

}  // namespace roofplan::cli
