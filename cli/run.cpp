#include "cli/run.hpp"

#include "cli/exit_code.hpp"
#include "cli/help.hpp"
#include "cli/output/emit.hpp"
#include "cli/parser.hpp"
#include "cli/session.hpp"
#include "cli/verbs/all.hpp"
#include "cli/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <unistd.h>

namespace roofplan::cli {
namespace {

using model::InputError;

extern "C" void on_interrupt(int) {
  ::_exit(exit_code::kInterrupted);
}

/// The error in one line. A long list of choices is left out where the nearest ones are named.
std::string message_of(const InputError& e) {
  constexpr std::size_t kLongList = 160;
  if (e.nearest().empty() || e.expected().size() <= kLongList) return e.what();
  return InputError(e.kind(), e.message(), "", e.where(), e.nearest()).what();
}

int code_of(InputError::Kind kind) {
  switch (kind) {
    case InputError::Kind::usage:
      return exit_code::kUsage;
    case InputError::Kind::content:
      return exit_code::kBadContent;
    case InputError::Kind::missing:
      return exit_code::kMissing;
  }
  return exit_code::kInternal;
}

bool asks_for(const CommandLine& line, std::string_view flag) {
  return std::any_of(line.options.begin(), line.options.end(),
                     [&](const auto& given) { return given.first->name == flag; });
}

void save_scenario(Session& session) {
  const auto file = session.arguments().get("save-scenario");
  if (!file) return;
  write_output(*file, model::scenario_json(session.scenario()));
}

/// A file that is named must be there, whether the verb has a use for it or not.
void check_inputs(const Arguments& arguments) {
  for (const char* option : {"calibration", "prices"}) {
    for (const std::string& file : arguments.all(option)) {
      std::error_code error;
      if (!std::filesystem::exists(file, error))
        throw InputError(InputError::Kind::missing, fmt::format("there is no file {}", file), {},
                         {fmt::format("--{}", option), {}, 0});
    }
  }
}

int run_verb(const CommandLine& line) {
  Session session{Arguments(line)};
  check_inputs(session.arguments());
  check_outputs(session.arguments());
  Outcome outcome = session.arguments().verb().run(session);
  if (session.explain() && outcome.document.derivations.empty()) {
    const model::Text nothing("report.nothing_derived");
    outcome.document.warnings.push_back(nothing);
    if (outcome.printed) write_stderr("warning: " + session.texts().of(nothing));
  }
  save_scenario(session);
  if (!outcome.printed) emit(outcome.document, session.arguments(), session.texts(), outcome.interrupted);
  return outcome.exit_code;
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    write_stderr(overview_help());
    return exit_code::kUsage;
  }
  const CommandLine line = split_command_line(words);
  if (asks_for(line, "version")) return write_stdout(version_line() + "\n"), exit_code::kDone;
  if (asks_for(line, "help") && (line.verb != nullptr || line.strays.empty())) {
    return write_stdout(line.verb != nullptr ? verb_help(*line.verb) : overview_help()), exit_code::kDone;
  }
  return run_verb(line);
}

}  // namespace

int run(const std::vector<std::string>& words) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGINT, on_interrupt);
  try {
    return dispatch(words);
  } catch (const InputError& e) {
    write_stderr(fmt::format("roofplan: {}", message_of(e)));
    return code_of(e.kind());
  } catch (const std::exception& e) {
    write_stderr(
        fmt::format("roofplan: internal error: {}; please report it with the command line", e.what()));
    return exit_code::kInternal;
  }
}

}  // namespace roofplan::cli
