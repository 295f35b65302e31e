#include "model/serving/steady_state.hpp"

#include "tests/roofline/fixtures.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace roofplan::model;

namespace {

const Bench& h100() {
  static const Bench bench(llama_8b(), "dgx-h100", "bf16", "vllm");
  return bench;
}

SteadyState at(double concurrency, double prompt = 1000, double output = 200) {
  ReplicaLoad load;
  load.concurrency = concurrency;
  load.prompt_tokens = prompt;
  load.output_tokens = output;
  return closed_loop(h100().steps, h100().engine, load);
}

}  // namespace

TEST_CASE("one client alone meets no queue and no prefill of others", "[serving]") {
  const SteadyState s = at(1);
  CHECK(s.batch == 1);
  CHECK(*s.tpot / s.step == Approx(1));
  const EngineSpeed::FirstToken& first = h100().engine.first_token;
  CHECK(s.ttft / (*first.base + 1000.0 * *first.token + s.prefill) == Approx(1));
  CHECK(s.e2e / (s.ttft + 199 * *s.tpot) == Approx(1));
}

TEST_CASE("a first token waits for tokenising, steps, prompts ahead and half of one under way", "[serving]") {
  FirstTokenParts p{.base_s = 0.01,
                    .token_s = 0.002,
                    .busy_s = 0.03,
                    .wave = 0.1,
                    .others = 20,
                    .alone_s = 0.05,
                    .queued_s = 0.04};
  // Two prompts are ahead, 2 x 0.042; others' prompts take 20 x 0.04 of a cycle of 4 s, so half of 0.05 s is
  // met with probability 0.2.
  CHECK(first_token_seconds(p, 0.2, 3.8) == Approx(0.01 + 0.002 + 0.03 + 0.05 + 0.084 + 0.005));
  p.others = 0;
  p.busy_s = 0;
  CHECK(first_token_seconds(p, 0.062, 1) == Approx(0.062));
  // 21 prompts of 0.04 s that decode for 0.1 s: the last waits until the server has computed them all.
  p.others = 20;
  CHECK(first_token_seconds(p, 0.74, 0.1) == Approx(0.74));
}

TEST_CASE("prompts that wait are computed together, never dearer than alone", "[serving]") {
  const StepModel& steps = h100().steps;
  const PromptTimes brief = prompt_times(steps, 256, 0), whole = prompt_times(steps, steps.chunk_tokens(), 0);
  const double together = steps.chunk_tokens() / 256;
  CHECK(brief.queued / (steps.prefill_step(together, 256, 0) / together) == Approx(1));
  CHECK(brief.queued < brief.alone);
  CHECK(whole.queued == whole.alone);
}

TEST_CASE("clients, throughput and response time obey Little's law", "[serving]") {
  for (const double concurrency : {1., 4., 16., 64., 256.}) {
    const SteadyState s = at(concurrency);
    CHECK(s.output / unit::tok_s * (s.e2e / unit::s) == Approx(concurrency * 200));
  }
}

TEST_CASE("a replica never does more work than its time allows", "[serving]") {
  // No batch gives more tokens a second than it has sequences in a step, and no replica takes prompts faster
  // than whole chunks of them let it, which read the weights once for all their tokens.
  const StepModel& steps = h100().steps;
  for (const double prompt : {100., 1000., 8000.})
    for (const double concurrency : {8., 64., 256.}) {
      const SteadyState s = at(concurrency, prompt, 100);
      CHECK(s.output / unit::tok_s <= concurrency / (s.step / unit::s));
      const double prompts = std::floor(steps.chunk_tokens() / prompt);
      const Seconds chunk = steps.prefill_step(prompts, prompt, 0);
      CHECK(s.output / unit::tok_s / 100 <= 1.02 * prompts / (chunk / unit::s));
    }
}

TEST_CASE("more clients mean more tokens for all and fewer for each", "[serving]") {
  double total = 0, each = 1e9;
  for (const double concurrency : {1., 2., 8., 32., 128.}) {
    const SteadyState s = at(concurrency);
    CHECK(s.output / unit::tok_s > total);
    CHECK(1 / (*s.tpot / unit::s) < each);
    total = s.output / unit::tok_s;
    each = 1 / (*s.tpot / unit::s);
  }
}

TEST_CASE("requests beyond the running limit wait, and the throughput stays", "[serving]") {
  ReplicaLoad load;
  load.concurrency = 32;
  load.running_limit = 16;
  const SteadyState limited = closed_loop(h100().steps, h100().engine, load);
  load.concurrency = 16;
  const SteadyState full = closed_loop(h100().steps, h100().engine, load);
  CHECK(limited.output / full.output == Approx(1));
  CHECK(limited.e2e / full.e2e == Approx(2));
  CHECK(*limited.tpot / *full.tpot == Approx(1));
  CHECK(limited.ttft > full.ttft);
}

TEST_CASE("a single output token has no time between tokens", "[serving]") {
  CHECK_FALSE(at(4, 1000, 1).tpot.has_value());
}

TEST_CASE("speculative steps yield the expected run of accepted tokens", "[serving]") {
  CHECK(speculative_tokens(0, 4) == 1);
  CHECK(speculative_tokens(1, 3) == 4);
  CHECK(speculative_tokens(0.5, 2) == Approx(1.75));  // 1 + 0.5 + 0.25
}

TEST_CASE("a prompt chunk in a decode step costs less than one between two steps", "[serving]") {
  EngineSpeed mixing = h100().engine, stopping = h100().engine;
  mixing.mixes_prefill = true;
  stopping.mixes_prefill = false;
  ReplicaLoad load;
  load.prompt_tokens = 1000;
  load.output_tokens = 50;
  const Seconds together = time_between_tokens(h100().steps, mixing, load, 51);
  const Seconds apart = time_between_tokens(h100().steps, stopping, load, 51);
  CHECK(together < apart);
  // 50 others with 50 tokens each: one prompt a step arrives, so 1 - 1/e of the steps meet one.
  const StepPoint point{51, 1, 1025};
  const double met = 1 - std::exp(-1.0);
  const StepPoint prompts{1 / met, 1000, 0};
  const StepModel& steps = h100().steps;
  const Seconds saved = steps.step(Phase::decode, point) + steps.step(Phase::prefill, prompts) -
                        steps.mixed_step(point, prompts);
  CHECK((apart - together) / (met * saved) == Approx(1));
  CHECK(saved < steps.decode_step(51, 1025));
}

TEST_CASE("a lone sequence and endless outputs are met by no prompt", "[serving]") {
  ReplicaLoad load;
  load.prompt_tokens = 1000;
  load.output_tokens = 1e12;
  const EngineSpeed& engine = h100().engine;
  load.depth = 1000;
  CHECK(time_between_tokens(h100().steps, engine, load, 1) / h100().steps.decode_step(1, 1000) == 1);
  CHECK(time_between_tokens(h100().steps, engine, load, 64) / h100().steps.decode_step(64, 1000) ==
        Approx(1).epsilon(1e-6));
}
