#include "model/catalog/model_catalog.hpp"
#include "model/llm/kv_cache.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using namespace roofplan::model;

namespace {

/// Worked by hand from the shapes: bytes per token beyond every window, in bf16 and fp8; the windowed
/// layers, per token and when full, in bf16; the state of one sequence with 16-bit convolutions and fp32
/// recurrences; state and cache of 131,072 tokens in GiB.
struct Cache {
  const char* id;
  std::int64_t full, full_fp8, window, window_per_token, window_cap, state;
  double gib;
};

constexpr Cache kCaches[] = {
    {"llama-2-7b", 524'288, 262'144, 0, 0, 0, 0, 64.000},
    {"llama-2-13b", 819'200, 409'600, 0, 0, 0, 0, 100.000},
    {"llama-2-70b", 327'680, 163'840, 0, 0, 0, 0, 40.000},
    {"llama-3.1-8b", 131'072, 65'536, 0, 0, 0, 0, 16.000},
    {"llama-3.1-70b", 327'680, 163'840, 0, 0, 0, 0, 40.000},
    {"llama-3.1-405b", 516'096, 258'048, 0, 0, 0, 0, 63.000},
    {"llama-3.2-1b", 32'768, 16'384, 0, 0, 0, 0, 4.000},
    {"llama-3.2-3b", 114'688, 57'344, 0, 0, 0, 0, 14.000},
    {"llama-4-scout", 49'152, 24'576, 8192, 147'456, 1'207'959'552, 0, 7.125},
    {"llama-4-maverick", 49'152, 24'576, 8192, 147'456, 1'207'959'552, 0, 7.125},
    {"qwen2.5-7b", 57'344, 28'672, 0, 0, 0, 0, 7.000},
    {"qwen2.5-32b", 262'144, 131'072, 0, 0, 0, 0, 32.000},
    {"qwen2.5-72b", 327'680, 163'840, 0, 0, 0, 0, 40.000},
    {"qwen3-0.6b", 114'688, 57'344, 0, 0, 0, 0, 14.000},
    {"qwen3-1.7b", 114'688, 57'344, 0, 0, 0, 0, 14.000},
    {"qwen3-4b", 147'456, 73'728, 0, 0, 0, 0, 18.000},
    {"qwen3-8b", 147'456, 73'728, 0, 0, 0, 0, 18.000},
    {"qwen3-14b", 163'840, 81'920, 0, 0, 0, 0, 20.000},
    {"qwen3-32b", 262'144, 131'072, 0, 0, 0, 0, 32.000},
    {"qwen3-30b-a3b", 98'304, 49'152, 0, 0, 0, 0, 12.000},
    {"qwen3-235b-a22b", 192'512, 96'256, 0, 0, 0, 0, 23.500},
    {"qwen3-coder-480b", 253'952, 126'976, 0, 0, 0, 0, 31.000},
    {"qwen3-next-80b-a3b", 24'576, 12'288, 0, 0, 0, 77'266'944, 3.072},
    {"qwen3-coder-next", 24'576, 12'288, 0, 0, 0, 77'266'944, 3.072},
    {"qwen3.5-27b", 65'536, 32'768, 0, 0, 0, 153'944'064, 8.143},
    {"qwen3.5-35b-a3b", 20'480, 10'240, 0, 0, 0, 64'389'120, 2.560},
    {"qwen3.5-122b-a10b", 24'576, 12'288, 0, 0, 0, 153'649'152, 3.143},
    {"qwen3.5-397b-a17b", 30'720, 15'360, 0, 0, 0, 192'061'440, 3.929},
    {"qwen3.8-2.4t-a95b", 94'208, 47'104, 0, 0, 0, 587'292'672, 12.047},
    {"deepseek-v2-lite", 31'104, 15'552, 0, 0, 0, 0, 3.797},
    {"deepseek-v3", 70'272, 35'136, 0, 0, 0, 0, 8.578},
    {"deepseek-v3.2", 70'272, 35'136, 0, 0, 0, 0, 8.578},
    {"kimi-k2", 70'272, 35'136, 0, 0, 0, 0, 8.578},
    {"gpt-oss-20b", 24'576, 12'288, 128, 24'576, 3'145'728, 0, 3.003},
    {"gpt-oss-120b", 36'864, 18'432, 128, 36'864, 4'718'592, 0, 4.504},
    {"glm-4.5", 376'832, 188'416, 0, 0, 0, 0, 46.000},
    {"glm-4.5-air", 188'416, 94'208, 0, 0, 0, 0, 23.000},
    {"glm-4.6", 376'832, 188'416, 0, 0, 0, 0, 46.000},
    {"glm-4.7-flash", 54'144, 27'072, 0, 0, 0, 0, 6.609},
    {"glm-5", 89'856, 44'928, 0, 0, 0, 0, 10.969},
    {"minimax-m2", 253'952, 126'976, 0, 0, 0, 0, 31.000},
    {"mistral-7b-v0.1", 0, 0, 4096, 131'072, 536'870'912, 0, 0.500},
    {"mistral-7b-v0.3", 131'072, 65'536, 0, 0, 0, 0, 16.000},
    {"mixtral-8x7b", 131'072, 65'536, 0, 0, 0, 0, 16.000},
    {"mixtral-8x22b", 229'376, 114'688, 0, 0, 0, 0, 28.000},
    {"mistral-large-2", 360'448, 180'224, 0, 0, 0, 0, 44.000},
    {"mistral-small-3", 163'840, 81'920, 0, 0, 0, 0, 20.000},
    {"gemma-2-2b", 53'248, 26'624, 4096, 53'248, 218'103'808, 0, 6.703},
    {"gemma-2-9b", 172'032, 86'016, 4096, 172'032, 704'643'072, 0, 21.656},
    {"gemma-2-27b", 188'416, 94'208, 4096, 188'416, 771'751'936, 0, 23.719},
    {"gemma-3-1b", 4'096, 2'048, 512, 22'528, 11'534'336, 0, 0.511},
    {"gemma-3-4b", 20'480, 10'240, 1024, 118'784, 121'634'816, 0, 2.613},
    {"gemma-3-12b", 65'536, 32'768, 1024, 327'680, 335'544'320, 0, 8.312},
    {"gemma-3-27b", 81'920, 40'960, 1024, 425'984, 436'207'616, 0, 10.406},
    {"phi-3-mini", 0, 0, 2047, 393'216, 804'913'152, 0, 0.750},
    {"phi-3-medium", 0, 0, 2047, 204'800, 419'225'600, 0, 0.390},
    {"phi-4", 204'800, 102'400, 0, 0, 0, 0, 25.000},
    {"nemotron-h-56b", 40'960, 20'480, 0, 0, 0, 912'605'184, 5.850},
    {"nemotron-nano-9b-v2", 16'384, 8'192, 0, 0, 0, 143'548'416, 2.134},
    {"nemotron-3-nano-30b-a3b", 6'144, 3'072, 0, 0, 0, 49'082'368, 0.796},
    {"nemotron-3-super-120b-a12b", 8'192, 4'096, 0, 0, 0, 170'229'760, 1.159},
    {"falcon-180b", 163'840, 81'920, 0, 0, 0, 0, 20.000},
    {"exaone-3.5-7.8b", 131'072, 65'536, 0, 0, 0, 0, 16.000},
    {"exaone-3.5-32b", 262'144, 131'072, 0, 0, 0, 0, 32.000},
    {"exaone-4.0-32b", 65'536, 32'768, 4096, 196'608, 805'306'368, 0, 8.750},
    {"exaone-4.0-1.2b", 61'440, 30'720, 0, 0, 0, 0, 7.500},
    {"k-exaone-236b-a23b", 49'152, 24'576, 128, 147'456, 18'874'368, 0, 6.018},
    {"solar-10.7b", 196'608, 98'304, 0, 0, 0, 0, 24.000},
    {"solar-open-100b", 196'608, 98'304, 0, 0, 0, 0, 24.000},
    {"a.x-4.0", 327'680, 163'840, 0, 0, 0, 0, 40.000},
    {"a.x-4.0-light", 57'344, 28'672, 0, 0, 0, 0, 7.000},
    {"a.x-k1", 70'272, 35'136, 0, 0, 0, 0, 8.578},
    {"hyperclovax-seed-think-14b", 155'648, 77'824, 0, 0, 0, 0, 19.000},
    {"hyperclovax-seed-think-32b", 294'912, 147'456, 0, 0, 0, 0, 36.000},
    {"command-r-plus", 262'144, 131'072, 0, 0, 0, 0, 32.000},
    {"dbrx", 163'840, 81'920, 0, 0, 0, 0, 20.000},
    {"jamba-1.5-mini", 16'384, 8'192, 0, 0, 0, 16'056'320, 2.015},
    {"mamba2-2.7b", 0, 0, 0, 0, 0, 169'836'544, 0.158},
    {"llama-3.3-nemotron-super-49b", 200'704, 100'352, 0, 0, 0, 0, 24.500},
    {"gpt3-175b", 4'718'592, 2'359'296, 0, 0, 0, 0, 576.000},
    {"megatron-530b", 8'601'600, 4'300'800, 0, 0, 0, 0, 1050.000},
    {"megatron-1t", 13'107'200, 6'553'600, 0, 0, 0, 0, 1600.000},
    {"llama-3.1-nemotron-ultra-253b", 262'144, 131'072, 0, 0, 0, 0, 32.000},
    {"kimi-k2.5", 70'272, 35'136, 0, 0, 0, 0, 8.578},
    {"minimax-m3", 122'880, 61'440, 0, 0, 0, 0, 15.000},
    {"gemma-4-31b", 81'920, 40'960, 1024, 819'200, 838'860'800, 0, 10.781},
    {"gemma-4-26b-a4b", 20'480, 10'240, 1024, 204'800, 209'715'200, 0, 2.695},
    {"nemotron-3-ultra-550b-a55b", 12'288, 6'144, 0, 0, 0, 0, 1.500},
    {"exaone-4.5-33b", 65'536, 32'768, 4096, 196'608, 805'306'368, 0, 8.750},
};

}  // namespace

TEST_CASE("cache and state of every model follow from its shape", "[llm]") {
  const DataFiles files;
  const ModelCatalog catalog(files);
  for (const Cache& c : kCaches) {
    INFO(c.id);
    const Architecture model = catalog.find(c.id);
    const CacheNeed need = cache_need(model, {16, 1});
    CHECK(need.per_token.count() == c.full);
    CHECK(cache_need(model, {8, 1}).per_token.count() == c.full_fp8);
    CHECK(need.window_per_token.count() == c.window_per_token);
    CHECK(need.window_cap.count() == c.window_cap);
    if (c.window > 0) CHECK(need.window_cap.count() == c.window * c.window_per_token);
    if (c.state > 0) CHECK(need.state.count() == c.state);
    const ByteCount all = kv_bytes(model, {16, 1}, 131'072) + (c.state > 0 ? need.state : ByteCount{});
    CHECK(all.quantity() / (1.0 * unit::GiB) == Approx(c.gib).margin(0.00051));
  }
}

TEST_CASE(
    "an engine without a hybrid manager reserves every layer in pages of the largest (field reports K9, K19)",
    "[llm]") {
  const DataFiles files;
  const ModelCatalog catalog(files);
  // K9: 60 layers x 2 x 16 x 256 x 2 bytes, though the architecture needs 81,920.
  CHECK(cache_need(catalog.find("gemma-4-31b"), {16, 1}).engine_per_token.count() == 983'040);
  // One 131k sequence of gpt-oss-120b at full length: 9.66 GB.
  const Architecture oss = catalog.find("gpt-oss-120b");
  CHECK(kv_bytes(oss, {16, 1}, 131'072, false).count() == 36LL * 2 * 8 * 64 * 2 * 131'072);
  CHECK(cache_need(oss, {16, 1}).per_token.count() == 36'864);
  // K19: only the attending layers of a hybrid count.
  CHECK(cache_need(catalog.find("nemotron-3-nano-30b-a3b"), {16, 1}).engine_per_token.count() == 6'144);
}

TEST_CASE("reported cache sizes follow from the shapes (field reports K6, K13, K20, K27, K29)", "[llm]") {
  const DataFiles files;
  const ModelCatalog catalog(files);
  const auto gib = [&](const char* id, std::int64_t tokens, ElementSize kv) {
    return kv_bytes(catalog.find(id), kv, tokens).quantity() / (1.0 * unit::GiB);
  };
  CHECK(gib("deepseek-v3.1", 163'840, {16, 1}) == Approx(10.723).epsilon(1e-4));  // K6
  CHECK(gib("kimi-k2.5", 262'144, {16, 1}) == Approx(17.156).epsilon(1e-4));      // K6
  CHECK(gib("qwen3.6-27b", 131'072, {16, 1}) == Approx(8.0));                     // K29
  CHECK(gib("qwen3.6-27b", 1'048'576, {16, 1}) == Approx(64.0));                  // K29
  // K13: 25 of 30 layers are windowed: 128k tokens of Gemma 4 26B-A4B are 2.7 GiB, not 56.
  CHECK(gib("gemma-4-26b-a4b", 131'072, {16, 1}) == Approx(2.695).epsilon(1e-3));
  // K27: 10 of the 62 layers of Gemma 3 27B attend to all 128,000 tokens: 2 x 16 x 128 x 2 B each, 52 keep a
  // window of 1,024 tokens: 10.9 GB, not the 139 claimed.
  const double layer = 2.0 * 16 * 128 * 2;
  CHECK(gib("gemma-3-27b", 128'000, {16, 1}) * 0x1p30 == Approx(10 * layer * 128'000 + 52 * layer * 1'024));
  // K20: the cache's format is a knob of its own.
  CHECK(gib("llama-3.1-70b-fp8", 131'072, {16, 1}) == Approx(40.0));
  CHECK(gib("llama-3.1-70b-fp8", 131'072, {8, 1}) == Approx(20.0));
}

TEST_CASE("sparse attention keeps an indexer key beside the latent", "[llm]") {
  const DataFiles files;
  const ModelCatalog catalog(files);
  const CacheNeed need = cache_need(catalog.find("deepseek-v3.2"), {16, 1});
  CHECK(need.per_token.count() == 70'272);
  CHECK(need.index_per_token.count() == 61 * 132);
  // GLM-5.2: 21 of 78 layers choose, the others reuse their choice.
  CHECK(cache_need(catalog.find("glm-5.2"), {16, 1}).index_per_token.count() == 21 * 132);
}

TEST_CASE("DeepSeek-V4 pools its latent by four and by 128 (field report K17)", "[llm]") {
  // K17: 21 layers at 1/4 and 20 at 1/128 of a 512-wide entry; 43 layers keep a window of 128 tokens.
  const DataFiles files;
  const CacheNeed need = cache_need(ModelCatalog(files).find("deepseek-v4-flash"), {16, 1});
  CHECK(need.per_token.count() == 21 * 256 + 20 * 8);
  CHECK(need.window_cap.count() == 43LL * 128 * 512 * 2);
}
