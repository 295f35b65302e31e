#include "tests/cli/process.hpp"

#include "cli/help.hpp"
#include "cli/output/emit.hpp"
#include "cli/parser.hpp"
#include "cli/verbs/all.hpp"
#include "model/json/json.hpp"
#include "tests/cli/example_files.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

using namespace roofplan;
using test::run_shell;
namespace fs = std::filesystem;

TEST_CASE("every example of --help runs", "[cli]") {
  const test::TemporaryFolder folder;
  test::write_example_files(folder);
  for (const cli::Verb& verb : cli::all_verbs()) {
    for (std::string example : verb.examples) {
      // Measuring takes a minute and every core; that its line is understood is seen all the same.
      if (example.starts_with("roofplan calibrate --quick")) example += " --help";
      const test::ProcessResult result = run_shell(example, folder.path());
      INFO(example << "\n" << result.err);
      CHECK(result.exit_code <= 1);  // an answer, be it no
      CHECK(!result.out.empty());
    }
  }
}

TEST_CASE("every flag and verb has help, and no two of one verb share a name", "[cli]") {
  for (const cli::Verb& verb : cli::all_verbs()) {
    INFO(verb.name);
    CHECK(!verb.summary.empty());
    CHECK(!verb.examples.empty());
    std::set<std::string> names;
    std::vector<cli::Option> options = verb.options;
    options.insert(options.end(), cli::global_options().begin(), cli::global_options().end());
    for (const cli::Option& option : options) {
      INFO(option.name);
      CHECK(!option.help.empty());
      CHECK(names.insert(option.name).second);
    }
  }
}

TEST_CASE("output is free of escapes unless colour is asked for", "[cli]") {
  const test::TemporaryFolder folder;
  const std::string command = "roofplan scenario --sample lab > lab.json; roofplan scenario check lab.json";
  CHECK(run_shell(command, folder.path()).out.find('\x1b') == std::string::npos);
  CHECK(run_shell(command + " --color always", folder.path()).out.find('\x1b') != std::string::npos);
  CHECK(run_shell("export CLICOLOR_FORCE=1;" + command, folder.path()).out.find('\x1b') != std::string::npos);
  CHECK(run_shell("export CLICOLOR_FORCE=1 NO_COLOR=1;" + command, folder.path()).out.find('\x1b') ==
        std::string::npos);
  CHECK(run_shell("export CLICOLOR_FORCE=0;" + command, folder.path()).out.find('\x1b') == std::string::npos);
}

TEST_CASE("a reader that closes the pipe early is no fault", "[cli]") {
  const test::TemporaryFolder folder;
  const test::ProcessResult result =
      run_shell("(roofplan completion zsh; echo $? >code) | head -1; sleep 0; cat code", folder.path());
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::StartsWith("#compdef roofplan") && Catch::EndsWith("0\n"));
}

TEST_CASE("a full disk is told", "[cli]") {
  if (!fs::exists("/dev/full")) return;
  const test::TemporaryFolder folder;
  const test::ProcessResult result = run_shell("roofplan help >/dev/full", folder.path());
  CHECK(result.exit_code == 4);
  CHECK_THAT(result.err, Catch::Contains("cannot be written"));
}

TEST_CASE("several files are written, each in the format of its suffix, and none half", "[cli]") {
  const test::TemporaryFolder folder;
  const std::string outs = " --out a.json --out b.csv --out c.html --out d.md --out e.jsonl --out f.txt";
  const test::ProcessResult result = run_shell("roofplan scenario --sample lab" + outs, folder.path());
  CHECK(result.exit_code == 0);
  CHECK(result.out.empty());
  CHECK(model::parse_json(test::read_file(folder.path("a.json")), "a")["schema"] == "roofplan.scenario");
  CHECK_THAT(test::read_file(folder.path("b.csv")), Catch::Contains("model.ref"));
  CHECK_THAT(test::read_file(folder.path("c.html")), Catch::StartsWith("<!doctype html>"));
  CHECK_THAT(test::read_file(folder.path("d.md")), Catch::StartsWith("# roofplan scenario"));
  CHECK(run_shell("roofplan scenario --sample lab --out no/such/folder/a.json", folder.path()).exit_code ==
        4);
  CHECK(run_shell("roofplan scenario --sample lab --out a.xyz", folder.path()).exit_code == 2);
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder.path())) left.push_back(entry.path().filename());
  CHECK(std::none_of(left.begin(), left.end(), [](const auto& n) { return n.find(".tmp") != n.npos; }));
}

TEST_CASE("what was interrupted stands beside the file named, which stays whole", "[cli]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("this.json");
  model::write_text_file(file, "whole");
  const cli::Arguments arguments(cli::split_command_line({"calibrate", "--out", file}));
  model::report::Document document;
  document.verb = "calibration";
  const auto& texts = model::report::TextTable::of_language("en");
  cli::emit(document, arguments, texts, true);
  CHECK(test::read_file(file) == "whole");
  CHECK_THAT(test::read_file(folder.path("this.partial.json")), Catch::Contains("roofplan.calibration"));
  cli::emit(document, arguments, texts, false);
  CHECK_THAT(test::read_file(file), Catch::Contains("roofplan.calibration"));
}

TEST_CASE("a file that cannot be written is told before anything is measured", "[cli]") {
  const test::TemporaryFolder folder;
  const test::ProcessResult result =
      run_shell("roofplan calibrate --backend cpu --out no/such/folder/this.json", folder.path());
  CHECK(result.exit_code == 4);
  CHECK_THAT(result.err, Catch::Contains("cannot be written"));
  CHECK_THAT(result.err, !Catch::Contains(" of "));  // no probe was told of
}

TEST_CASE("several calibration files may be named", "[cli]") {
  const test::TemporaryFolder folder;
  const auto with_rate = [&](const char* name, const char* rate) {
    model::write_text_file(
        folder.path(name),
        fmt::format(
            R"({{"schema":"roofplan.calibration","schema_version":1,"result":{{"device":{{"system":"this",)"
            R"("name":"Test","kind":"cpu","fingerprint":"0","units":2,"memory_bytes":17179869184}},)"
            R"("fit":{{"machine/product/fp32":{{"values":{{"launch":[1,"us",0.1],"rate":[{},"GB/s",0.02],)"
            R"("compute_rate":[1,"TFLOP/s",0.02]}}}}}}}}}})",
            rate));
  };
  with_rate("slow.json", "25");
  with_rate("fast.json", "50");
  const auto speed = [&](const std::string& files) {
    const std::string command = "roofplan speed qwen3-0.6b --system this --weights fp32 -o json " + files;
    return model::parse_json(run_shell(command, folder.path()).out, "speed")["result"]["decode"]["step_s"]
        .get<double>();
  };
  const double slow = speed("--calibration slow.json"), fast = speed("--calibration fast.json");
  CHECK(fast < 0.7 * slow);
  CHECK(speed("--calibration slow.json --calibration fast.json") == fast);
  CHECK(speed("--calibration fast.json --calibration slow.json") == slow);
}

TEST_CASE("completion scripts are what their shells can read", "[cli]") {
  const test::TemporaryFolder folder;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    INFO(shell);
    if (run_shell(std::string("command -v ") + shell, folder.path()).exit_code != 0) continue;
    const test::ProcessResult result = run_shell(
        std::string("roofplan completion ") + shell + " > script && " + shell + " -n script", folder.path());
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
  }
}

TEST_CASE("bash completes verbs, flags and values", "[cli]") {
  const test::TemporaryFolder folder;
  if (run_shell("command -v bash", folder.path()).exit_code != 0) return;
  const auto complete = [&](const std::string& words, int at) {
    return run_shell("bash -c 'source <(roofplan completion bash); COMP_WORDS=(" + words +
                         "); COMP_CWORD=" + std::to_string(at) + "; _roofplan; echo ${COMPREPLY[@]}'",
                     folder.path())
        .out;
  };
  CHECK_THAT(complete("roofplan scen", 1), Catch::Contains("scenario"));
  CHECK_THAT(complete("roofplan scenario --samp", 2), Catch::Contains("--sample"));
  CHECK_THAT(complete("roofplan scenario --sample la", 3), Catch::Contains("lab"));
  CHECK_THAT(complete("roofplan -o js", 2), Catch::Contains("jsonl"));
  CHECK_THAT(complete("roofplan scenario -o js", 3), Catch::Contains("jsonl"));
}

TEST_CASE("decimals are dots in a comma locale", "[cli]") {
  const test::TemporaryFolder folder;
  const test::ProcessResult result = run_shell(
      "export LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8; roofplan scenario --sample lab -o csv", folder.path());
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Catch::Contains("0.5"));
}

TEST_CASE("table, JSON and CSV of the systems say the same", "[cli]") {
  const test::TemporaryFolder folder;
  const model::Json json = model::parse_json(run_shell("roofplan systems -o json", folder.path()).out,
                                             "json")["result"]["systems"];
  const std::string csv = run_shell("roofplan systems -o csv", folder.path()).out;
  const std::string table = run_shell("roofplan systems", folder.path()).out;
  REQUIRE(json.size() > 10);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == static_cast<long>(json.size()) + 1);
  for (const model::Json& system : json) {
    const std::string id = system["id"].get<std::string>();
    INFO(id);
    CHECK_THAT(csv, Catch::Contains("\n" + id + ","));
    CHECK_THAT(table, Catch::Contains("\n" + id + " "));
    CHECK_THAT(csv, Catch::Contains("," + std::to_string(system["memory_bytes"].get<std::int64_t>()) + ","));
    const double gib = system["memory_bytes"].get<double>() / 0x1p30;
    CHECK_THAT(table, Catch::Contains(fmt::format(" {:.1f} ", gib)));
  }
}

TEST_CASE("an interrupt before any result returns 130", "[cli]") {
  const test::TemporaryFolder folder;
  // Opening the pipe for writing waits until the program has opened it for reading, so its handler is there.
  const test::ProcessResult result =
      run_shell("mkfifo p; roofplan scenario check p & pid=$!; exec 3>p; kill -INT $pid; wait $pid; echo $?",
                folder.path());
  CHECK(result.out == "130\n");
}

TEST_CASE("Korean answers hold no key without a text", "[cli]") {
  const test::TemporaryFolder folder;
  const std::regex key(R"((^|[ (])(report|fit|models|systems|site|plan|scenario|text)\.[a-z_]+( |=|$))");
  for (const char* command :
       {"systems", "systems show gb10", "models show deepseek-v3", "models show qwen3-next-80b-a3b",
        "fit llama-3.1-405b --system gb10", "fit gpt-oss-120b --system dgx-b300 --explain",
        "site --system gb10 --count 3", "site --system gb300-nvl72 --count 1"}) {
    const std::string out =
        run_shell(std::string("roofplan ") + command + " --lang ko -o wide", folder.path()).out;
    INFO(command << "\n" << out);
    CHECK(!out.empty());
    CHECK(!std::regex_search(out, key));
  }
}

TEST_CASE("the manual page is one that man can set", "[cli]") {
  const test::TemporaryFolder folder;
  if (run_shell("command -v groff", folder.path()).exit_code != 0) return;
  const test::ProcessResult result =
      run_shell("roofplan completion man > r.1 && groff -man -ww -Tutf8 r.1 | head -5", folder.path());
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Catch::Contains("ROOFPLAN(1)"));
}

TEST_CASE("a folder of data replaces what is built in, and the answer says so", "[cli]") {
  const test::TemporaryFolder folder;
  const std::string texts = "mkdir -p d/systems && ";
  const std::string command = "roofplan systems show gb10 --data d -v -o json | grep '\"data\"'";
  const test::ProcessResult result = run_shell(texts + command, folder.path());
  CHECK_THAT(result.out, Catch::Contains("+overlay"));
  CHECK_THAT(result.err, Catch::Contains("data: d over the built-in"));
  CHECK_THAT(run_shell("ROOFPLAN_DATA=d roofplan systems show gb10 -o json", folder.path()).out,
             Catch::Contains("+overlay"));
}
