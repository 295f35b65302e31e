#include "model/catalog/scenario_names.hpp"

#include "tests/llm_files/file_writers.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace roofplan;
using namespace roofplan::model;

namespace {

const Catalog& catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}

std::vector<std::string> paths_of(const Scenario& scenario) {
  std::vector<std::string> out;
  for (const UnknownName& name : unknown_names(scenario, catalog())) out.push_back(name.path);
  return out;
}

}  // namespace

TEST_CASE("every name of every sample is known", "[scenario]") {
  for (const std::string& name : sample_names()) {
    INFO(name);
    CHECK(paths_of(parse_scenario(sample_scenario(name), name)).empty());
  }
}

TEST_CASE("each unknown name is told with the path of its field, in the order of the fields", "[scenario]") {
  Scenario s;
  s.model.weights = "fp9";
  s.model.kv = "bf17";
  s.system.ref = "dgx-h10";
  s.engine.ref = "vlm";
  s.limits.systems = {"gb10", "gb11"};
  s.limits.formats = {"native", "int5"};
  s.site.circuit = "kr-220v-15a";
  s.money.tariff = "kr-general";
  s.money.cloud = "aws-p5-on-demnd";
  CHECK(paths_of(s) == std::vector<std::string>{"model.weights", "model.kv", "system.ref", "engine",
                                                "limits.systems.1", "limits.formats.1", "site.circuit",
                                                "money.tariff", "money.cloud"});
  // Quotations may hold the offer, and a calibration makes the system `this`.
  Scenario open;
  open.money.cloud = "ours";
  open.money.prices = "quotes.csv";
  open.system.ref = "this";
  CHECK(paths_of(open).empty());
}

TEST_CASE("an engine that does not run on the system is a fault once a model is to be served", "[scenario]") {
  Scenario s;
  s.system.ref = "mac-studio-m3-ultra";
  CHECK(paths_of(s).empty());
  s.model.ref = "qwen3-8b";
  CHECK(paths_of(s) == std::vector<std::string>{"engine"});
  s.engine.ref = "llama.cpp";
  CHECK(paths_of(s).empty());
}

TEST_CASE("the names of a file are its content, at their JSON pointers, with the nearest choice",
          "[scenario]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("s.json");
  std::ofstream(file) << R"({"schema":"roofplan.scenario","schema_version":1,"model":{"ref":"llama-3.1-7b"},)"
                         R"("system":{"ref":"dgx-h10"},"limits":{"systems":["gb11"]}})";
  const std::vector<InputError> problems = scenario_file_problems(file, catalog());
  REQUIRE(problems.size() == 3);
  const std::pair<const char*, const char*> expected[] = {
      {"/model/ref", "llama-3.1-70b"}, {"/system/ref", "dgx-h100"}, {"/limits/systems/0", "gb10"}};
  for (std::size_t i = 0; i < problems.size(); ++i) {
    CHECK(problems[i].kind() == InputError::Kind::content);
    CHECK(problems[i].where().pointer == expected[i].first);
    REQUIRE_FALSE(problems[i].nearest().empty());
    CHECK(problems[i].nearest().front() == expected[i].second);
  }
}
