#include "model/roofline/mixer_operators.hpp"
#include "tests/roofline/fixtures.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <string_view>

using namespace roofplan::model;

namespace {

/// The line of a decode step of `sequences` with 1,000 tokens in their caches.
OperatorShare line_of(const Bench& bench, std::string_view name, double sequences = 2) {
  for (const OperatorShare& row : bench.steps.breakdown(Phase::decode, {sequences, 1, 1000}))
    if (name == row.name) return row;
  FAIL("no line " << name);
  return {};
}

double bytes_of(const OperatorShare& row) {
  return row.bytes / unit::B;
}

/// An exchange of any size takes a microsecond.
const MessageTime kExchange = [](Bytes) { return 1.0 * unit::us; };

}  // namespace

TEST_CASE("between products activations are read and written in 16 bits, once each", "[roofline]") {
  // Two tokens of llama-3.1-8b: 4,096 wide, 32 query and 8 KV heads of 128, feed-forward 14,336, 32 layers.
  const Bench bench(llama_8b(), "gb10", "bf16");
  CHECK(bytes_of(line_of(bench, "embedding.lookup")) == 2 * 2.0 * 2 * 4096);
  CHECK(bytes_of(line_of(bench, "head.norm")) == 2 * 2.0 * 2 * 4096);
  // A norm adds the branch to the residual: both are read, both are written.
  CHECK(bytes_of(line_of(bench, "mixer.norm")) == 32 * 2 * 4.0 * 2 * 4096);
  CHECK(bytes_of(line_of(bench, "ffn.norm")) == 32 * 2 * 4.0 * 2 * 4096);
  // Gate and up in, their product out.
  CHECK(bytes_of(line_of(bench, "ffn.activation")) == 32 * 2 * 3.0 * 2 * 14336);
  // Queries turned, keys and values written to the cache.
  CHECK(bytes_of(line_of(bench, "attention.rotary_cache")) == 32 * 2 * (2.0 * 2 * 4096 + 2.0 * 2 * 8 * 128));
}

TEST_CASE("a product reads its weights once for all tokens and two FLOP a weight and token", "[roofline]") {
  const Bench bench(llama_8b(), "gb10", "bf16");
  const OperatorShare row = line_of(bench, "ffn.gate_up");
  CHECK(row.count == 32);
  CHECK(row.flop / unit::flop == Approx(32 * 2 * 2.0 * 28672 * 4096));
  CHECK(bytes_of(row) == Approx(32 * (2.0 * 28672 * 4096 + 2 * 2.0 * (28672 + 4096))));
}

TEST_CASE("a decoded token sees the cache and itself: four FLOP a head, width and entry", "[roofline]") {
  const Bench bench(llama_8b(), "gb10", "bf16");
  const OperatorShare row = line_of(bench, "attention.decode");
  CHECK(row.flop / unit::flop == Approx(32 * 2 * 4.0 * 32 * 128 * 1001));
  CHECK(bytes_of(row) == Approx(32 * 2 * (1001 * 2.0 * 2 * 8 * 128 + 2.0 * 2 * 32 * 128)));
}

TEST_CASE("a sparse indexer scores every entry by 132 bytes, attention then reads the chosen ones",
          "[roofline]") {
  Architecture model = llama_8b();
  model.groups[0].attention->index_heads = 64;
  model.groups[0].attention->index_head_dim = 128;
  model.groups[0].attention->index_top_k = 256;
  const Bench bench(model, "gb10", "bf16");
  const OperatorShare score = line_of(bench, "indexer.score");
  CHECK(score.flop / unit::flop == Approx(32 * 2 * 2.0 * 64 * 128 * 1001));
  CHECK(bytes_of(score) == Approx(32 * 2 * 132.0 * 1001));
  CHECK(line_of(bench, "attention.decode").flop / unit::flop == Approx(32 * 2 * 4.0 * 32 * 128 * 256));
}

TEST_CASE("a recurrent state of value width x key width takes six operations an element and token",
          "[roofline]") {
  Recurrent r;
  r.kind = Recurrent::Kind::gated_delta_net;
  r.key_heads = 16;
  r.key_head_dim = 128;
  r.value_heads = 32;
  r.value_head_dim = 128;
  // Qwen3-Next: 32 states of 128 x 128.
  CHECK(scan_flop_per_token(r) == 6.0 * 32 * 128 * 128);
}

TEST_CASE("a token is dispatched once to each rank that holds one of its experts", "[roofline]") {
  StepShards shards;
  shards.attention_dp = shards.ep = 8;
  ExchangeLaws laws;
  laws.moe_all_to_all = kExchange;
  const Bench bench(moe_model(64, 4, 2048), "dgx-h100", "bf16", "vllm", shards, laws);
  // 64 sequences are 8 on each rank; 4 experts drawn over 8 ranks reach 8 (1 - (7/8)^4) = 3.31 of them.
  for (const char* name : {"moe.dispatch", "moe.combine"})
    CHECK(bytes_of(line_of(bench, name, 64)) == Approx(32 * 8 * 2.0 * 4096 * 8 * (1 - std::pow(7.0 / 8, 4))));
}

TEST_CASE("a norm over all heads of a divided layer exchanges two sums of squares a token", "[roofline]") {
  Architecture model = llama_8b();
  model.groups[0].attention->qk_norm = Attention::QkNorm::full_width;
  StepShards shards;
  shards.attention_tp = 4;
  ExchangeLaws laws;
  laws.tp_all_reduce = laws.moe_all_reduce = laws.head_all_gather = kExchange;
  const Bench bench(model, "dgx-h100", "bf16", "vllm", shards, laws);
  CHECK(bytes_of(line_of(bench, "attention.norm_all_reduce")) == 32 * 2 * 2 * 4.0);
  CHECK(bytes_of(line_of(bench, "mixer.all_reduce")) == 32 * 2 * 2.0 * 4096);
  // Each rank has a quarter of the logits, 16 bits each.
  CHECK(bytes_of(line_of(bench, "head.all_gather")) == 2 * 2.0 * 128256 / 4);
}
