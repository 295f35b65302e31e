#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

/// Requests of 1,280 tokens, of which eight H100 with Llama 3.1 70B in 16 bits hold about a thousand:
/// (640 - 141) GB over 1,280 x 320 KiB.
Question& on_boxes(Question& question, std::int64_t boxes, std::int64_t concurrency) {
  return question.load(1024, 256, concurrency).boxes(boxes);
}

}  // namespace

TEST_CASE("replicas behind a queue are as fast as one of them, times their number", "[serving]") {
  Question question("llama-3.1-70b", "dgx-h100", "vllm");
  on_boxes(question, 1, 1024).request.fit.parallel.tp = 8;
  question.request.nodes = {1, 2, 3, 4};
  const SpeedAnswer answer = question.answer();
  REQUIRE(answer.state.waiting > Seconds());
  REQUIRE(answer.scaling.size() == 4);
  for (const ScalingPoint& p : answer.scaling) CHECK(p.efficiency == Approx(1).epsilon(1e-3));
}

TEST_CASE("twice the boxes never give less output, whether requests wait or not", "[serving]") {
  for (const char* model : {"llama-3.1-70b", "llama-3.1-405b", "gpt-oss-120b"}) {
    for (const std::int64_t concurrency : {64, 1024, 4096}) {
      TokensPerSecond last;
      for (const std::int64_t boxes : {1, 2, 4}) {
        Question question(model, "dgx-h100", "vllm");
        const SpeedAnswer answer = on_boxes(question, boxes, concurrency).answer();
        INFO(model << " " << concurrency << " on " << boxes);
        CHECK(answer.output >= 0.999 * last);
        last = answer.output;
      }
      CHECK(last > TokensPerSecond());
    }
  }
}

TEST_CASE("no named plan is faster than the planner's, the wait for a place counted in", "[serving]") {
  for (const std::int64_t concurrency : {256, 2048}) {
    Question open("llama-3.1-70b", "dgx-h100", "vllm");
    const SpeedAnswer best = on_boxes(open, 2, concurrency).answer();
    REQUIRE(best.fits);
    for (const std::int64_t pp : {1, 2})
      for (const std::int64_t tp : {4, 8}) {
        Question fixed("llama-3.1-70b", "dgx-h100", "vllm");
        on_boxes(fixed, 2, concurrency).plan(tp, pp, 16 / (tp * pp));
        const SpeedAnswer named = fixed.answer();
        INFO(concurrency << " " << tp << " " << pp);
        // Stages are tried only where requests wait without.
        if (named.fits && (pp == 1 || best.state.waiting > Seconds()))
          CHECK(best.state.e2e <= 1.0001 * named.state.e2e);
      }
  }
}

TEST_CASE("where no request may wait, stages make the room that replicas lack", "[serving]") {
  Question question("llama-3.1-70b", "dgx-h100", "vllm");
  on_boxes(question, 2, 2048).request.may_wait = false;
  const SpeedAnswer held = question.answer();
  REQUIRE(held.fits);
  CHECK(held.state.waiting == Seconds());
  CHECK(held.parallel.pp > 1);
  question.request.may_wait = true;
  const SpeedAnswer queued = question.answer();
  CHECK(queued.state.waiting > Seconds());
  CHECK(queued.state.e2e < held.state.e2e);
}

TEST_CASE("the limit of a batch holds for each replica", "[serving]") {
  Question question("llama-3.1-70b", "dgx-h100", "vllm");
  on_boxes(question, 2, 256).plan(8, 1, 2).request.fit.max_batch = 64;
  const SpeedAnswer answer = question.answer();
  REQUIRE(answer.fits);
  CHECK(answer.state.batch <= 64);
  CHECK(answer.state.others == Approx(63));
  // Half of the 256 wait: a cycle of waiting for each that runs (Little's law).
  CHECK(answer.state.waiting / answer.state.e2e == Approx(0.5));
}
