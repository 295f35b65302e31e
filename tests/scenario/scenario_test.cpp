#include "model/catalog/scenario.hpp"

#include "model/json/json.hpp"
#include "tests/places.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace roofplan::model;

namespace {
std::string scenario_with(const std::string& rest) {
  return R"({"schema":"roofplan.scenario","schema_version":1)" + rest + "}";
}
}  // namespace

TEST_CASE("every sample is a good scenario and survives a round trip", "[scenario]") {
  CHECK(sample_names() == std::vector<std::string>{"405b-two-boxes", "b300-100", "company-405b", "desk",
                                                   "estate-4000", "lab-of-eight", "lab", "nvl72",
                                                   "two-700b-jobs"});
  for (const std::string& name : sample_names()) {
    INFO(name);
    const Scenario s = parse_scenario(sample_scenario(name), name);
    CHECK(parse_scenario(scenario_json(s), name) == s);
    CHECK(parse_scenario(scenario_json(s, true), name) == s);
    CHECK(scenario_problems(sample_scenario(name), name).empty());
  }
}

TEST_CASE("keys not needed are left out, and a complete file holds every key", "[scenario]") {
  Scenario s;
  s.model.ref = "qwen3-8b";
  s.system.ref = "gb10";
  const std::string lean = scenario_json(s);
  CHECK(lean.find("engine") == std::string::npos);
  CHECK(lean.find("\"count\"") == std::string::npos);
  const std::string complete = scenario_json(s, true);
  for (const char* key :
       {"tp", "coolant_supply_c", "spec_decode", "discount", "min_tok_s_per_user", "data_stays"}) {
    CHECK(complete.find(key) != std::string::npos);
  }
}

TEST_CASE("an unknown key is refused with the nearest one", "[scenario]") {
  CHECK_THROWS_WITH(
      parse_scenario(scenario_with(R"(,"system":{"ref":"gb10","cout":2})"), "a.json"),
      Catch::Contains("a.json") && Catch::Contains("/system") && Catch::Contains("did you mean count"));
}

TEST_CASE("a value out of range is refused with the range", "[scenario]") {
  CHECK_THROWS_WITH(parse_scenario(scenario_with(R"(,"load":{"users":0})"), "a.json"),
                    Catch::Contains("/load/users") && Catch::Contains("out of range"));
  CHECK_THROWS_AS(parse_scenario(scenario_with(R"(,"site":{"pue":0.5})"), "a.json"), InputError);
  CHECK_THROWS_AS(parse_scenario(scenario_with(R"(,"limits":{"power_w":-3})"), "a.json"), InputError);
  CHECK_THROWS_AS(parse_scenario(scenario_with(R"(,"system":{"link_state":"fast"})"), "a.json"), InputError);
  CHECK_THROWS_AS(parse_scenario(R"({"schema":"roofplan.fit","schema_version":1})", "a.json"), InputError);
  CHECK_THROWS_AS(parse_scenario(R"({"schema":"roofplan.scenario","schema_version":2})", "a.json"),
                  InputError);
}

TEST_CASE("a number is in the unit of its key, and a text carries its own", "[scenario]") {
  const Scenario s =
      parse_scenario(scenario_with(R"(,"limits":{"power_w":"40 kW"},"targets":{"max_ttft_s":0.5})"), "a");
  CHECK(*s.limits.power / unit::W == Approx(40'000));
  CHECK(*s.targets.max_ttft / unit::ms == Approx(500));
  CHECK_THROWS_WITH(parse_scenario(scenario_with(R"(,"limits":{"power_w":"40 GB"})"), "a"),
                    Catch::Contains("/limits/power_w"));
}

TEST_CASE("a check lists every problem, not only the first", "[scenario]") {
  const auto problems = scenario_problems(
      scenario_with(R"(,"load":{"users":0,"rsp":1},"site":{"pue":"low"},"parallel":{"tp":"max"})"), "a");
  REQUIRE(problems.size() == 4);
  CHECK(problems[0].where().pointer == "/parallel/tp");
  CHECK(problems[1].where().pointer == "/load/users");
}

TEST_CASE("a field is set by its path, in JSON, as a word or as a quantity", "[scenario]") {
  Scenario s;
  set_field(s, "system.count", "2");
  set_field(s, "system.ref", "gb10");
  set_field(s, "parallel.tp", "2");
  set_field(s, "parallel.pp", "auto");
  set_field(s, "limits.power_w", "40 kW");
  set_field(s, "limits.systems", R"(["gb10","dgx-b300"])");
  set_field(s, "model.ref", "dense:70B");
  CHECK(s.system.count == 2);
  CHECK(s.parallel.tp == 2);
  CHECK_FALSE(s.parallel.pp.has_value());
  CHECK(*s.limits.power / unit::kW == Approx(40));
  CHECK(s.limits.systems.size() == 2);
  CHECK(s.model.ref == "dense:70B");
}

TEST_CASE("a list element is set by its number", "[scenario]") {
  Scenario s = parse_scenario(sample_scenario("two-700b-jobs"), "sample");
  set_field(s, "fleet.jobs.1.gpus", "1000");
  CHECK(s.fleet->jobs[1].gpus == 1000);
}

TEST_CASE("a wrong path or value on the command line is a usage error that names the path", "[scenario]") {
  Scenario s;
  const auto kind_of = [&](const char* path, const char* value) {
    try {
      set_field(s, path, value);
    } catch (const InputError& e) {
      CHECK(std::string(e.what()).find(path) != std::string::npos);
      return e.kind();
    }
    return InputError::Kind::content;
  };
  CHECK(kind_of("system.cuont", "2") == InputError::Kind::usage);
  CHECK(kind_of("load.users", "0") == InputError::Kind::usage);
  CHECK(kind_of("name.x", "0") == InputError::Kind::usage);
  CHECK(kind_of("fleet.jobs.x", "0") == InputError::Kind::usage);
  CHECK(s == Scenario{});
}

TEST_CASE("open requests follow concurrency, then users, then one", "[scenario]") {
  Load load;
  CHECK(load.open_requests() == 1);
  load.users = 10;
  load.active_share = 0.25;
  CHECK(load.open_requests() == 3);
  load.concurrency = 64;
  CHECK(load.open_requests() == 64);
}

TEST_CASE("a list grows by one entry at a time", "[scenario]") {
  Scenario scenario;
  CHECK_THROWS_WITH(set_field(scenario, "fleet.jobs.99999999.gpus", "8"), Catch::Contains("99999999"));
  set_field(scenario, "fleet.jobs.0.gpus", "8");
  set_field(scenario, "fleet.jobs.1.gpus", "16");
  set_field(scenario, "fleet.jobs.0.name", "a");
  REQUIRE(scenario.fleet);
  REQUIRE(scenario.fleet->jobs.size() == 2);
  CHECK(scenario.fleet->jobs[0].gpus == 8);
  CHECK(scenario.fleet->jobs[1].gpus == 16);
  CHECK_THROWS_AS(set_field(scenario, "fleet.jobs.x.gpus", "8"), InputError);
}

TEST_CASE("the committed JSON Schema is the one that the reader follows", "[scenario]") {
  const std::string path = roofplan::test::source_root() + "/data/schema/scenario.json";
  if (std::getenv("ROOFPLAN_UPDATE_GOLDEN") != nullptr) write_text_file(path, scenario_schema());
  const bool same = read_text_file(path) == scenario_schema();
  CHECK(same);
}

TEST_CASE("setting a field leaves all others, and a refused value the field, as they were", "[scenario]") {
  const Scenario whole = parse_scenario(sample_scenario("two-700b-jobs"), "sample");
  Scenario s = whole;
  CHECK_THROWS_AS(set_field(s, "load.prompt_tokens", "0"), InputError);
  CHECK_THROWS_AS(set_field(s, "disagg.prefill.workers", "0"), InputError);
  CHECK(s == whole);
  set_field(s, "disagg.prefill.workers", "3");
  REQUIRE(s.disagg);
  CHECK(s.disagg->prefill.workers == 3);
  CHECK(s.disagg->decode == Disaggregation().decode);
  s.disagg.reset();
  CHECK(s == whole);
  set_field(s, "load.prompt_tokens", "77");
  CHECK(s.load.prompt_tokens == 77);
  set_field(s, "load.prompt_tokens", "null");  // back to the default
  CHECK(s.load.prompt_tokens == Load().prompt_tokens);
}

TEST_CASE("an empty text is no version, tariff or offer", "[scenario]") {
  CHECK_THROWS_WITH(parse_scenario(scenario_with(R"(,"engine":{"ref":"vllm","version":""})"), "s.json"),
                    Catch::Contains("/engine/version") && Catch::Contains("empty"));
  CHECK_THROWS_AS(parse_scenario(scenario_with(R"(,"money":{"tariff":""})"), "s.json"), InputError);
  CHECK_FALSE(parse_scenario(scenario_with(R"(,"engine":{"version":null})"), "s.json").engine.version);
}
