#include "model/report/sweep_row.hpp"
#include "model/sizing/speed_question.hpp"
#include "model/sizing/sweep_grid.hpp"
#include "tests/bench/shipped.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace roofplan::model;
using roofplan::bench::seconds_of;
using roofplan::bench::shipped_data;

/// Rows of `speed` over 100 loads on one thread, the plan searched at each. `row/question` is the time of a
/// row over that of the same question alone, which builds its own step models and prints nothing.
void speed_rows(benchmark::State& state, const char* system, const char* weights) {
  Scenario base;
  base.model = {"deepseek-v3", weights, "fp8"};
  base.system.ref = system;
  const SweepGrid grid(
      base, {parse_axis("load.concurrency=1-1000+111"), parse_axis("load.prompt_tokens=500-5000+500")});
  const report::SweepParts parts{shipped_data(),
                                 {{base.model.ref, find_model(shipped_data().catalog(), base.model.ref)}}};
  const Architecture& model = parts.models.at(base.model.ref).architecture;
  const System& hardware = shipped_data().catalog().systems().find(system);
  const report::SweepVerb& verb = report::sweep_verb("speed");
  double rows_s = 0, questions_s = 0;
  std::int64_t point = 0;
  for (auto _ : state) {
    const Scenario scenario = grid.scenario(grid.values(point));
    rows_s += seconds_of([&] { benchmark::DoNotOptimize(report::sweep_row(verb, scenario, parts)); });
    questions_s += seconds_of([&] {
      benchmark::DoNotOptimize(speed(SpeedQuestion(scenario, shipped_data(), model, hardware).request()));
    });
    point = (point + 1) % grid.points();
  }
  state.counters["row/question"] = rows_s / questions_s;
}
BENCHMARK_CAPTURE(speed_rows, node, "dgx-b300", "native")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(speed_rows, rack, "gb300-nvl72", "nvfp4")->Unit(benchmark::kMicrosecond);

/// What comes before the first row of a grid of so many points: it must not grow with them.
void grid_of(benchmark::State& state) {
  const std::string range = "load.concurrency=1-" + std::to_string(state.range(0)) + "+1";
  for (auto _ : state) benchmark::DoNotOptimize(SweepGrid({}, {parse_axis(range)}).points());
}
BENCHMARK(grid_of)->Arg(1000)->Arg(1'000'000)->Unit(benchmark::kMicrosecond);

}  // namespace
