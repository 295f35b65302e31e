#include "model/json/json.hpp"
#include "tests/cli/process.hpp"

#include <catch2/catch.hpp>

#include <sstream>
#include <string>
#include <vector>

// What scripts rely on: keys of the envelope and of each verb's result. Keys may be added here, never taken
// out.

namespace {

using namespace roofplan;

model::Json answer_of(const std::string& command, int exit_code = 0) {
  const test::TemporaryFolder folder;
  const test::ProcessResult result = test::run_shell(command + " -o json", folder.path());
  INFO(command);
  CHECK(result.exit_code == exit_code);
  model::Json answer = model::parse_json(result.out, command);
  for (const char* key : {"schema", "schema_version", "tool", "inputs", "result", "warnings", "sources"}) {
    INFO(key);
    CHECK(answer.contains(key));
  }
  for (const char* key : {"version", "git", "dirty", "data"}) CHECK(answer["tool"].contains(key));
  return answer;
}

/// Every key, separated by blanks, is there; one that is null has its reason beside it.
void check_keys(const model::Json& object, const std::string& keys) {
  std::istringstream words(keys);
  for (std::string key; words >> key;) {
    INFO(key);
    REQUIRE(object.contains(key));
    if (object[key].is_null()) CHECK(object.contains(key + "_reason"));
  }
}

const char* const kModelKeys =
    "total_params active_params checkpoint_params mtp_params vision_params layers kv_bytes_per_token "
    "kv_window_bytes_per_token kv_window_cap_bytes kv_bytes_per_token_engine state_bytes_per_sequence "
    "weights_bytes max_context";

const char* const kFitKeys =
    "fits deficit_bytes devices parallel per_device weights_bytes kv_bytes kv_need_bytes kv_engine_bytes "
    "max_context max_concurrency max_params_at_format";

}  // namespace

TEST_CASE("systems keep the keys that scripts rely on", "[cli]") {
  const std::string keys =
      "id accelerators memory_bytes memory_marketed_bytes bandwidth_bytes_s power_typical_w power_design_w "
      "power_peak_w";
  const model::Json all = answer_of("roofplan systems");
  CHECK(all["result"]["systems"].size() >= 14);  // those that the contract names
  for (const model::Json& system : all["result"]["systems"]) check_keys(system, keys);
  check_keys(answer_of("roofplan systems show dgx-b300")["result"], keys);
}

TEST_CASE("models keep the keys that scripts rely on", "[cli]") {
  const model::Json all = answer_of("roofplan models");
  CHECK(all["result"]["models"].size() > 100);
  for (const model::Json& model : all["result"]["models"]) check_keys(model, kModelKeys);
  for (const char* name : {"deepseek-v3", "gpt-oss-120b", "qwen3-next-80b-a3b", "mamba2-2.7b", "dense:70B"}) {
    const model::Json result = answer_of(std::string("roofplan models show ") + name)["result"];
    check_keys(result, kModelKeys);
    CHECK(result["layer_groups"].size() > 0);
  }
}

TEST_CASE("a fit keeps the keys that scripts rely on, whatever the answer", "[cli]") {
  const model::Json yes = answer_of("roofplan fit gpt-oss-120b --system gb10")["result"];
  check_keys(yes, kFitKeys);
  check_keys(yes["parallel"], "tp pp ep dp");
  const std::string parts =
      "visible_bytes reserved_bytes weights_bytes kv_bytes state_bytes activation_bytes workspace_bytes "
      "free_bytes";
  check_keys(yes["per_device"], parts);
  const model::Json no = answer_of("roofplan fit llama-3.1-405b --system gb10", 1)["result"];
  check_keys(no, kFitKeys);
  check_keys(no["per_device"], parts);
  CHECK(no["fits"] == false);
  const model::Json illegal = answer_of("roofplan fit llama-3.1-70b --system dgx-b300 --tp 3", 1)["result"];
  check_keys(illegal, kFitKeys);
  CHECK(illegal["fits"] == false);
}

TEST_CASE("a site keeps the keys that scripts rely on", "[cli]") {
  const model::Json result = answer_of("roofplan site --system dgx-b300 --gpus 100")["result"];
  check_keys(result,
             "count gpus gpus_over it_w it_design_w it_peak_w facility_w heat_w heat_btu_h liquid_w air_w "
             "coolant_l_min airflow_cfm racks power_shelves energy_kwh_year circuits");
  check_keys(result["it_w"], "compute network storage management");
  CHECK(result["count"] == 13);
  CHECK(result["gpus_over"] == 4);
}

TEST_CASE("an acceptance keeps the keys that scripts rely on, whatever the verdict", "[cli]") {
  const std::string make =
      "printf '#  Rank  0 Group  0 Pid   1 on a device  0 [01] NVIDIA GB10\\n#  Rank  1 Group  0 Pid   1 on "
      "b device  0 "
      "[01] NVIDIA GB10\\n# Collective test starting: all_gather_perf\\n4294967296 536870912 float none -1 "
      "%s 0 %s 0\\n' ";
  for (const auto& [row, code] : {std::pair{"96986 44.28 22.14", 0}, std::pair{"159072 27.00 13.50", 1}}) {
    const model::Json result =
        answer_of(make + "'" + row + "' '" + row + "' > x.log; roofplan accept x.log --system gb10 --count 2",
                  code)["result"];
    check_keys(result, "verdict checks outliers scaling");
    for (const model::Json& check : result["checks"])
      check_keys(check, "name measured expected tolerance pass");
    CHECK(result["checks"][0].contains("node"));
    CHECK(result["verdict"] == (code == 0 ? "pass" : "fail"));
  }
  const model::Json scaling = answer_of(
      "printf 'nodes,tok_s,expected\\n1,80,100\\n2,160,200\\n' > s.csv; roofplan accept --system dgx-h200 "
      "--scaling s.csv",
      1);
  check_keys(scaling["result"]["scaling"][0], "nodes expected measured verdict");
  CHECK(scaling["result"]["scaling"][0]["verdict"] == "slow-node");
}
