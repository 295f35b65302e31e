#include "model/serving/disaggregation.hpp"

#include "model/fabric/collective.hpp"
#include "model/serving/exchange_laws.hpp"
#include "model/serving/replica.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

Question& split(Question& question, std::int64_t prefill, std::int64_t decode) {
  DisaggregationWish wish;
  wish.prefill_workers = prefill;
  wish.decode_workers = decode;
  wish.prefill.tp = wish.decode.tp = 4;
  question.request.disaggregation = wish;
  return question;
}

}  // namespace

TEST_CASE("the cache of a prompt that moves between pools is what the architecture keeps of it",
          "[serving]") {
  Question question("llama-3.1-70b", "dgx-h200", "vllm", "fp8");
  question.load(8192, 256);
  // 80 layers x 2 x 8 heads x 128 elements x 2 bytes x 8192 tokens.
  CHECK(cache_of_prompt(question.request).count() == 80LL * 2 * 8 * 128 * 2 * 8192);
}

TEST_CASE("separate pools show the cache transfer and spare decode the prefills", "[serving]") {
  Question one("llama-3.1-70b", "dgx-h200", "vllm", "fp8");
  one.load(8192, 512, 32).plan(4, 1, 2);
  Question two("llama-3.1-70b", "dgx-h200", "vllm", "fp8");
  two.load(8192, 512, 32);
  const SpeedAnswer together = one.answer();
  const SpeedAnswer apart = split(two, 1, 1).answer();
  REQUIRE(together.fits);
  REQUIRE(apart.fits);
  CHECK(apart.devices == 8);
  CHECK(*apart.state.tpot / apart.state.step < 1.2);
  CHECK(*together.state.tpot / together.state.step > *apart.state.tpot / apart.state.step);
  // 80 layers x 2 x 8 heads x 128 x 2 bytes x 8,192 tokens are 2.7 GB: a quarter from each of four to its
  // like.
  const Bytes lane = 80.0 * 2 * 8 * 128 * 2 * 8192 / 4 * unit::B;
  CHECK(apart.cache_transfer == fabric_time(two.request.path, {Collective::send_recv, lane, 2, 2}));
  // Over NVLink of 450 GB/s at most: above 1.5 ms.
  CHECK(apart.cache_transfer > 1.4 * unit::ms);
  CHECK(apart.cache_transfer < 10.0 * unit::ms);
}

TEST_CASE("more prefill workers shorten the wait for the first token", "[serving]") {
  Question few("llama-3.1-70b", "dgx-h200", "vllm", "fp8"), many("llama-3.1-70b", "dgx-h200", "vllm", "fp8");
  few.load(8192, 64, 64).boxes(4);
  many.load(8192, 64, 64).boxes(4);
  const SpeedAnswer one = split(few, 1, 1).answer();
  const SpeedAnswer three = split(many, 3, 1).answer();
  CHECK(three.state.ttft < one.state.ttft);
  CHECK(three.output > one.output);
  // Prefill capacity bounds the whole: prompts a second times service never exceed the workers.
  CHECK(one.output / (64.0 * unit::token) * one.state.prefill <= 1.01);
  CHECK(three.output / (64.0 * unit::token) * three.state.prefill <= 3.03);
}

TEST_CASE("an all-to-all is counted by what a rank sends in all, a gather by what all ranks hold",
          "[serving]") {
  const Question question("deepseek-v3", "gb200-nvl72", "sglang", "fp8");
  ParallelPlan plan;
  plan.tp = plan.attention_dp = plan.ep = 32;
  const FabricPath& path = question.request.path;
  const ExchangeLaws laws = exchange_laws(path, std::nullopt, plan);
  const Bytes sent = 24e6 * unit::B;
  CHECK(laws.moe_all_to_all(sent) == fabric_time(path, {Collective::all_to_all, sent, 32, 2}));
  // 24 MB at no more than 900 GB/s take 26 us, and inside a rack nothing is ten times slower.
  CHECK(laws.moe_all_to_all(sent) / unit::us > 26);
  CHECK(laws.moe_all_to_all(sent) / unit::us < 260);
  plan.ep = 1;
  const ExchangeLaws wide = exchange_laws(path, std::nullopt, plan);
  CHECK(wide.moe_all_gather(sent) == fabric_time(path, {Collective::all_gather, sent * 32, 32, 2}));
}

TEST_CASE("decode workers run no more sequences than they have places, and the rest wait", "[serving]") {
  Question question("llama-3.1-8b", "dgx-h200", "vllm", "fp8");
  question.load(64, 512, 64);
  const WeightPlan weights(*question.request.fit.formats, question.model, "fp8");
  const Replica replica(question.request, weights, ParallelPlan());
  WorkerPools pools{&replica.steps(), &replica.steps(), 2, 1, 1.0 * unit::ms};
  const ReplicaLoad load = replica.load(64, 1, 1);
  const SteadyState open = pooled_loop(pools, question.engine, load);
  CHECK(open.waiting == Seconds());
  CHECK(open.batch > 50);
  pools.decode_places = 8;
  const SteadyState held = pooled_loop(pools, question.engine, load);
  CHECK(held.batch == Approx(8).epsilon(0.01));
  CHECK(held.waiting > 5.0 * held.ttft);
  // Eight places that always decode give eight tokens a step, and 512 tokens take 511 steps.
  CHECK(held.output / unit::tok_s == Approx(8 / (held.step / unit::s) * 512 / 511).epsilon(0.02));
}

TEST_CASE("a lone request in separate pools waits for its own prefill, the transfer and its own steps",
          "[serving]") {
  Question question("llama-3.1-8b", "dgx-h200", "vllm", "fp8");
  question.load(1000, 100, 1);
  const WeightPlan weights(*question.request.fit.formats, question.model, "fp8");
  const Replica replica(question.request, weights, ParallelPlan());
  const StepModel& steps = replica.steps();
  const WorkerPools pools{&steps, &steps, 2, 1, 3.0 * unit::ms};
  const SteadyState s = pooled_loop(pools, question.engine, replica.load(1, 1, 1));
  const EngineSpeed::FirstToken& first = question.engine.first_token;
  const Seconds ttft = *first.base + 1000.0 * *first.token + steps.prefill(1000, 0);
  const Seconds decode = 99.0 * steps.decode_step(1, 1050);
  CHECK(s.ttft / ttft == Approx(1));
  CHECK(s.e2e / (ttft + 3.0 * unit::ms + decode) == Approx(1));
  // The transfer comes between the first token and the second.
  CHECK(*s.tpot / ((decode + 3.0 * unit::ms) / 99.0) == Approx(1));
}

TEST_CASE("a prefill worker that takes waiting prompts together answers them sooner", "[serving]") {
  Question question("llama-3.1-8b", "dgx-h200", "vllm", "fp8");
  question.load(256, 8, 256);
  const WeightPlan weights(*question.request.fit.formats, question.model, "fp8");
  const Replica replica(question.request, weights, ParallelPlan());
  WorkerPools pools{&replica.steps(), &replica.steps(), 1, 4, 0.1 * unit::ms};
  const ReplicaLoad load = replica.load(256, 1, 1);
  const SteadyState single = pooled_loop(pools, question.engine, load);
  pools.prompts_together = prompts_in_a_step(replica.steps(), 256);
  CHECK(pools.prompts_together == 32);  // of 256 tokens in a chunk of 8192
  const SteadyState batched = pooled_loop(pools, question.engine, load);
  CHECK(batched.ttft < single.ttft);
  CHECK(batched.output > single.output);
}
