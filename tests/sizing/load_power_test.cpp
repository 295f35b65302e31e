#include "model/sizing/load_power.hpp"

#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("joules a token are watts over tokens a second, and fall as the batch grows (field report C14)",
          "[sizing]") {
  Question few("gpt-oss-120b", "dgx-b200", "vllm"), many("gpt-oss-120b", "dgx-b200", "vllm");
  few.load(1024, 1024, 4).plan(8);
  many.load(1024, 1024, 128).plan(8);
  const PhasePower& phases = shipped_catalog().phase_power();
  const SpeedAnswer slow = few.answer(), fast = many.answer();
  const LoadPower a = load_power(few.request, slow, phases), b = load_power(many.request, fast, phases);
  REQUIRE(a.joule_per_token);
  REQUIRE(b.joule_per_token);
  CHECK(*a.joule_per_token == Approx(a.mean / unit::W / (slow.output / unit::tok_s)));
  CHECK(*b.joule_per_token < 0.5 * *a.joule_per_token);
  CHECK(a.low < a.mean);
  CHECK(*b.joule_low < *b.joule_per_token);
}

TEST_CASE("accelerators beyond the plan idle, and their system is paid for", "[sizing]") {
  Question one("llama-3.1-8b", "dgx-h100", "vllm"), all("llama-3.1-8b", "dgx-h100", "vllm");
  one.load(1024, 256, 1).plan(1);
  one.request.fit.gpus = 1;
  all.load(1024, 256, 8).plan(1, 1, 8);
  const PhasePower& phases = shipped_catalog().phase_power();
  const LoadPower idle = load_power(one.request, one.answer(), phases);
  const LoadPower busy = load_power(all.request, all.answer(), phases);
  CHECK(idle.systems == 1);
  CHECK(idle.mean / unit::W > 0.26 * 8400);
  CHECK(idle.mean < busy.mean);
}
