#include "tests/roofline/fixtures.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace roofplan::model;

/// Time per decode step, and per operator of it: the aim is under 2 us and under 100 ns.
void decode_step(benchmark::State& state, const Bench& bench) {
  double context = 1024;
  for (auto _ : state) {
    benchmark::DoNotOptimize(bench.steps.decode_step(static_cast<double>(state.range(0)), context));
    context += 1;
  }
  const auto operators = static_cast<double>(bench.steps.operators(Phase::decode));
  state.counters["operators"] = operators;
  state.counters["operators/s"] =
      benchmark::Counter(operators * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void dense_70b_step(benchmark::State& state) {
  static const Bench bench(llama_70b(), "dgx-b300", "fp8", "vllm");
  decode_step(state, bench);
}
BENCHMARK(dense_70b_step)->Arg(1)->Arg(64);

void moe_step(benchmark::State& state) {
  static const Bench bench(moe_model(128, 8, 768), "dgx-b300", "fp8", "vllm");
  decode_step(state, bench);
}
BENCHMARK(moe_step)->Arg(1)->Arg(64);

void dense_70b_prefill(benchmark::State& state) {
  static const Bench bench(llama_70b(), "dgx-b300", "fp8", "vllm");
  for (auto _ : state) benchmark::DoNotOptimize(bench.steps.prefill(static_cast<double>(state.range(0)), 0));
}
BENCHMARK(dense_70b_prefill)->Arg(1024)->Arg(100000);

void build_70b_model(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(Bench(llama_70b(), "dgx-b300", "fp8", "vllm").steps.operators(Phase::decode));
}
BENCHMARK(build_70b_model)->Unit(benchmark::kMicrosecond);

}  // namespace
