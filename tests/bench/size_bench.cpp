#include "model/sizing/size.hpp"
#include "model/sizing/speed_question.hpp"
#include "tests/bench/shipped.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace roofplan::model;

using roofplan::bench::seconds_of;
using roofplan::bench::shipped_data;

const Catalog& catalog() {
  return shipped_data().catalog();
}

Scenario scenario_of(const char* model, const char* system, std::int64_t count, std::int64_t concurrency) {
  Scenario s;
  s.model.ref = model;
  s.system.ref = system;
  s.system.count = count;
  s.load.concurrency = concurrency;
  return s;
}

SpeedAnswer point(const Scenario& s, const ModelFile& model) {
  return speed(
      SpeedQuestion(s, shipped_data(), model.architecture, catalog().systems().find(s.system.ref)).request());
}

/// A question to the whole catalogue; the aim is under 1 s, with the catalogue read. `points` is the time in
/// points of the closed form on one node, which does not depend on the machine.
void size_catalogue(benchmark::State& state) {
  const ModelFile model = find_model(catalog(), "gpt-oss-120b");
  SizeRequest request;
  request.scenario.load.users = 50;
  request.scenario.targets.min_tok_s_per_user = 20.0 * unit::tok_s;
  const Scenario node = scenario_of("gpt-oss-120b", "dgx-b300", 1, 50);
  point(node, model);
  double size_s = 0, point_s = 0;
  std::int64_t evaluations = 0;
  for (auto _ : state) {
    size_s += seconds_of([&] { evaluations = size_plans(request, shipped_data(), model).evaluations; });
    point_s += seconds_of([&] { benchmark::DoNotOptimize(point(node, model)); });
  }
  state.counters["evaluations"] = static_cast<double>(evaluations);
  state.counters["points"] = size_s / point_s;
}
BENCHMARK(size_catalogue)->Unit(benchmark::kMillisecond);

/// A high rate against a low one over the whole catalogue: it must not take the longer the higher the rate.
void size_by_rate(benchmark::State& state) {
  const ModelFile model = find_model(catalog(), "gpt-oss-120b");
  SizeRequest low, high;
  low.scenario.targets.min_tok_s_per_user = high.scenario.targets.min_tok_s_per_user = 20.0 * unit::tok_s;
  low.scenario.load.rps = 1000.0 / unit::s;
  high.scenario.load.rps = 1e8 / unit::s;
  double low_s = 0, high_s = 0;
  for (auto _ : state) {
    low_s += seconds_of([&] { benchmark::DoNotOptimize(size_plans(low, shipped_data(), model)); });
    high_s += seconds_of([&] { benchmark::DoNotOptimize(size_plans(high, shipped_data(), model)); });
  }
  state.counters["high/low"] = high_s / low_s;
}
BENCHMARK(size_by_rate)->Unit(benchmark::kMillisecond);

/// One point of a sweep with its plan search, on one node and on a rack of 72; `rack/node` is their ratio.
void speed_points(benchmark::State& state) {
  const ModelFile model = find_model(catalog(), "deepseek-v3");
  Scenario node = scenario_of("deepseek-v3", "dgx-b300", 1, 256);
  Scenario rack = scenario_of("deepseek-v3", "gb300-nvl72", 1, 2048);
  node.model.weights = rack.model.weights = "nvfp4";
  double node_s = 0, rack_s = 0;
  for (auto _ : state) {
    node_s += seconds_of([&] { benchmark::DoNotOptimize(point(node, model)); });
    rack_s += seconds_of([&] { benchmark::DoNotOptimize(point(rack, model)); });
  }
  state.counters["rack/node"] = rack_s / node_s;
}
BENCHMARK(speed_points)->Unit(benchmark::kMillisecond);

}  // namespace
