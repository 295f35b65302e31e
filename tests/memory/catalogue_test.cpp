#include "model/catalog/model_catalog.hpp"
#include "model/llm/parameters.hpp"
#include "tests/memory/question.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace roofplan::model;
using namespace roofplan::model::test;

namespace {

const ModelCatalog& models() {
  static const DataFiles files;
  static const ModelCatalog catalog(files);
  return catalog;
}

WeightBytes bytes_of(const char* model, const char* format) {
  return weights_in(models().find(model), format);
}

}  // namespace

TEST_CASE("every model of the catalogue has weights in its native format and an answer on a node",
          "[memory][slow]") {
  for (const std::string& id : models().all_ids()) {
    INFO(id);
    const Architecture model = models().find(id);
    const double params = static_cast<double>(count_parameters(model).total);
    const double bits = 8.0 * weights_in(model, "native").text.quantity().base() / params;
    CHECK(bits > 4.0);
    CHECK(bits < 33.0);
    Question q(model, "dgx-b300", "native");
    const FitAnswer a = q.ask();
    CHECK(a.legal);
    CHECK(a.fits == (a.deficit == ByteCount()));
    if (a.fits) CHECK(a.max_concurrency > 0);
    CHECK(a.cache_need <= a.cache_engine);
  }
}

TEST_CASE("the cache laid out on one device in single tokens is what the architecture needs", "[memory]") {
  for (const std::string& id : models().ids()) {
    INFO(id);
    const Architecture model = models().find(id);
    for (bool hybrid : {true, false})
      for (std::int64_t tokens : {1, 1000, 100'000}) {
        const CacheLayout layout{&shipped_formats().cache_format("bf16"), 1, hybrid, 0};
        CHECK(sequence_cache(model, whole_model(model), {}, layout, tokens) ==
              kv_bytes(model, {16, 1}, tokens, hybrid) + index_bytes(model, tokens));
      }
    CHECK(sequence_state(model, whole_model(model), {}) == state_bytes(model));
  }
}

// Byte counts of published checkpoints in exo's model cards; the residuals are small vectors kept in fp32.
TEST_CASE("16-bit checkpoints have their published byte counts", "[memory][validation]") {
  CHECK(bytes_of("llama-3.1-70b", "bf16").text.count() == 141'107'412'992);
  const WeightBytes qwen27 = bytes_of("qwen3.5-27b", "bf16");
  CHECK((qwen27.text + qwen27.vision).count() == 54'713'457'120);
  const WeightBytes qwen122 = bytes_of("qwen3.5-122b-a10b", "bf16");
  CHECK((qwen122.text + qwen122.vision).count() == 245'125'640'160 - 36 * 64 * 2);
  CHECK(bytes_of("glm-5", "bf16").text.count() == 1'487'822'475'264 - 38'400);
  CHECK(bytes_of("nemotron-3-nano-30b-a3b", "bf16").text.count() == Approx(63'155'889'408.0).epsilon(1e-6));
}

TEST_CASE("quantised checkpoints have their published byte counts", "[memory][validation]") {
  CHECK(bytes_of("minimax-m2.5", "mlx_q8").text.count() == Approx(242'986'745'856.0).epsilon(0.0005));
  CHECK(bytes_of("minimax-m2.5", "mlx_q6").text.count() == Approx(185'826'705'408.0).epsilon(0.0005));
  CHECK(bytes_of("minimax-m2.5", "mlx_q4").text.count() == Approx(128'666'664'960.0).epsilon(0.0005));
  // Routed experts at 4.5 bits, the rest in 16; the file holds 0.94 GB of vision besides.
  CHECK(bytes_of("kimi-k2.6", "native").text.count() == Approx(595'148'192'736.0 - 0.94e9).epsilon(0.0001));
  CHECK(gib(bytes_of("deepseek-v2-lite", "f16").text) == Approx(29.26).epsilon(0.0005));
  CHECK(gib(bytes_of("gemma-3-27b", "q4_k_m").text) == Approx(15.40).epsilon(0.001));
}

// field-reports K9, K26: without a hybrid manager all 60 layers take pages of 16 heads x 256.
TEST_CASE("Gemma 4 31B costs 983,040 B a token without a hybrid manager, as vLLM shows",
          "[memory][validation]") {
  Question q(models().find("gemma-4-31b"), "dgx-h100", "native", "ideal");
  q.request.context = 26'800;
  q.request.hybrid_cache = false;
  const FitAnswer a = q.ask();
  CHECK(a.cache_engine.count() == 983'040LL * 26'800);
  CHECK(gib(a.cache_engine) == Approx(24.54).margin(0.01));
  CHECK(a.cache_need.count() == 81'920LL * 26'800 + 838'860'800);
}

// field-reports K6: cache of one sequence at full context.
TEST_CASE("latent caches at full context are as small as they are", "[memory]") {
  const auto cache = [](const char* model, std::int64_t tokens) {
    Question q(models().find(model), "dgx-b300", "native", "ideal");
    q.request.context = tokens;
    return gib(q.ask().cache_need);
  };
  CHECK(cache("deepseek-v3.1", 163'840) == Approx(10.72).margin(0.005));
  CHECK(cache("kimi-k2.5", 262'144) == Approx(17.16).margin(0.005));
}
