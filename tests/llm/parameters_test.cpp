#include "model/llm/parameters.hpp"

#include "model/llm/tensors.hpp"
#include "model/units/error.hpp"
#include "tests/llm/shapes.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using roofplan::model::test::dense_decoder;

TEST_CASE("a dense decoder counts every matrix once, by hand", "[llm]") {
  // Llama 3.1 8B: per layer 4096 x (4096 + 2 x 1024 + 4096) attention, 3 x 4096 x 14336, 2 x 4096 norms;
  // 2 x 128256 x 4096 outside and a final norm. The published total is 8,030,261,248.
  const auto counts = count_parameters(dense_decoder(32, 4096, 32, 8, 128, 14336, 128256));
  CHECK(counts.total == 8'030'261'248);
  CHECK(counts.active == 8'030'261'248 - 128256LL * 4096);
  CHECK(counts.of(TensorClass::attention) == 32LL * 4096 * (4096 + 2048 + 4096));
  CHECK(counts.checkpoint == counts.total);
}

TEST_CASE("a tied head is stored once and still read for every token (field report W11)", "[llm]") {
  auto model = dense_decoder(2, 8, 2, 1, 4, 16, 100);
  const auto untied = count_parameters(model);
  model.tied_embeddings = true;
  const auto tied = count_parameters(model);
  CHECK(untied.total - tied.total == 800);
  CHECK(untied.active == tied.active);
}

TEST_CASE("memory holds all experts, a token reads top-k of them (field reports W9, W10)", "[llm]") {
  auto model = dense_decoder(1, 8, 2, 1, 4, 16, 100);
  const auto dense = count_parameters(model);
  model.groups[0].dense.reset();
  MoeFfn moe;
  moe.experts = 10;
  moe.top_k = 3;
  moe.intermediate = 16;
  model.groups[0].moe = moe;
  const auto routed = count_parameters(model);
  // One expert is the dense FFN of 3 x 8 x 16 = 384; the router adds 10 x 8.
  CHECK(routed.total - dense.total == 9 * 384 + 80);
  CHECK(routed.active - dense.active == 2 * 384 + 80);
}

TEST_CASE("sums beyond 64 bits are refused, not wrapped", "[llm]") {
  const auto model = dense_decoder(10'000, 1LL << 31, 1LL << 20, 1, 2048, 1LL << 40, 100);
  CHECK_THROWS_AS(count_parameters(model), InputError);
}
