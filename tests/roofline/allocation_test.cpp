#include "tests/fuzz/allocation_peak.hpp"
#include "tests/roofline/fixtures.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("evaluating steps allocates nothing", "[roofline]") {
  const Bench dense(llama_70b(), "dgx-b300", "fp8", "vllm");
  const Bench moe(moe_model(128, 8, 768), "gb10", "q4_k_m", "llama.cpp");
  const roofplan::test::AllocationPeak allocations;
  double sum = 0;
  for (int batch = 1; batch <= 64; ++batch) {
    sum += dense.steps.decode_step(batch, 1000.0 * batch) / unit::s;
    sum += moe.steps.decode_step(batch, 1000.0 * batch) / unit::s;
    sum += dense.steps.prefill(1000.0 * batch, 0) / unit::s;
    sum += dense.steps.time_of(Phase::decode, {1.0 * batch, 1, 100}).total / unit::s;
  }
  CHECK(allocations.bytes() == 0);
  CHECK(sum > 0);
}

TEST_CASE("the decode step of a 70B model is a list of at most 20 operators", "[roofline]") {
  // Evaluated once per layer group, not per layer: that is what keeps a step under two microseconds.
  const Bench dense(llama_70b(), "dgx-b300", "fp8", "vllm");
  CHECK(dense.steps.operators(Phase::decode) <= 20);
}
