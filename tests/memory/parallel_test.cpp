#include "model/memory/cache_layout.hpp"
#include "tests/memory/models.hpp"
#include "tests/memory/shipped_memory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace roofplan::model;
using namespace roofplan::model::test;

namespace {

std::vector<std::string> faults(const Architecture& model, const ParallelPlan& plan,
                                std::string_view format = "bf16", std::string_view engine = "vllm") {
  std::vector<std::string> keys;
  const WeightPlan weights(shipped_formats(), model, format);
  for (const Text& text : plan_faults(model, weights, shipped_engines().find(engine).memory, plan))
    keys.push_back(text.key);
  return keys;
}

bool has(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::vector<ByteCount> shares(const Architecture& model, std::string_view format, const ParallelPlan& plan,
                              const WeightPlacement& placement = {}) {
  const WeightPlan weights(shipped_formats(), model, format);
  return stage_weights(model, weights, plan, pipeline_stages(model, plan.pp), placement);
}

ByteCount cache_on_rank(const Architecture& model, const ParallelPlan& plan, std::int64_t tokens,
                        std::int64_t block = 1) {
  const CacheLayout layout{&shipped_formats().cache_format("bf16"), block, true, 0};
  return sequence_cache(model, whole_model(model), plan, layout, tokens);
}

}  // namespace

// field-reports T4: 3 or 7 GPUs for a model of 64 heads.
TEST_CASE("64 heads on 3 or 7 ranks are refused, with the degrees that would do (field report T4)",
          "[memory]") {
  const Architecture model = llama_70b();
  for (std::int64_t tp : {3, 5, 6, 7}) CHECK(has(faults(model, {.tp = tp}), "fit.heads"));
  const WeightPlan weights(shipped_formats(), model, "bf16");
  CHECK(legal_tp(model, weights, shipped_engines().find("vllm").memory, 16) ==
        std::vector<std::int64_t>{1, 2, 4, 8, 16});
  // 64 heads are the most that can be divided, however many devices there are.
  CHECK(legal_tp(model, weights, shipped_engines().find("vllm").memory, 1'000'000'000'000'000).back() == 64);
  CHECK(faults(model, {.tp = 1, .pp = 7}).empty());
  CHECK(has(faults(model, {.pp = 81}), "fit.too_many_stages"));
}

// field-reports T3: neither the TP divides the KV heads nor the other way round.
TEST_CASE("KV heads are shared out or repeated, never cut (field report T3)", "[memory]") {
  const Architecture model = dense_decoder(4, 6144, 48, 8, 128, 24576, 32000);
  CHECK(has(faults(model, {.tp = 6}), "fit.kv_heads"));
  CHECK(has(faults(model, {.tp = 12}), "fit.kv_heads"));
  CHECK(faults(model, {.tp = 8}).empty());
  CHECK(faults(model, {.tp = 16}).empty());  // two ranks hold the same KV head
  CHECK(cache_on_rank(model, {.tp = 16}, 1000) == cache_on_rank(model, {.tp = 8}, 1000));
}

// field-reports T5, K17: a latent is held whole by every rank, and KV heads play no part in it.
TEST_CASE("tensor parallelism does not divide the latent of DeepSeek-V3 (field reports T5, K17)",
          "[memory]") {
  const Architecture model = deepseek_v3();
  for (std::int64_t tp : {1, 2, 8, 64}) {
    CHECK(cache_on_rank(model, {.tp = tp}, 1000).count() == 70'272'000);
    CHECK_FALSE(has(faults(model, {.tp = tp}), "fit.kv_heads"));
  }
  // Attention data parallelism deals out sequences instead; context parallelism divides tokens.
  CHECK(cache_on_rank(model, {.tp = 8, .attention_dp = 8}, 1000).count() == 70'272'000);
  CHECK(cache_on_rank(model, {.cp = 4}, 1000).count() == 70'272'000 / 4);
}

TEST_CASE("experts are spread whole, or cut where their width and scale groups allow", "[memory]") {
  // Qwen3-235B in FP8 blocks: 1536 / 4 = 3 x 128, but 1536 / 8 = 192 cuts a block.
  const Architecture model = qwen3_moe(94, 4096, 64, 4, 128, 1536);
  CHECK(faults(model, {.tp = 4}, "fp8_block").empty());
  CHECK(has(faults(model, {.tp = 8}, "fp8_block"), "fit.scale_group"));
  CHECK(faults(model, {.tp = 8, .ep = 8}, "fp8_block").empty());
  CHECK(natural_ep(model, WeightPlan(shipped_formats(), model, "fp8_block"), 8) == 8);
  CHECK(natural_ep(model, WeightPlan(shipped_formats(), model, "fp8_block"), 4) == 1);
  CHECK(has(faults(model, {.tp = 8, .ep = 3}), "fit.ep_of_tp"));
  Architecture odd = model;
  odd.groups[0].moe->experts = 100;
  CHECK(has(faults(odd, {.tp = 8, .ep = 8}), "fit.experts"));
}

TEST_CASE("an engine without a way to divide refuses it", "[memory]") {
  CHECK(has(faults(llama_70b(), {.tp = 2}, "q4_k_m", "llama.cpp"), "fit.engine_cannot"));
  CHECK(faults(llama_70b(), {.pp = 2}, "q4_k_m", "llama.cpp").empty());
}

TEST_CASE("layers that do not divide go to the stages before the last", "[memory]") {
  const auto counts = [](std::int64_t layers, std::int64_t pp) {
    std::vector<std::int64_t> out;
    const Architecture model = dense_decoder(layers, 64, 1, 1, 64, 64, 64);
    for (const Stage& stage : pipeline_stages(model, pp)) out.push_back(stage.layers);
    return out;
  };
  CHECK(counts(61, 2) == std::vector<std::int64_t>{31, 30});
  CHECK(counts(126, 4) == std::vector<std::int64_t>{31, 32, 32, 31});
  CHECK(counts(80, 3) == std::vector<std::int64_t>{27, 27, 26});
  const std::vector<Stage> stages = pipeline_stages(deepseek_v3(), 2);
  CHECK(stages[0].group_layers == std::vector<std::int64_t>{3, 28});
  CHECK(stages[0].has_embedding);
  CHECK(stages[1].has_head);
}

TEST_CASE("shares of the weights add up to the model where everything divides", "[memory]") {
  const Architecture model = llama_70b();
  const ByteCount all = weights_in(model, "bf16").text;
  const std::vector<ByteCount> stages = shares(model, "bf16", {.pp = 4});
  ByteCount sum;
  for (ByteCount stage : stages) sum += stage;
  CHECK(sum == all);
  // At TP 8 only the norms, 161 of 8192 elements, are repeated.
  CHECK((shares(model, "bf16", {.tp = 8})[0] * 8 - all).count() == 7LL * 161 * 8192 * 2);
  // A tied head needs the embedding on the first and on the last stage.
  Architecture tied = model;
  tied.tied_embeddings = true;
  CHECK(shares(tied, "bf16", {.pp = 4})[0] == stages[0]);
  CHECK(shares(tied, "bf16", {.pp = 4})[3] == stages[3]);
}

TEST_CASE("a vocabulary is padded to 64 rows before it is divided", "[memory]") {
  Architecture model = dense_decoder(1, 64, 4, 4, 16, 64, 1001);
  const Tensor embedding = outer_tensors(model)[0];
  CHECK(rank_share(embedding, {.tp = 4}, 0).rows == 256);  // 1024 / 4
  CHECK(rank_share(embedding, {.tp = 1}, 0).rows == 1001);
}

TEST_CASE("towers load on the first stage, MTP on the last, an embedding may stay on the host", "[memory]") {
  Architecture model = llama_8b();
  model.side.vision_params = 1'000'000;
  model.side.mtp_params = 2'000'000;
  const std::vector<ByteCount> bare = shares(model, "bf16", {.pp = 2});
  const std::vector<ByteCount> loaded =
      shares(model, "bf16", {.pp = 2}, {.with_vision = true, .with_mtp = true});
  CHECK((loaded[0] - bare[0]).count() == 2'000'000);
  CHECK((loaded[1] - bare[1]).count() == 4'000'000);
  // llama.cpp prints a CPU buffer of 281.81 MiB for Llama 3 8B in Q4_K_M: the input embedding.
  const ByteCount on_host =
      shares(model, "q4_k_m", {})[0] - shares(model, "q4_k_m", {}, {.embedding_elsewhere = true})[0];
  CHECK(on_host.quantity() / unit::MiB == Approx(281.81).epsilon(1e-4));
}

TEST_CASE("one rank's cache is the model's, rounded to blocks (field report K23)", "[memory]") {
  for (const Architecture& model : {llama_70b(), gpt_oss(36, 128), deepseek_v3()}) {
    const CacheLayout uniform{&shipped_formats().cache_format("bf16"), 1, false, 0};
    for (std::int64_t tokens : {1, 100, 5000, 131072}) {
      CHECK(cache_on_rank(model, {}, tokens) == kv_bytes(model, {16, 1}, tokens, true));
      CHECK(sequence_cache(model, whole_model(model), {}, uniform, tokens) ==
            kv_bytes(model, {16, 1}, tokens, false));
    }
  }
  CHECK(cache_on_rank(llama_70b(), {}, 17, 16) == cache_on_rank(llama_70b(), {}, 32));
  // A window of 128 touches at most ceil(127 / 16) + 1 = 9 blocks of 16.
  CHECK((cache_on_rank(gpt_oss(36, 128), {}, 4096, 16) - kv_bytes(gpt_oss(36, 128), {16, 1}, 4096)).count() ==
        36'864 * (144 - 128));
}

// eugr/spark-vllm-docker issue 396: MiniMax-M2.7 at TP 2, "23.25 GiB KV cache is needed" for 196,608 tokens.
TEST_CASE("MiniMax M2 on two ranks needs the cache that vLLM prints", "[memory][validation]") {
  const Architecture model = dense_decoder(62, 3072, 48, 8, 128, 1536, 200064);
  CHECK(gib(cache_on_rank(model, {.tp = 2}, 196'608, 16)) == Approx(23.25).margin(0.005));
}

TEST_CASE("recurrent state is divided by heads and does not grow with tokens", "[memory]") {
  Architecture model = dense_decoder(4, 2048, 16, 2, 256, 512, 1000);
  model.groups[0].attention.reset();
  Recurrent net;
  net.kind = Recurrent::Kind::gated_delta_net;
  net.conv_kernel = 4;
  net.key_heads = 16;
  net.value_heads = 32;
  net.key_head_dim = net.value_head_dim = 128;
  model.groups[0].recurrent = net;
  // 3 columns of 2 x 2048 + 4096 in 16 bits and 32 x 128 x 128 in fp32, four layers.
  const std::int64_t one = 4 * (3 * 8192 * 2 + 32 * 128 * 128 * 4);
  CHECK(sequence_state(model, whole_model(model), {}).count() == one);
  CHECK(sequence_state(model, whole_model(model), {.tp = 4}).count() == one / 4);
  CHECK(cache_on_rank(model, {}, 100'000).count() == 0);
  CHECK(has(faults(model, {.tp = 32}), "fit.state_heads"));
}
