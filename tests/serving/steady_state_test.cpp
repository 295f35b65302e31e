#include "model/serving/steady_state.hpp"

#include "tests/roofline/fixtures.hpp"

#include <catch2/catch.hpp>

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
  CHECK(s.ttft / (*h100().engine.first_token.base + s.prefill) == Approx(1));
  CHECK(s.e2e / (s.ttft + 199 * *s.tpot) == Approx(1));
}

TEST_CASE("clients, throughput and response time obey Little's law", "[serving]") {
  for (const double concurrency : {1., 4., 16., 64., 256.}) {
    const SteadyState s = at(concurrency);
    CHECK(s.output / unit::tok_s * (s.e2e / unit::s) == Approx(concurrency * 200));
  }
}

TEST_CASE("a replica never does more work than its time allows", "[serving]") {
  // A request takes its prefill and, at a full batch, its share of output steps: their sum bounds the rate.
  for (const double prompt : {100., 1000., 8000.})
    for (const double concurrency : {8., 64., 256.}) {
      const SteadyState s = at(concurrency, prompt, 100);
      const Seconds work = s.prefill + 100 / concurrency * s.step;
      CHECK(s.output / unit::tok_s <= 1.02 * 100 / (work / unit::s));
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
