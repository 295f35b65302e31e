#include "model/serving/speed_explain.hpp"

#include "model/calibration/kernels/chip_laws.hpp"
#include "model/units/unit_text.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace roofplan::model;

namespace {

/// Time of all lines of a phase, in seconds.
double time_of_lines(const SpeedAnswer& answer, Phase phase) {
  Seconds time;
  for (const OperatorShare& line : answer.breakdown)
    if (line.phase == phase) time += line.time;
  return time / unit::s;
}

const Derivation& find(const Derivations& derivations, const std::string& name) {
  for (const Derivation& d : derivations)
    if (d.name == name) return d;
  FAIL("no derivation of " << name);
  return derivations.front();
}

/// The times that begin the inputs of a derivation, "1.2 ms: 80 x, ...", added up.
Seconds time_of_inputs(const Derivation& derivation) {
  Seconds time;
  for (const Derivation::Input& input : derivation.inputs) {
    const std::size_t colon = input.value.find(':');
    if (colon != std::string::npos) time += parse_quantity<Seconds>(input.value.substr(0, colon));
  }
  return time;
}

void check_sums(const SpeedRequest& request, const SpeedAnswer& answer) {
  REQUIRE(answer.fits);
  CHECK(time_of_lines(answer, Phase::decode) == Approx(answer.state.step / unit::s).epsilon(1e-9));
  CHECK(time_of_lines(answer, Phase::prefill) == Approx(answer.state.prefill / unit::s).epsilon(1e-9));
  const Derivations derivations = explain_speed(request, answer);
  // Printed times have four digits.
  for (const char* name : {"decode.step_s", "prefill.time_s"}) {
    const Derivation& d = find(derivations, name);
    INFO(name);
    CHECK(time_of_inputs(d) / parse_quantity<Seconds>(d.result) == Approx(1).epsilon(1e-3));
  }
}

}  // namespace

TEST_CASE("the lines of a step and of a prompt add up to the times that are stated", "[serving]") {
  SECTION("a dense model by kernel laws, a prompt of three chunks") {
    Question q("llama-3.1-70b", "dgx-h100", "vllm");
    const CalibrationSet calibrations;
    const ChipLaws laws(calibrations, q.request.fit.system->chip.id);
    q.request.laws = &laws;
    q.load(20000, 256, 16).plan(8);
    const SpeedAnswer a = q.answer();
    check_sums(q.request, a);
    CHECK(find(explain_speed(q.request, a), "decode time by kernel laws").inputs[0].value == "h100_sxm");
  }
  SECTION("routed experts divided over data-parallel ranks, a prompt of many chunks") {
    Question q("deepseek-v3", "gb200-nvl72", "sglang", "fp8");
    q.load(100000, 512, 64);
    q.request.fit.parallel = {.tp = 32, .pp = 1, .ep = 32, .dp = 1, .cp = 1, .attention_dp = 32};
    check_sums(q.request, q.answer());
  }
  SECTION("a GB10 and a pair of them") {
    Question one("gpt-oss-120b", "gb10", "llama.cpp", "mxfp4_moe"),
        two("llama-3.1-70b", "gb10", "vllm", "fp8");
    check_sums(one.request, one.load(2048, 64, 4).answer());
    two.boxes(2).load(3000, 100, 2).plan(2);
    check_sums(two.request, two.answer());
  }
  SECTION("pipeline stages of unequal depth") {
    Question q("llama-3.1-70b", "dgx-h100", "vllm");
    q.load(1024, 256, 12).plan(2, 3);
    check_sums(q.request, q.answer());
  }
  SECTION("separate pools, drafted tokens and a cached prefix") {
    Question q("llama-3.1-70b", "dgx-h200", "vllm", "fp8");
    q.load(8192, 512, 32);
    q.request.draft_tokens = 3;
    q.request.acceptance = 0.7;
    q.request.prefix_hit = 0.5;
    DisaggregationWish wish;
    wish.prefill.tp = wish.decode.tp = 4;
    q.request.disaggregation = wish;
    const SpeedAnswer a = q.answer();
    check_sums(q.request, a);
    // The cache moves once, then 511 tokens follow, of which a step yields so many.
    const Seconds between =
        (a.cache_transfer + a.state.waiting) / 511 + a.state.step / speculative_tokens(0.7, 3);
    CHECK(between / *a.state.tpot == Approx(1));
  }
}

TEST_CASE("stages that hold fewer layers wait for the fullest, and the wait is a line of its own",
          "[serving]") {
  Question q("llama-3.1-70b", "dgx-h100", "vllm");
  q.load(1024, 256, 12).plan(2, 3);
  const SpeedAnswer a = q.answer();
  REQUIRE(a.fits);
  // 80 layers in three stages: the fullest has 27, so a step takes as long as 81 layers would.
  CHECK(a.step.uneven / (a.step.total - a.step.uneven) == Approx(81.0 / 80 - 1));
  const auto wait = std::find_if(a.breakdown.begin(), a.breakdown.end(), [](const OperatorShare& line) {
    return std::string_view(line.name) == "stage.uneven";
  });
  REQUIRE(wait != a.breakdown.end());
  CHECK(wait->time == a.step.uneven);
}

TEST_CASE("the parts of a first token add up, and the engine's are its own", "[serving]") {
  Question q("gpt-oss-120b", "dgx-b200", "vllm");
  for (const std::int64_t concurrency : {1, 16, 512}) {
    const SpeedAnswer a = q.load(2048, 256, concurrency).answer();
    REQUIRE(a.fits);
    CHECK(a.state.ttft / (a.state.first.total() * unit::s + a.state.waiting) == Approx(1));
    CHECK(a.state.first.prompt == a.state.prefill / unit::s);
    CHECK(a.state.first.tokenising == Approx(2048 * (*q.engine.first_token.token / unit::s)));
  }
  const SpeedAnswer alone = q.load(2048, 256).answer();
  CHECK(alone.state.first.ahead == 0);
  CHECK(alone.state.first.steps == 0);
}

TEST_CASE("the time between tokens follows from the step and the prompts that it meets", "[serving]") {
  Question q("llama-3.1-70b", "dgx-h100", "vllm");
  const SpeedAnswer a = q.load(2048, 256, 32).plan(8).answer();
  REQUIRE(a.fits);
  CHECK(a.state.met > 0);
  CHECK((a.state.step + a.state.met * a.state.met_longer) / *a.state.tpot == Approx(1));
}

TEST_CASE("sources of a derivation are known to the catalogue, and what does not run has none", "[serving]") {
  Question q("gpt-oss-120b", "gb10", "llama.cpp", "mxfp4_moe");
  int named = 0;
  for (const Derivation& d : explain_speed(q.request, q.load(512, 64).answer()))
    for (const Derivation::Input& input : d.inputs) {
      if (input.source.empty()) continue;
      INFO(d.name << " " << input.name << " " << input.source);
      CHECK(shipped_catalog().sources().contains(input.source));
      ++named;
    }
  CHECK(named > 20);
  Question large("llama-3.1-405b", "gb10", "vllm");
  CHECK(explain_speed(large.request, large.answer()).empty());
}
