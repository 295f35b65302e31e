#include "model/llm/files/model_path.hpp"
#include "model/sizing/speed_question.hpp"
#include "tests/llm_files/model_shapes.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("a token of a model read from a file reads the bytes that the file holds", "[serving]") {
  const roofplan::test::TemporaryFolder folder;
  roofplan::test::gguf_of(roofplan::test::llama_2_7b(), "Q4_K_M").write(folder.path("a.gguf"));
  const ModelFile file = load_model_path(folder.path("a.gguf"));
  Scenario scenario;
  scenario.system.ref = "gb10";
  scenario.engine.ref = "llama.cpp";
  scenario.load.depth_tokens = 1;
  const SpeedData data(shipped_catalog());
  const SpeedQuestion question(scenario, data, file.architecture, shipped_catalog().systems().find("gb10"));
  const SpeedAnswer answer = speed(question.request());
  REQUIRE(answer.fits);
  // Everything but the embedding, of which one row is looked up; the cache of one token is 0.5 MB of 4 GB.
  const Bytes read =
      (file.inventory->of(ModelPart::text).bytes - file.inventory->of(TensorClass::embedding).bytes)
          .quantity();
  const double tokens_per_second = 273 * unit::GB_s / read * unit::s;
  CHECK(answer.ceiling / unit::tok_s == Approx(tokens_per_second).epsilon(0.005));
}
