#include "model/llm/stand_in.hpp"
#include "tests/memory/question.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace roofplan::model;
using namespace roofplan::model::test;

namespace {

ByteCount parts(const DeviceMemory& d) {
  return d.reserved + d.weights + d.cache + d.state + d.activation() + d.workspace() + d.free - d.deficit;
}

}  // namespace

// Seed facts B2 and B3, facts/defaults: 121.69 GiB less the 20.2 that the box keeps.
TEST_CASE("200B on one GB10: 93.1 GiB at four bits fits, 104.8 in NVFP4 does not (seed facts B2, B3)",
          "[memory]") {
  CHECK(count_parameters(stand_in_200b()).total == 200'000'000'000);
  Question four(stand_in_200b(), "gb10", "int4");
  const FitAnswer fits = four.ask();
  CHECK(fits.fits);
  CHECK(gib(fits.weights.text) == Approx(93.13).margin(0.01));  // 2e11 / 2 bytes
  CHECK(gib(fits.device.visible) == Approx(121.69).margin(0.005));
  CHECK(gib(fits.device.reserved) == Approx(20.2).margin(0.005));
  CHECK(fits.max_context < 20'000);  // "under 30 GB left": little room for the cache
  CHECK(says(fits.warnings, "fit.idealised_format"));

  Question nvfp4(stand_in_200b(), "gb10", "nvfp4");
  const FitAnswer no = nvfp4.ask();
  CHECK_FALSE(no.fits);
  CHECK_FALSE(no.starts);
  CHECK(gib(no.weights.text) == Approx(104.77).margin(0.01));  // x 4.5 / 4
  CHECK(says(no.reasons, "fit.binding_weights"));
  CHECK(no.max_context == 0);

  // 4.25 bits are at the edge: the answer depends on what the box really leaves.
  Question edge(stand_in_200b(), "gb10", "mxfp4");
  edge.request.context = 2048;
  const FitAnswer maybe = edge.ask();
  CHECK(gib(maybe.weights.text) == Approx(98.95).margin(0.01));
  REQUIRE(maybe.range);
  CHECK(gib(maybe.range->usable_low) == Approx(99.8).margin(0.02));
  CHECK(gib(maybe.range->usable_high) == Approx(105.9).margin(0.02));
  CHECK_FALSE(maybe.range->fits_low);
  CHECK(maybe.range->fits_high);
  CHECK(maybe.range->max_context_low == 0);
  CHECK(maybe.range->max_context_low <= maybe.max_context);
  CHECK(maybe.max_context < maybe.range->max_context_high);
}

TEST_CASE("a size alone is weighed at the bits of its format, every parameter alike", "[memory]") {
  const auto size = [](const char* name, const char* format) {
    return gib(weights_in(stand_in_model(name), format).text);
  };
  CHECK(size("dense:200B", "int4") == Approx(93.13).epsilon(0.002));
  CHECK(size("dense:200B", "mxfp4") == Approx(98.95).epsilon(0.002));
  CHECK(size("dense:200B", "nvfp4") == Approx(104.77).epsilon(0.002));
  CHECK(size("moe:120B-a5B", "int4") == Approx(55.88).epsilon(0.01));
  for (const auto& [format, fits] : {std::pair{"int4", true}, {"nvfp4", false}}) {
    Question q(stand_in_model("dense:200B"), "gb10", format);
    CHECK(q.ask().fits == fits);
  }
}

TEST_CASE("405B on two GB10 fits at four bits only (seed fact B2)", "[memory]") {
  const auto on_two = [](std::string_view format) {
    Question q(with_context(llama_405b(), 131072), "gb10", format);
    q.request.count = 2;
    return q.ask();
  };
  const FitAnswer four = on_two("int4");
  CHECK(four.fits);
  CHECK(four.parallel.pp == 2);  // no direct link between boxes, so stages
  CHECK(gib(four.weights.text) == Approx(189.0).margin(0.05));
  const FitAnswer awq = on_two("awq");
  CHECK_FALSE(awq.fits);
  CHECK(awq.max_context == 0);
  CHECK(gib(awq.weights.text) == Approx(202.2).margin(0.05));
  const FitAnswer nvfp4 = on_two("nvfp4");
  CHECK_FALSE(nvfp4.fits);
  // 109.1 GiB a box and its peaks against 101.5.
  CHECK(nvfp4.deficit > awq.deficit);
  CHECK(gib(nvfp4.weights.text) == Approx(218.2).margin(0.05));
  // 101.5 GiB a box less peaks of 2.1 and 63 layers x 4,096 B x 8,192 tokens of cache, for half of the
  // 405.9e9 parameters.
  for (const FitAnswer* a : {&four, &awq, &nvfp4})
    CHECK(a->max_bits ==
          Approx((101.5 - 2.1 - 63 * 4'096 * 8'192 / 0x1p30) * 8 * 0x1p30 / 202.9e9).margin(0.03));
  CHECK(says(nvfp4.reasons, "fit.most_bits"));
}

TEST_CASE("700B on four GB10 fits at four bits (seed fact B2)", "[memory]") {
  for (const auto& [format, weights] : {std::pair{"int4", 325.96}, {"nvfp4", 366.71}}) {
    Question q(stand_in_model("dense:700B"), "gb10", format);
    q.request.count = 4;
    const FitAnswer a = q.ask();
    CHECK(a.fits);
    CHECK(a.devices == 4);
    CHECK(gib(a.weights.text) == Approx(weights).margin(0.01));  // 7e11 x 4 and 4.5 / 8 bits
    CHECK(gib(a.device.weights) < 101.5);
  }
}

TEST_CASE("a format is advised for a size alone as real checkpoints have it", "[memory]") {
  // AWQ leaves embedding and head in 16 bits: 96.8 GiB become more than the box and its peaks bear.
  Question q(stand_in_model("dense:200B"), "gb10", "nvfp4");
  const FitAnswer no = q.ask();
  CHECK_FALSE(no.fits);
  CHECK(no.fits_in_format != "awq");
  CHECK(says(no.warnings, "fit.every_parameter"));
}

TEST_CASE("a longer context or more requests eat what the weights leave (seed fact B4)", "[memory]") {
  const auto most_users = [](std::int64_t context) {
    Question q(with_context(llama_70b(), 131072), "gb10", "fp8");
    q.request.context = context;
    return q.ask().max_concurrency;
  };
  CHECK(most_users(4096) >= 2 * most_users(8192));
  CHECK(most_users(8192) > most_users(32768));
  CHECK(most_users(131072) == 0);  // 40 GiB beside 67.7
}

// field-reports E4: one sequence of a 70B at 131,072 tokens is 40.0 GiB, 20.0 with an 8-bit cache.
TEST_CASE(
    "a 70B model in FP8 does not start on one H100 under vLLM, and does on two (field reports E4, E8, E13)",
    "[memory]") {
  Question one(with_context(llama_70b(), 131072), "dgx-h100", "fp8");
  one.request.gpus = 1;
  const FitAnswer no = one.ask();
  CHECK_FALSE(no.fits);
  CHECK_FALSE(no.starts);
  CHECK(no.verdict.key == "fit.verdict_no_start");
  // Budget 0.92 x 79.65; weights 68.45e9 + 2 x 2.1e9 B in 16 bits = 67.7 GiB; sampling for 1024 sequences
  // 5.0; context, libraries, attention and graphs 2.1; cache 2.5.
  CHECK(gib(no.deficit) == Approx(67.7 + 5.0 + 2.1 + 2.5 - 0.92 * 79.65).margin(0.15));
  CHECK(no.fits_in_format == "nvfp4");

  one.request.gpus = 2;
  one.request.parallel.tp = 2;
  const FitAnswer two = one.ask();
  CHECK(two.fits);
  CHECK(two.parallel.tp == 2);
  CHECK(two.max_context == 131072);
  CHECK(two.context_by_model);

  one.request.context = 131072;
  one.request.parallel.tp.reset();
  CHECK(gib(one.ask().cache_need) == Approx(40.0));
  one.request.cache = "fp8";
  CHECK(gib(one.ask().cache_need) == Approx(20.0));
}

// Ours: 36,864 B a token in full layers and 4,718,592 B in the windows; an engine without a hybrid manager
// keeps all layers whole: 9.66 GB for 131,072 tokens (AWS Neuron's vLLM guide).
TEST_CASE(
    "gpt-oss: what the architecture needs and what an engine reserves are two numbers (field reports E3, "
    "K10, K11)",
    "[memory]") {
  Question q(gpt_oss(36, 128), "dgx-h100", "native", "ideal");
  q.request.context = 131072;
  FitAnswer a = q.ask();
  CHECK(a.cache_need.count() == 36'864LL * 131072 + 4'718'592);
  CHECK(a.cache_engine == a.cache_need);
  q.request.hybrid_cache = false;
  a = q.ask();
  CHECK(a.cache_need.count() == 36'864LL * 131072 + 4'718'592);
  CHECK(a.cache_engine.count() == 73'728LL * 131072);
  q.engine = shipped_engines().find("vllm");
  q.request.hybrid_cache = true;
  a = q.ask();
  CHECK(a.cache_engine > a.cache_need);
  CHECK(a.cache_engine.count() < 40'000LL * 131072);
}

// vLLM pull request 10511 (H100, Llama 3 8B, 0.9, context 8192, 256 sequences): 53.29 GiB for the cache.
TEST_CASE("vLLM's room for the cache is the budget less weights, peak and context (field report E5)",
          "[memory][validation]") {
  Question q(with_context(llama_8b(), 8192), "dgx-h100", "bf16", "vllm@0.6.4");
  q.request.gpus = 1;
  q.request.max_batch = 256;
  q.request.chunk_tokens = 8192;
  const FitAnswer a = q.ask();
  CHECK(gib(a.device.cache_room) == Approx(53.29).epsilon(0.03));
  // field-reports E5: a fraction of the memory less the weights alone promises too much.
  CHECK(0.9 * gib(a.device.visible) - gib(a.device.weights) > gib(a.device.cache_room) + 2.0);
}

// vllm issue 21348: Qwen3-235B-A22B-FP8 on four H100. vLLM 0.9.2: 8.11 GiB of cache a GPU. SGLang with
// mem-fraction-static 0.93: 8.23 + 8.23 GiB.
TEST_CASE("two engines leave the same model different room", "[memory][validation]") {
  const auto room = [](std::string_view engine, std::optional<double> fraction) {
    Question q(with_context(qwen3_moe(94, 4096, 64, 4, 128, 1536), 40960), "dgx-h100", "fp8_block", engine);
    q.request.gpus = 4;
    q.request.parallel.tp = 4;
    q.request.memory_fraction = fraction;
    return gib(q.ask().device.cache_room);
  };
  CHECK(room("vllm@0.9.2", std::nullopt) == Approx(8.11).margin(1.5));
  CHECK(room("sglang", 0.93) == Approx(16.46).margin(1.5));
}

// field-reports T10.
TEST_CASE("the memory fraction is of each GPU, whatever the TP (field report T10)", "[memory]") {
  Question q(with_context(llama_8b(), 8192), "dgx-h100", "bf16");
  for (std::int64_t tp : {1, 2, 8}) {
    q.request.parallel.tp = tp;
    const FitAnswer a = q.ask();
    CHECK(a.device.reserved.quantity() / a.device.visible.quantity() == Approx(0.08).epsilon(1e-6));
  }
}

// field-reports U4, U13, E11: at start-up vLLM wants its fraction of all memory free.
TEST_CASE("on unified memory a fraction beyond what is free does not start (field reports U4, U13, E11)",
          "[memory]") {
  Question q(gpt_oss(36, 128), "gb10", "native");
  CHECK(q.ask().fits);
  CHECK(q.ask().memory_fraction == Approx(101.49 / 121.69).epsilon(1e-3));
  CHECK(says(q.ask().warnings, "fit.fraction_lowered"));
  q.request.memory_fraction = 0.92;
  const FitAnswer no = q.ask();
  CHECK_FALSE(no.starts);
  CHECK(gib(no.deficit) == Approx(0.92 * 121.69 - 101.49).margin(0.01));
  CHECK(says(no.reasons, "fit.fraction_beyond_free"));
  REQUIRE(no.fraction_low);
  CHECK(*no.fraction_low < *no.fraction_high);
  CHECK(*no.fraction_high == Approx(0.834).margin(0.001));
  q.request.memory_fraction = 0.45;  // 54.8 GiB for 60.8 of weights
  CHECK(says(q.ask().reasons, "fit.binding_weights"));
}

// field-reports U14, W16: a mapped file and its copy lie in the same memory.
TEST_CASE("on unified memory loading may take the weights twice (field reports U14, W16)", "[memory]") {
  Question q(gpt_oss(36, 128), "gb10", "native");
  const FitAnswer a = q.ask();
  CHECK(a.load_peak == a.device.weights * 2);
  CHECK(says(a.warnings, "fit.load_twice"));
  Question discrete(gpt_oss(36, 128), "dgx-b300", "native");
  CHECK(discrete.ask().load_peak == ByteCount());
}

// field-reports U6, and the sum of all parts.
TEST_CASE("what occupies a device adds up, and free memory is never more than there is (field report U6)",
          "[memory]") {
  for (const char* engine : {"ideal", "vllm", "sglang", "trtllm", "llama.cpp"})
    for (const char* system : {"gb10", "dgx-h100", "dgx-b300", "gb300-nvl72"})
      for (const Architecture& model : {llama_8b(), llama_405b(), gpt_oss(36, 128), deepseek_v3()}) {
        INFO(engine << " on " << system);
        Question q(model, system, "native", engine);
        const FitAnswer a = q.ask();
        REQUIRE(a.legal);
        CHECK(parts(a.device) == a.device.visible);
        CHECK(a.device.free <= a.device.visible);
        CHECK(a.fits == (a.deficit == ByteCount()));
        CHECK(a.devices <= 72);
      }
}

// field-reports T9: every stage holds the cache of its layers for all open sequences.
// field-reports T13: eight cards are not one of eight times the memory.
// field-reports K28: the context assumed is said, and practical.
// field-reports T11: in a layer split every card has its own compute buffer and context.
TEST_CASE("a layer split repeats compute buffers on every card (field report T11)", "[memory]") {
  Question q(with_context(llama_70b(), 8192), "rtx-4090", "q5_k_m", "llama.cpp");
  q.request.count = 3;
  const FitAnswer a = q.ask();
  CHECK(a.fits);
  CHECK(a.parallel.pp == 3);
  CHECK(a.parallel.tp == 1);
  CHECK(a.device.activation() > ByteCount(0));
  CHECK(gib(a.device.work.margin) == Approx(1.0));
}

// field-reports M7, M8: draft modules bring weights and a cache of their own, at the chosen context.
TEST_CASE("multi-token prediction adds its weights and its cache (field reports M7, M8)", "[memory]") {
  Question q(deepseek_v3(), "dgx-b300", "native", "ideal");
  q.model.side.mtp_layers = 1;
  q.model.side.mtp_params = 11'610'068'224;
  q.request.context = 10'000;
  const FitAnswer without = q.ask();
  q.request.with_mtp = true;
  const FitAnswer with = q.ask();
  CHECK(with.device.cache.count() - without.device.cache.count() == 1152LL * 10'000);
  CHECK(gib(with.device.weights - without.device.weights) ==
        Approx(gib(with.weights.mtp) / static_cast<double>(with.parallel.tp)).epsilon(1e-6));
  CHECK(gib(with.weights.mtp) == Approx(10.8).margin(0.1));  // 11.6e9 parameters at 8 bits and a little
}

// field-reports E5, M5: room for adapters is taken from the cache.
TEST_CASE("adapters lessen the room for the cache (field report M5)", "[memory]") {
  Question q(with_context(llama_8b(), 8192), "dgx-h100", "bf16");
  const ByteCount before = q.ask().device.cache_room;
  q.request.adapter_slots = 8;
  q.request.adapter_rank = 64;
  const FitAnswer a = q.ask();
  CHECK(before - a.device.cache_room == a.device.weights - a.weights.text);
  CHECK(a.device.weights > a.weights.text);
}
