#include "cli/verbs/all.hpp"
#include "model/json/json.hpp"
#include "tests/cli/example_files.hpp"
#include "tests/cli/process.hpp"

#include <catch2/catch.hpp>

#include <regex>
#include <set>

// What is unknown is null and says why beside it. A null among the inputs is what was not asked for.

namespace {

using namespace roofplan;
using model::Json;

/// Paths of nulls without `<key>_reason`. A `reason` that is null explains nothing because nothing is
/// missing; it also stands for the other nulls of its object, as in the rows of sweeps, and `value_reason`
/// for the unit, source and kind of a value that is unknown.
void add_unexplained(const Json& value, const std::string& path, std::set<std::string>& out) {
  if (value.is_array())
    for (const Json& element : value) add_unexplained(element, path + "[]", out);
  if (!value.is_object()) return;
  const auto says = [&](const std::string& key) {
    return value.contains(key) && value[key].is_string() && !value[key].get<std::string>().empty();
  };
  for (const auto& [key, member] : value.items()) {
    if (!member.is_null()) {
      add_unexplained(member, path + "." + key, out);
    } else if (key != "reason" && !says(key + "_reason") && !says("reason") &&
               !(key != "value" && says("value_reason"))) {
      out.insert(path + "." + key);
    }
  }
}

/// Answers in JSON: what people try, and what leaves much unknown.
std::vector<std::string> questions() {
  std::vector<std::string> out{
      "roofplan size llama-3.1-8b --users 4 --output-tokens 1 --systems gb10,strix-halo,rtx-5090,gb300-nvl72",
      "roofplan size gpt-oss-120b --users 8 --growth 0.05 --systems gb10,dgx-h100",
      "roofplan size gpt-oss-120b --users 8 --budget 10 --systems gb10",
      "roofplan speed llama-3.1-8b --system rtx-5090 --output-tokens 1",
      "roofplan speed llama-3.1-405b --system gb10",
      "roofplan cost --system rtx-5090",
      "roofplan cost llama-3.1-405b --system gb10 --data-stays",
      "roofplan site --system dgx-b300 --count 3 --rack-power 1000",
      "roofplan site --system dgx-b300 --count 3 --rack-power \"40 kW\" --power-cap 0.7",
      "roofplan models show qwen3-next-80b-a3b",
      "roofplan models show jamba-1.5-mini",
      "roofplan scale llama-3.1-405b --system gb10 --weights bf16 --users 2",
      "roofplan plan b300-100.json",
      "roofplan plan two-700b-jobs.json",
      "roofplan accept node.csv --system dgx-h200",
      "roofplan accept --system dgx-h200 --scaling scaling.csv",
      "roofplan compare before.json other.json"};
  for (const cli::Verb& verb : cli::all_verbs())
    for (const std::string& example : verb.examples) out.push_back(example);
  return out;
}

/// Texts and files in other formats hold no nulls of ours: scripts, the schema of scenarios, long runs.
bool answers_in_json(const std::string& question) {
  for (const char* other : {"completion", "help", "--schema", "scenario --", "calibrate"})
    if (question.find(other) != std::string::npos) return false;
  return true;
}

}  // namespace

TEST_CASE("every null of every verb's answers stands beside its reason", "[cli]") {
  const test::TemporaryFolder folder;
  test::write_example_files(folder);
  test::run_shell(
      "roofplan fit llama-3.1-405b --system gb10 -o json > other.json; "
      "printf 'nodes,tok_s\\n1,100\\n2,198\\n' > scaling.csv; "
      "printf 'index, name, power.draw [W]\\n0, NVIDIA H200, 90.00 W\\n' > node.csv",
      folder.path());
  int answers = 0;
  const std::regex other_output(" (-o|--out) [^ ]+");
  for (const std::string& question : questions()) {
    if (!answers_in_json(question)) continue;
    INFO(question);
    const bool rows = question.starts_with("roofplan sweep") || question.starts_with("roofplan merge");
    const std::string plain = std::regex_replace(question, other_output, "");
    const std::string out = test::run_shell(plain + (rows ? "" : " -o json"), folder.path()).out;
    std::set<std::string> unexplained;
    if (rows) {
      for (std::size_t at = 0, end; (end = out.find('\n', at)) != std::string::npos; at = end + 1)
        add_unexplained(model::parse_json(out.substr(at, end - at), "row"), "", unexplained);
    } else {
      add_unexplained(model::parse_json(out, "answer").at("result"), "", unexplained);
    }
    ++answers;
    CHECK(unexplained == std::set<std::string>());
  }
  CHECK(answers > 50);
}
