#include "model/memory/workspace.hpp"

#include "model/memory/adapters.hpp"
#include "model/units/error.hpp"
#include "tests/catalog/shipped_systems.hpp"
#include "tests/memory/models.hpp"
#include "tests/memory/shipped_memory.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using namespace roofplan::model::test;

// llama.cpp logs: "compute buffer size = 258.50 MiB" for Llama 3 8B and "398.38 MiB" for gpt-oss, ubatch 512.
TEST_CASE(
    "llama.cpp's compute buffer holds fp32 logits of one ubatch on the stage with the head (field report "
    "K24)",
    "[memory][validation]") {
  const EngineMemory engine = shipped_engines().find("llama.cpp").memory;
  const auto mib = [&engine](const Architecture& model, bool has_head) {
    return activation_bytes(model, {}, engine, {512, 1}, has_head).quantity() / unit::MiB;
  };
  CHECK(mib(llama_8b(), true) == Approx(258.50).epsilon(1e-6));
  CHECK(mib(gpt_oss(36, 128), true) == Approx(398.38).epsilon(1e-4));
  // The other cards of a layer split print 34.76 MiB for gpt-oss: every card has a buffer (field-reports
  // T11).
  CHECK(mib(gpt_oss(36, 128), false) == Approx(34.76).epsilon(0.04));
}

// vLLM pull request 10511: 1.26 GiB for Llama 3 8B with 256 sequences, at TP 1 and at TP 2.
TEST_CASE("sampling, not the layers, is the activation peak of a small model", "[memory][validation]") {
  const EngineMemory engine = shipped_engines().find("vllm").memory;
  for (std::int64_t tp : {1, 2})
    CHECK(gib(activation_bytes(llama_8b(), {.tp = tp}, engine, {8192, 256}, true)) ==
          Approx(1.26).epsilon(0.01));
}

// field-reports W23: a workspace of 9.1 times its size when the expanded width is charged instead of hidden.
TEST_CASE("routed experts work at hidden width per chosen expert (field reports T8, W23)", "[memory]") {
  // DeepSeek-V3, TP 1: 8 x (max(2 x 2048, 7168) + 2048) + shared 3 x 2048, and twice the residual.
  const std::int64_t ffn = 8 * (7168 + 2048) + 3 * 2048;
  const std::int64_t attention = 128 * 192 + 128 * (2 * 128 + 192) + 512;
  CHECK(activation_elements(deepseek_v3(), {}) == 2 * 7168 + std::max(ffn, attention));
  // Spread over 8 ranks one token's experts lie on one rank on average; with 8 attention groups it gets the
  // tokens of all of them.
  CHECK(activation_elements(deepseek_v3(), {.tp = 8, .ep = 8}) < activation_elements(deepseek_v3(), {}));
}

TEST_CASE("an engine's defaults follow the device", "[memory]") {
  const EngineMemory engine = shipped_engines().find("vllm").memory;
  CHECK(*default_on(engine.max_batch, engine, shipped("dgx-h100")) == 1024);
  CHECK(*default_on(engine.chunk_tokens, engine, shipped("dgx-h100")) == 8192);
  CHECK(*default_on(engine.chunk_tokens, engine, shipped("dgx-a100")) == 2048);  // 80 GB, but an A100
  CHECK(*default_on(engine.chunk_tokens, engine, shipped("rtx-5090")) == 2048);
  CHECK(*default_on(engine.max_batch, engine, shipped("gb10")) == 16);
}

TEST_CASE("a version brings its own fraction, an unknown engine the nearest names", "[memory]") {
  const EngineTable& engines = shipped_engines();
  CHECK(*engines.find("vllm").memory.fraction == 0.92);
  CHECK(*engines.find("vllm@0.19").memory.fraction == 0.9);
  CHECK_FALSE(engines.find("vllm@0.9.2").memory.graphs_in_budget);
  CHECK(engines.find("vllm@0.21").memory.graphs_in_budget);
  CHECK(engines.find("tensorrt-llm").id == "trtllm");
  CHECK_THROWS_WITH(engines.find("vlm"), Catch::Contains("did you mean vllm?"));
  CHECK_THROWS_WITH(engines.find("tensor-llm"), Catch::Contains("did you mean tensorrt-llm?"));
  for (const std::string& id : engines.ids()) CHECK_THROWS_WITH(engines.find("foo"), Catch::Contains(id));
  for (const char* none : {"vllm@new", "vllm@", "vllm@-1", "vllm@0.19@0.2", "vllm@0.19.-2", "vllm@0..19",
                           "vllm@0.19.", "vllm@99999999999", "ideal@1"})
    CHECK_THROWS_AS(engines.find(none), InputError);
  for (const char* version : {"0.5.10.post1", "1.2.0rc6", "0.19.0+cu129", "1.2.0rc6.post3"})
    CHECK(engines.find("vllm", version).version == version);
}

TEST_CASE("graphs and collectives cost memory by batch and ranks (field report E12)", "[memory]") {
  const EngineMemory engine = shipped_engines().find("vllm").memory;
  const Workspace one = workspace(llama_8b(), {}, engine, {2048, 64}, true);
  const Workspace eight = workspace(llama_8b(), {.tp = 8}, engine, {2048, 4096}, true);
  CHECK(one.comm == ByteCount());
  CHECK(gib(eight.comm) == Approx(1.0));
  CHECK(one.graphs.quantity() / unit::MiB == Approx(128));
  CHECK(gib(eight.graphs) == Approx(1.0));  // no batch above 512 is captured
  CHECK(workspace(llama_8b(), {.tp = 8}, shipped_engines().find("ideal").memory, {2048, 64}, true).fixed() ==
        ByteCount());
}

// field-reports M5, M6: adapters take room by rank, some 80 MB for a 7B model at rank 16, never "nothing".
TEST_CASE("adapters take slots x rank x (rows + columns) (field report M5)", "[memory]") {
  const Architecture model = dense_decoder(32, 4096, 32, 32, 128, 11008, 32000);
  const auto bytes = [&model](const ParallelPlan& plan, std::int64_t slots, std::int64_t rank) {
    return adapter_bytes(model, pipeline_stages(model, 1)[0], plan, slots, rank).count();
  };
  // 4 x (4096 + 4096) + 3 x (4096 + 11008) elements a rank and layer.
  CHECK(bytes({}, 1, 16) == 2LL * 16 * 32 * (4 * 8192 + 3 * 15104));
  CHECK(bytes({}, 4, 64) == 16 * bytes({}, 1, 16));
  CHECK(bytes({}, 0, 16) == 0);
  // The undivided factor stays whole on every rank: q, k, v, gate and up keep 4096, o and down too.
  CHECK(bytes({.tp = 8}, 1, 16) == 2LL * 16 * 32 * (7 * 4096 + (4 * 4096 + 3 * 11008) / 8));
}
