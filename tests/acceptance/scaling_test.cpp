#include "model/acceptance/scaling.hpp"

#include "model/acceptance/scaling_file.hpp"
#include "model/units/error.hpp"
#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using namespace roofplan::test;
using model::Collective;
using model::ScalingMeasurement;
using State = model::ScalingVerdict::State;

namespace {

constexpr double kGiB8 = 8589934592.0;

/// States for shares of what is expected on 1, 2, 4, 8 ... nodes, with a tolerance of a tenth.
std::vector<State> states(const std::vector<double>& shares) {
  std::vector<ScalingMeasurement> measurements;
  std::int64_t nodes = 1;
  for (const double share : shares) {
    const double expected = 1000.0 * static_cast<double>(nodes);
    measurements.push_back({nodes, share * expected, expected, 0.1});
    nodes *= 2;
  }
  std::vector<State> out;
  for (const model::ScalingVerdict& v : model::judge_scaling(measurements, "tok_s", ""))
    out.push_back(v.state);
  return out;
}

using States = std::vector<State>;
constexpr State kOk = State::ok, kNode = State::slow_node, kFabric = State::slow_fabric;

std::string csv_of(const std::string& header, const std::vector<std::pair<int, double>>& rows) {
  std::string out = header + "\n";
  for (const auto& [nodes, value] : rows) out += std::to_string(nodes) + "," + std::to_string(value) + "\n";
  return out;
}

}  // namespace

TEST_CASE(
    "A6 A8: a shortfall at one node that stays is a node, one that starts at two and grows is the fabric",
    "[acceptance]") {
  CHECK(states({1, 0.98, 0.97, 0.95}) == States{kOk, kOk, kOk, kOk});
  CHECK(states({0.8, 0.8, 0.79, 0.8}) == States{kNode, kNode, kNode, kNode});
  CHECK(states({1, 0.85, 0.7, 0.5}) == States{kOk, kFabric, kFabric, kFabric});
  CHECK(states({1, 0.6, 0.6, 0.6}) == States{kOk, kFabric, kFabric, kFabric});
  // A node that came in at four, and a fabric that gives way at four.
  CHECK(states({1, 1, 0.8, 0.8}) == States{kOk, kOk, kNode, kNode});
  CHECK(states({1, 1, 0.8, 0.6}) == States{kOk, kOk, kFabric, kFabric});
  // Growth is what is more than half of the tolerance: 0.8 x 0.95 = 0.76.
  CHECK(states({0.8, 0.8, 0.762}) == States{kNode, kNode, kNode});
  CHECK(states({0.8, 0.8, 0.758}) == States{kNode, kNode, kFabric});
  // A slow node in a slow fabric.
  CHECK(states({0.8, 0.8, 0.7, 0.5}) == States{kNode, kNode, kFabric, kFabric});
}

TEST_CASE("Without an expectation the pattern alone is judged", "[acceptance]") {
  std::vector<ScalingMeasurement> rows{
      {1, 100, {}, 0.15}, {2, 198, {}, 0.15}, {4, 200, {}, 0.15}, {8, 210, {}, 0.15}};
  const auto verdicts = model::judge_scaling(rows, "tok_s", "");
  CHECK(verdicts[1].expected == 200);
  CHECK_FALSE(verdicts[0].level_known);
  CHECK(verdicts[1].state == kOk);
  CHECK(verdicts[2].state == kFabric);
}

TEST_CASE("Runs of nccl-tests on 1, 2, 4, 8 nodes tell a slow node from a slow fabric", "[acceptance]") {
  const auto acceptance_of = [](double node_share, double fabric_share) {
    std::vector<std::pair<std::string, std::string>> logs;
    for (const int nodes : {1, 2, 4, 8}) {
      NcclTestsRun run;
      run.ranks = whole_nodes(host_names(nodes), 8);
      const double share = nodes == 1 ? node_share : node_share * std::pow(fabric_share, std::log2(nodes));
      const double busbw = share * expected_busbw("dgx-h200", Collective::all_reduce, kGiB8, 8 * nodes);
      run.busbw = [busbw](double) { return busbw; };
      run.sizes = {kGiB8};
      logs.emplace_back("nodes" + std::to_string(nodes), nccl_tests_log(run));
    }
    return judge(evidence_of(logs), promise_of("dgx-h200"));
  };
  const auto states_in = [](const model::Acceptance& acceptance) {
    States out;
    for (const model::ScalingVerdict& v : acceptance.scaling) out.push_back(v.state);
    return out;
  };
  CHECK(states_in(acceptance_of(1, 1)) == States{kOk, kOk, kOk, kOk});
  CHECK(states_in(acceptance_of(0.75, 1)) == States{kNode, kNode, kNode, kNode});
  CHECK(states_in(acceptance_of(1, 0.75)) == States{kOk, kFabric, kFabric, kFabric});
}

TEST_CASE("A table of measurements is read with or without expectations", "[acceptance]") {
  const auto plain =
      read_scaling(model::CsvTable::parse(csv_of("nodes,tok_s", {{4, 390}, {1, 100}, {4, 410}}), "x"), 0.2);
  REQUIRE(plain.rows.size() == 2);
  CHECK(plain.rows[0].nodes == 1);
  CHECK(plain.rows[1].measured == 400);
  CHECK(plain.rows[1].tolerance == 0.2);
  CHECK_FALSE(plain.rows[1].expected.has_value());
  const auto full = read_scaling(
      model::CsvTable::parse(
          "nodes,gpus,tok_s,tok_s_low,tok_s_high,efficiency,measured\n2,16,200,150,260,1,170\n", "x"),
      0.2);
  CHECK(full.rows[0].expected == 200.0);
  CHECK(full.rows[0].measured == 170);
  CHECK(full.rows[0].tolerance == Approx(0.25));
  CHECK(read_scaling(model::CsvTable::parse("nodes,busbw_gb_s\n2,400\n", "x"), 0.1).is_bus_bandwidth);
  CHECK_THROWS_AS(read_scaling(model::CsvTable::parse("nodes,colour\n2,1\n", "x"), 0.1), model::InputError);
  CHECK_THROWS_AS(read_scaling(model::CsvTable::parse("nodes,tok_s\n0,1\n", "x"), 0.1), model::InputError);
  CHECK_THROWS_AS(read_scaling(model::CsvTable::parse("nodes,tok_s\n", "x"), 0.1), model::InputError);
}
