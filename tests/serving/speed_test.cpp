#include "model/units/error.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("what does not fit has no latency", "[serving]") {
  Question question("llama-3.1-405b", "gb10", "vllm");
  const SpeedAnswer answer = question.answer();
  CHECK_FALSE(answer.fits);
  CHECK_FALSE(answer.reasons.empty());
  CHECK(answer.breakdown.empty());
  CHECK(answer.state.e2e == Seconds());
}

TEST_CASE("the estimate stays below the bandwidth ceiling on every system (field report P8)", "[serving]") {
  for (const std::string& system : shipped_catalog().systems().ids()) {
    for (const char* engine : {"ideal", "llama.cpp", "vllm"}) {
      Question question("llama-3.1-8b", system, engine,
                        std::string(engine) == "llama.cpp" ? "q8_0" : "native");
      question.load(1024, 256);
      question.request.fit.gpus = 1;
      const SpeedAnswer answer = question.answer();
      if (!answer.fits) continue;
      INFO(system << " " << engine);
      CHECK(per_user(answer) < answer.ceiling / unit::tok_s);
      CHECK(per_user(answer) / answer.ranges.token.low <= 1.000001 * (answer.ceiling / unit::tok_s));
      CHECK(per_user(answer) > 0.2 * (answer.ceiling / unit::tok_s));
    }
  }
}

TEST_CASE("ttft, time between tokens and the whole add up (field report P16)", "[serving]") {
  Question question("gpt-oss-120b", "dgx-b200", "vllm");
  question.load(2048, 512, 64);
  const SpeedAnswer a = question.answer();
  REQUIRE(a.fits);
  CHECK(a.state.e2e / (a.state.ttft + 511 * *a.state.tpot) == Approx(1));
  CHECK(a.request < a.state.e2e);
  Seconds decode, prefill;
  for (const OperatorShare& row : a.breakdown) (row.phase == Phase::decode ? decode : prefill) += row.time;
  CHECK(decode / a.step.total == Approx(1));
  CHECK(prefill / a.prompt.total == Approx(1));
}

TEST_CASE("the planner's degree is at least as fast as any that one may name", "[serving]") {
  for (const std::int64_t concurrency : {1, 64}) {
    Question open("llama-3.1-70b", "dgx-h100", "vllm");
    open.load(1024, 256, concurrency);
    const SpeedAnswer best = open.answer();
    REQUIRE(best.fits);
    for (const std::int64_t tp : {2, 4, 8}) {
      Question fixed("llama-3.1-70b", "dgx-h100", "vllm");
      fixed.load(1024, 256, concurrency).plan(tp, 1, 8 / tp);
      const SpeedAnswer named = fixed.answer();
      if (named.fits) CHECK(best.state.e2e <= named.state.e2e * 1.0001);
    }
  }
}

TEST_CASE("replicas scale in proportion, and the curve counts accelerators (field report P12)", "[serving]") {
  Question question("llama-3.1-70b", "dgx-h100", "vllm", "fp8");
  question.load(1024, 256, 32);
  question.request.nodes = {1, 2, 4};
  const SpeedAnswer answer = question.answer();
  REQUIRE(answer.scaling.size() == 3);
  CHECK(answer.scaling[2].gpus == 32);
  for (const ScalingPoint& p : answer.scaling) {
    CHECK(p.efficiency <= 1.001);
    CHECK(p.efficiency > 0.95);
  }
}

TEST_CASE("a cache too small for the load makes requests wait, and says capacity", "[serving]") {
  Question question("llama-3.1-8b", "gb10", "vllm");
  question.load(30000, 1000, 512);
  const SpeedAnswer answer = question.answer();
  REQUIRE(answer.fits);
  CHECK(answer.decode_bound == Bound::capacity);
  CHECK(answer.state.waiting > Seconds());
}

TEST_CASE("a prefix cache spares its share of the prefill", "[serving]") {
  Question cold("llama-3.1-70b", "dgx-h100", "vllm"), warm("llama-3.1-70b", "dgx-h100", "vllm");
  cold.load(8000, 100);
  warm.load(8000, 100);
  warm.request.prefix_hit = 0.75;
  CHECK(warm.answer().state.prefill < 0.4 * cold.answer().state.prefill);
}

TEST_CASE("the last token of a prompt is computed though the cache holds all of it", "[serving]") {
  Question all("llama-3.1-70b", "dgx-h100", "vllm"), none("llama-3.1-70b", "dgx-h100", "vllm");
  all.load(8000, 100).plan(8);
  all.request.prefix_hit = 1;
  const SpeedAnswer warm = all.answer();
  // One token reads all weights, as a decode step does.
  CHECK(warm.state.prefill > 0.8 * warm.state.step);
  CHECK(warm.state.ttft > warm.state.prefill);
  all.request.prefix_hit = 7999.0 / 8000;
  CHECK(warm.state.prefill / all.answer().state.prefill == Approx(1));
  // Without a prompt nothing is computed.
  CHECK(none.load(0, 100).plan(8).answer().state.prefill == Seconds());
}

TEST_CASE("loads out of range are refused", "[serving]") {
  Question question("llama-3.1-8b", "gb10", "vllm");
  question.request.output = 0;
  CHECK_THROWS_AS(question.answer(), InputError);
  question.request.output = 1;
  question.request.prefix_hit = 1.5;
  CHECK_THROWS_AS(question.answer(), InputError);
}

TEST_CASE("an FP8 checkpoint on an A100 saves bytes and computes at the 16-bit rate", "[serving]") {
  Question fp8("llama-3.1-8b", "dgx-a100", "vllm", "fp8"), bf16("llama-3.1-8b", "dgx-a100", "vllm", "bf16");
  fp8.load(4096, 256);
  bf16.load(4096, 256);
  fp8.request.fit.gpus = bf16.request.fit.gpus = 1;
  const SpeedAnswer eight = fp8.answer(), sixteen = bf16.answer();
  REQUIRE(eight.fits);
  CHECK(eight.state.step < 0.75 * sixteen.state.step);
  CHECK(eight.state.prefill / sixteen.state.prefill == Approx(1).epsilon(0.1));
}

TEST_CASE(
    "a batch of text touches fewer experts than one of random tokens; one sequence, and dense models, the "
    "same",
    "[serving]") {
  const auto step = [](const char* model, std::int64_t concurrency, const char* load) {
    Question question(model, "dgx-h100", "vllm");
    question.load(1024, 256, concurrency);
    question.request.routing_exponent =
        load_routing(shipped_catalog().files(), shipped_catalog().sources()).of(load);
    return question.answer().state.step / unit::ms;
  };
  CHECK(step("gpt-oss-120b", 1, "text") == Approx(step("gpt-oss-120b", 1, "random")));
  CHECK(step("llama-3.1-8b", 32, "text") == Approx(step("llama-3.1-8b", 32, "random")));
  CHECK(step("gpt-oss-120b", 32, "text") < step("gpt-oss-120b", 32, "random"));
}

TEST_CASE("a version outside the fitted ones is named and widens the range", "[serving]") {
  const auto asked = [](const char* version) {
    Question question("llama-3.1-70b", "dgx-h100", "vllm");
    question.load(1024, 256, 8);
    question.profile.version = version;
    return question.answer();
  };
  const SpeedAnswer unsaid = asked("");
  CHECK(asked("0.11").warnings.size() == unsaid.warnings.size());
  CHECK(asked("0.11").ranges.token.high == unsaid.ranges.token.high);
  for (const char* version : {"0.18.0", "0.19.1rc2"}) {
    INFO(version);
    CHECK(asked(version).warnings.size() == unsaid.warnings.size());
    CHECK(asked(version).ranges.token.high < unsaid.ranges.token.high);
  }
  for (const char* version : {"0.9.2", "0.20"}) {
    INFO(version);
    const SpeedAnswer other = asked(version);
    REQUIRE(other.warnings.size() == unsaid.warnings.size() + 1);
    CHECK(other.warnings.back().key == "speed.version");
    CHECK(other.basis == EngineSpeed::Basis::family);
    CHECK(other.ranges.token.high > unsaid.ranges.token.high);
    CHECK(other.state.e2e == unsaid.state.e2e);
  }
}

TEST_CASE("the version of an engine scales a step, and one that cannot be is refused", "[serving]") {
  const auto asked = [](const char* version) {
    Question question("llama-3.1-70b", "dgx-h100", "vllm");
    question.load(1024, 256, 8).plan(8);
    question.profile.version = version;
    return question.answer();
  };
  const EngineSpeed vllm = load_engine_speed(shipped_catalog().files(), shipped_catalog().sources(), "vllm");
  REQUIRE(vllm.version_factor("0.15.1") < 1);
  const SpeedAnswer unsaid = asked(""), old = asked("0.15.1");
  CHECK(old.step.total / unsaid.step.total == Approx(vllm.version_factor("0.15.1")).epsilon(0.01));
  CHECK(vllm.version_factor("0.15") == vllm.version_factor("0.15.1"));
  CHECK(vllm.version_factor("0.1") == 1);
  CHECK(vllm.version_factor("") == 1);
  // The lines of a breakdown add up to the step whatever the version.
  Seconds lines;
  for (const OperatorShare& share : old.breakdown)
    if (share.phase == Phase::decode) lines += share.time;
  CHECK(lines / old.step.total == Approx(1));
  CHECK(vllm.version_spread("0.15.1") == 0);
  CHECK(vllm.version_spread("") > 0.02);
  CHECK_THROWS_AS(asked("99"), InputError);
}

TEST_CASE("the family of a version leaves patches, candidates and builds out", "[serving]") {
  CHECK(version_family("0.19.1") == "0.19");
  CHECK(version_family("1.2.0rc6.post3") == "1.2");
  CHECK(version_family("1.3rc1") == "1.3");
  CHECK(version_family("0.5") == "0.5");
  for (const char* none : {"", "1", "1.", ".5", "nightly-5b8c", "dev"}) CHECK(version_family(none).empty());
}

TEST_CASE("a power cap slows prefill by the clock it leaves and spares decode", "[serving]") {
  Question question("llama-3.1-70b", "dgx-h100", "vllm");
  question.load(4096, 256).plan(8);
  const SpeedAnswer full = speed(question.request);
  question.request.power_cap = PowerCap{0.5, &shipped_catalog().phase_power()};
  const SpeedAnswer capped = speed(question.request);
  // The prefill of one prompt is bound by compute: at most 1 / 0.727 longer, launches and exchanges stay.
  const double longer = capped.prompt.total / full.prompt.total;
  CHECK(longer > 1.15);
  CHECK(longer < 1 / 0.7272);
  CHECK(capped.step.total / full.step.total == Approx(1.0).margin(0.02));
  CHECK(capped.ranges.token.high / capped.ranges.token.low > full.ranges.token.high / full.ranges.token.low);
  REQUIRE(capped.clocks);
  CHECK(capped.clocks->prefill.compute == Approx(0.7272).epsilon(1e-3));
}
