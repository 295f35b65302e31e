#include "cli/version.hpp"
#include "tests/cli/process.hpp"
#include "tests/places.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

// A transcript is a list of commands with what they print and return:
//   # a remark
//   $ roofplan fit ...
//   | a line on standard output
//   ! a line on standard error
//   = 1                             the exit code, where it is not 0
// {version}, {git}, {dirty} and {data} stand for what changes with every build. A carriage return is shown as
// a return sign. ROOFPLAN_UPDATE_TRANSCRIPTS=1 rewrites the files from what the program does now.

namespace {

namespace fs = std::filesystem;
using namespace roofplan;

struct Step {
  std::string remarks, command, expected;
};

std::vector<Step> read_steps(const fs::path& file) {
  std::vector<Step> steps(1);
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("$ ")) {
      if (!steps.back().command.empty()) steps.emplace_back();
      steps.back().command = line.substr(2);
    } else if (line.empty() || line.starts_with("#")) {
      if (!steps.back().command.empty()) steps.emplace_back();
      steps.back().remarks += line + "\n";
    } else {
      steps.back().expected += line + "\n";
    }
  }
  if (steps.back().command.empty() && steps.back().remarks.empty()) steps.pop_back();
  return steps;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::string neutral(std::string text) {
  const model::report::Tool& tool = cli::this_program();
  replace_all(text, "\r", "␍");
  replace_all(text, "roofplan " + tool.version, "roofplan {version}");
  replace_all(text, "\"version\": \"" + tool.version, "\"version\": \"{version}");
  replace_all(text, tool.git, "{git}");
  replace_all(text, "{git}, dirty", "{git}");
  replace_all(text, "({git}+)", "({git})");
  replace_all(text, "\"dirty\": true", "\"dirty\": {dirty}");
  replace_all(text, "\"dirty\": false", "\"dirty\": {dirty}");
  replace_all(text, tool.data, "{data}");
  return text;
}

void append_lines(std::string& out, const std::string& text, const std::string& prefix) {
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    out += line.empty() ? prefix + "\n" : prefix + " " + line + "\n";
  if (!text.empty() && text.back() != '\n') out += prefix + "(no line end)\n";
}

std::string perform(const std::string& command, const fs::path& folder) {
  const test::ProcessResult result = test::run_shell(command, folder);
  std::string out;
  append_lines(out, neutral(result.out), "|");
  append_lines(out, neutral(result.err), "!");
  if (result.exit_code != 0) out += "= " + std::to_string(result.exit_code) + "\n";
  return out;
}

}  // namespace

TEST_CASE("the program does what the transcripts say", "[cli]") {
  const bool update = std::getenv("ROOFPLAN_UPDATE_TRANSCRIPTS") != nullptr;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(roofplan::test::source_root()) / "tests/cli")) {
    if (entry.path().extension() == ".transcript") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  REQUIRE(!files.empty());
  for (const fs::path& file : files) {
    const test::TemporaryFolder folder;
    std::string now;
    for (const Step& step : read_steps(file)) {
      now += step.remarks;
      if (step.command.empty()) continue;
      const std::string happened = perform(step.command, folder.path());
      now += "$ " + step.command + "\n" + happened;
      INFO(file.filename().string() << ": " << step.command);
      if (!update) CHECK(happened == step.expected);
    }
    if (update) std::ofstream(file) << now;
  }
}
