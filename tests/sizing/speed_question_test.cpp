#include "model/sizing/speed_question.hpp"

#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace roofplan::model;

namespace {

/// A model on a GB10, as a scenario asks for it; 32 tokens after an empty cache, as llama-bench has them.
SpeedAnswer asked(const std::string& model_id, const std::string& engine, const std::string& weights) {
  static const SpeedData data(shipped_catalog());
  Scenario scenario;
  scenario.system.ref = "gb10";
  scenario.engine.ref = engine;
  scenario.model.weights = weights;
  scenario.load.prompt_tokens = 0;
  scenario.load.output_tokens = 32;
  const Architecture model = shipped_catalog().models().find(model_id);
  const SpeedQuestion question(scenario, data, model, shipped_catalog().systems().find("gb10"));
  return speed(question.request());
}

}  // namespace

TEST_CASE("llama.cpp runs gpt-oss from its published GGUF file, by whatever name it is asked for",
          "[sizing][validation]") {
  // llama.cpp, benches/dgx-spark: 59.02 and 11.27 GiB, 58.72 and 83.43 tokens a second at an empty cache.
  for (const char* weights : {"native", "mxfp4", "mxfp4_moe"}) {
    INFO(weights);
    const SpeedAnswer large = asked("gpt-oss-120b", "llama.cpp", weights);
    const SpeedAnswer small = asked("gpt-oss-20b", "llama.cpp", weights);
    CHECK(large.fit.weights_format == "mxfp4_moe");
    CHECK(large.fit.weights.text.quantity() / unit::GiB == Approx(59.02).epsilon(0.0005));
    CHECK(small.fit.weights.text.quantity() / unit::GiB == Approx(11.27).epsilon(0.0005));
    CHECK(per_user(large) == Approx(58.72).epsilon(0.03));
    CHECK(per_user(small) == Approx(83.43).epsilon(0.03));
    CHECK((large.fit.warnings.front().key == "fit.gguf_file") == (std::string(weights) != "mxfp4_moe"));
  }
}

TEST_CASE("what no GGUF mix stands for is held as asked", "[sizing]") {
  CHECK(asked("gpt-oss-20b", "vllm", "native").fit.weights_format == "native");
  CHECK(asked("llama-3.1-8b", "llama.cpp", "native").fit.weights_format == "native");
  CHECK(asked("qwen3-30b-a3b", "llama.cpp", "q4_k_m").fit.weights_format == "q4_k_m");
  // A dense model has no experts to keep in MXFP4.
  CHECK(asked("llama-3.1-8b", "llama.cpp", "mxfp4").fit.weights_format == "mxfp4");
}
