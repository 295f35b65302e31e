#include "model/llm/kv_cache.hpp"

#include "tests/llm/shapes.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using roofplan::model::test::dense_decoder;

TEST_CASE("grouped heads cache two widths per KV head and layer (field report K22)", "[llm]") {
  const auto model = dense_decoder(32, 4096, 32, 8, 128, 14336, 128256);
  CHECK(cache_need(model, {16, 1}).per_token.count() == 32 * 2 * 8 * 128 * 2);
  CHECK(cache_need(model, {8, 1}).per_token.count() == 65'536);
  // ggml q8_0: 34 bytes per 32 elements.
  CHECK(cache_need(model, {272, 32}).per_token.count() == 65'536 * 34 / 32);
  CHECK(kv_bytes(model, {16, 1}, 131'072).count() == 16LL << 30);
}

TEST_CASE("a latent cache does not know how many heads there are", "[llm]") {
  auto model = dense_decoder(61, 7168, 128, 128, 192, 18432, 129280);
  Attention& a = *model.groups[0].attention;
  a.kind = Attention::Kind::mla;
  a.kv_lora_rank = 512;
  a.rope_dim = 64;
  CHECK(cache_need(model, {16, 1}).per_token.count() == 70'272);
  a.heads = 64;
  CHECK(cache_need(model, {16, 1}).per_token.count() == 70'272);
  // K6: DeepSeek-V3.1 at 163,840 tokens is 10.72 GiB.
  CHECK(kv_bytes(model, {16, 1}, 163'840).quantity() / (1.0 * unit::GiB) == Approx(10.723).epsilon(5e-5));
}

TEST_CASE("a window grows to its cap; without a hybrid manager it never stops (field report K26)", "[llm]") {
  auto model = dense_decoder(4, 64, 4, 2, 16, 64, 100);
  model.groups[0].attention->window = 128;
  const std::int64_t per_token = 4 * 2 * 2 * 16 * 2;
  const auto need = cache_need(model, {16, 1});
  CHECK(need.per_token.count() == 0);
  CHECK(need.window_per_token.count() == per_token);
  CHECK(need.window_cap.count() == 128 * per_token);
  CHECK(need.engine_per_token.count() == per_token);
  CHECK(kv_bytes(model, {16, 1}, 100).count() == 100 * per_token);
  CHECK(kv_bytes(model, {16, 1}, 1000).count() == 128 * per_token);
  CHECK(kv_bytes(model, {16, 1}, 1000, false).count() == 1000 * per_token);
}

TEST_CASE("indexer keys are 132 bytes a token and layer, counted apart", "[llm]") {
  auto model = dense_decoder(3, 64, 4, 2, 16, 64, 100);
  model.groups[0].attention->index_heads = 4;
  model.groups[0].attention->index_head_dim = 128;
  const auto need = cache_need(model, {16, 1});
  CHECK(need.index_per_token.count() == 3 * 132);
  CHECK(need.per_token.count() == 3 * 2 * 2 * 16 * 2);
  CHECK(index_bytes(model, 10).count() == 3960);
}

TEST_CASE("a pooled latent keeps its window and one entry per ratio", "[llm]") {
  auto model = dense_decoder(1, 64, 4, 1, 512, 64, 100);
  Attention& a = *model.groups[0].attention;
  a.kind = Attention::Kind::compressed;
  a.window = 128;
  a.compress_ratio = 4;
  CHECK(cache_need(model, {16, 1}).per_token.count() == 512 * 2 / 4);
  CHECK(kv_bytes(model, {16, 1}, 1000).count() == (128 + 250) * 512 * 2);
  a.compress_ratio = 0;
  CHECK(cache_need(model, {16, 1}).per_token.count() == 0);
  CHECK(kv_bytes(model, {16, 1}, 1000).count() == 128 * 512 * 2);
}

TEST_CASE("a recurrent layer keeps conv columns and a state, whatever the length", "[llm]") {
  // Mamba-2 2.7B, one layer: conv 3 x (5120 + 2 x 128) in 16 bits, state 80 x 64 x 128 in fp32.
  Architecture model = dense_decoder(1, 2560, 1, 1, 1, 1, 100);
  model.groups[0].attention.reset();
  Recurrent r;
  r.kind = Recurrent::Kind::mamba2;
  r.heads = 80;
  r.head_dim = 64;
  r.groups = 1;
  r.state_size = 128;
  r.conv_kernel = 4;
  model.groups[0].recurrent = r;
  CHECK(state_bytes(model).count() == 3 * 5376 * 2 + 655'360 * 4);
  CHECK(kv_bytes(model, {16, 1}, 1'000'000).count() == 0);
  model.groups[0].recurrent->fp32_state = false;
  CHECK(state_bytes(model).count() == 3 * 5376 * 2 + 655'360 * 2);
}
