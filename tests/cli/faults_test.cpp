#include "tests/cli/process.hpp"

#include <catch2/catch.hpp>

// Input that no planner should fall over.

namespace {

using namespace roofplan;

test::ProcessResult run(const std::string& command) {
  const test::TemporaryFolder folder;
  return test::run_shell(command, folder.path());
}

}  // namespace

TEST_CASE("a named pipe that nobody writes reads as an empty file and holds nobody up", "[cli]") {
  for (const char* verb : {"models show x.json", "fit --scenario x.json", "validate x.json"}) {
    INFO(verb);
    CHECK(run(std::string("mkfifo x.json; timeout 30 roofplan ") + verb).exit_code == 3);
  }
  const std::string scenario = R"('{"schema":"roofplan.scenario","schema_version":1}')";
  CHECK(run("printf %s " + scenario + " | roofplan scenario check /dev/stdin").exit_code == 0);
}

TEST_CASE("a number of systems that cannot hold the accelerators asked for is a contradiction", "[cli]") {
  for (const char* verb : {"site", "fit llama-3.1-70b"}) {
    const test::ProcessResult result =
        run(std::string("roofplan ") + verb + " --system dgx-b300 --count 3 --gpus 100");
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, Catch::Contains("3 x dgx-b300 hold 24"));
  }
}

TEST_CASE("a file that is named but not there is missing, whatever the verb", "[cli]") {
  for (const char* flag : {"--calibration", "--prices"})
    CHECK(run(std::string("roofplan fit gpt-oss-120b --system gb10 ") + flag + " no.json").exit_code == 4);
}

TEST_CASE("an unknown format of the cache is told where it stands", "[cli]") {
  const test::ProcessResult result = run("roofplan models show deepseek-v3 --kv q4_k_m");
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Catch::Contains("--kv") && Catch::Contains("fp8"));
}

TEST_CASE("a model without experts cannot spread them", "[cli]") {
  const test::ProcessResult result = run("roofplan fit llama-3.1-70b --system dgx-b300 --tp 8 --ep 8");
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.out, Catch::Contains("no experts"));
}

TEST_CASE("one file is not written twice", "[cli]") {
  CHECK(run("roofplan models --out a.json --out a.json").exit_code == 2);
  CHECK(run("roofplan scenario --sample lab --save-scenario a.json --out a.json").exit_code == 2);
}

TEST_CASE("a number beyond its range is told both ends of it", "[cli]") {
  const test::ProcessResult result =
      run("roofplan fit gpt-oss-120b --system gb10 --context 9223372036854775807");
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, Catch::Contains("expected 2 to"));
  CHECK(run("roofplan fit gpt-oss-120b --system gb10 --tp 4294967296 --pp 4294967296").exit_code == 2);
}

TEST_CASE("a default context is said to be one", "[cli]") {
  CHECK_THAT(run("roofplan fit gpt-oss-120b --system gb10").out,
             Catch::Contains("1,280 tokens is the default"));
  CHECK_THAT(run("roofplan fit gpt-oss-120b --system gb10 --context 4096").out,
             !Catch::Contains("is the default"));
}

TEST_CASE(
    "files of this version stay readable, those of another are refused with the version (field report X6)",
    "[cli]") {
  const std::string scenario =
      R"(printf '{"schema":"roofplan.scenario","schema_version":%s,"model":{"ref":"llama-3.1-8b"}}' )";
  CHECK(run(scenario + "1 > s.json; roofplan fit --scenario s.json --system gb10").exit_code == 0);
  const test::ProcessResult later =
      run(scenario + "2 > s.json; roofplan fit --scenario s.json --system gb10");
  CHECK(later.exit_code == 3);
  CHECK_THAT(later.err, Catch::Contains("schema_version"));
}

TEST_CASE("the program needs no interpreter and no file beside it (field report X6)", "[cli]") {
  // An empty environment and root: no Python, no data folder, no home.
  const test::ProcessResult result =
      run("program=$(command -v roofplan); env -i \"$program\" fit llama-3.1-8b --system gb10");
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
}

TEST_CASE(
    "what is read but not simulated is named: no goodput and no recovery time is guessed "
    "(field reports C10, C11)",
    "[cli]") {
  const test::ProcessResult result =
      run("roofplan scenario --sample two-700b-jobs > t.json; roofplan plan t.json -o json");
  CHECK_THAT(result.out, Catch::Contains("plan.not_answered") && Catch::Contains("train, fleet") &&
                             !Catch::Contains("goodput\":"));
  CHECK(run("roofplan simulate fleet t.json").exit_code == 2);
}
