#include "model/serving/step_model_store.hpp"

#include "model/catalog/phase_power_catalog.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

void check_same(const SpeedAnswer& a, const SpeedAnswer& b) {
  CHECK(a.fits == b.fits);
  CHECK(a.parallel == b.parallel);
  CHECK(a.state.ttft == b.state.ttft);
  CHECK(a.state.tpot == b.state.tpot);
  CHECK(a.state.e2e == b.state.e2e);
  CHECK(a.output == b.output);
  CHECK(a.ceiling == b.ceiling);
}

}  // namespace

TEST_CASE("kept step models change no answer, whatever was asked before", "[serving]") {
  StepModelStore store;
  for (const char* model : {"deepseek-v3", "gpt-oss-120b", "llama-3.1-8b"})
    for (const char* system : {"dgx-h200", "gb300-nvl72", "gb10"})
      for (const char* engine : {"vllm", "sglang"}) {
        // What keys point to must live as long as the store.
        static std::vector<std::unique_ptr<Question>> questions;
        Question& question = *questions.emplace_back(std::make_unique<Question>(model, system, engine));
        for (const std::int64_t concurrency : {1, 64, 700}) {
          question.load(1500, 200, concurrency);
          question.request.step_models = nullptr;
          const SpeedAnswer apart = question.answer();
          question.request.step_models = &store;
          check_same(apart, question.answer());
        }
      }
}

TEST_CASE("what a step model is built from tells it from others", "[serving]") {
  StepModelStore store;
  Question question("gpt-oss-120b", "dgx-b200", "vllm");
  question.load(1000, 200, 32).plan(1);
  question.request.step_models = &store;
  const SpeedAnswer plain = question.answer();
  const auto changes = [&](auto change) {
    Question other("gpt-oss-120b", "dgx-b200", "vllm");
    // The same model and engine, so that nothing but the change tells them apart.
    other.request.fit.model = question.request.fit.model;
    other.request.engine = question.request.engine;
    other.load(1000, 200, 32).plan(1);
    change(other.request);
    const SpeedAnswer apart = other.answer();
    other.request.step_models = &store;
    check_same(apart, other.answer());
    CHECK(apart.state.e2e != plain.state.e2e);
  };
  changes([](SpeedRequest& r) { r.power_cap = {0.6, &shipped_catalog().phase_power()}; });
  changes([](SpeedRequest& r) { r.routing_exponent = 1; });
  changes([](SpeedRequest& r) { r.fit.chunk_tokens = 128; });
  changes([](SpeedRequest& r) { r.fit.cache = "fp8"; });
  changes([](SpeedRequest& r) { r.fit.weights = "bf16"; });
  changes([](SpeedRequest& r) { r.fit.parallel.tp = 2; });
  changes([](SpeedRequest& r) {
    r.fit.parallel.tp = 2;
    r.path.inside->launch = r.path.inside->launch * 50.0;
    r.all_reduce.reset();
  });
}

TEST_CASE("a step model is built once for any number of replicas", "[serving]") {
  StepModelStore store;
  Question question("llama-3.1-8b", "dgx-h100", "vllm");
  const WeightPlan weights(*question.request.fit.formats, question.model, "native");
  int built = 0;
  const auto find = [&](std::int64_t tp, std::int64_t dp) {
    ParallelPlan plan;
    plan.tp = tp;
    plan.dp = dp;
    return store.find({question.request, plan}, [&] {
      ++built;
      return std::shared_ptr<const StepModel>();
    });
  };
  find(1, 1);
  find(1, 8);
  CHECK(built == 1);
  find(2, 4);
  CHECK(built == 2);
}
