#include "model/sizing/size.hpp"
#include "model/sizing/speed_question.hpp"

#include <benchmark/benchmark.h>

#include <chrono>

namespace {

using namespace roofplan::model;

const Catalog& catalog() {
  static const Catalog shipped;
  return shipped;
}

const SpeedData& data() {
  static const SpeedData shipped(catalog());
  return shipped;
}

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
      SpeedQuestion(s, data(), model.architecture, catalog().systems().find(s.system.ref)).request());
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
    size_s += seconds_of([&] { evaluations = size_plans(request, data(), model).evaluations; });
    point_s += seconds_of([&] { benchmark::DoNotOptimize(point(node, model)); });
  }
  state.counters["evaluations"] = static_cast<double>(evaluations);
  state.counters["points"] = size_s / point_s;
}
BENCHMARK(size_catalogue)->Unit(benchmark::kMillisecond);

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
