#include "model/catalog/model_catalog.hpp"
#include "model/llm/parameters.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <string>

using namespace roofplan::model;

namespace {

/// Published figures: the safetensors totals of Hugging Face, and text sums checked against them.
struct Published {
  const char* id;
  std::int64_t text;
  std::int64_t active;      ///< without the input embedding; 0: no figure
  std::int64_t checkpoint;  ///< 0: no exact total is published
  std::int64_t residual;    ///< elements by which our sum exceeds the published total, with a known reason
};

constexpr Published kPublished[] = {
    {"llama-2-7b", 6'738'415'616, 6'607'343'616, 6'738'415'616, 0},
    {"llama-2-13b", 13'015'864'320, 12'852'024'320, 13'015'864'320, 0},
    {"llama-2-70b", 68'976'648'192, 68'714'504'192, 68'976'648'192, 0},
    {"llama-3.1-8b", 8'030'261'248, 7'504'924'672, 8'030'261'248, 0},
    {"llama-3.1-70b", 70'553'706'496, 69'503'033'344, 70'553'706'496, 0},
    {"llama-3.1-405b", 405'853'388'800, 403'752'042'496, 405'853'388'800, 0},
    {"llama-3.2-1b", 1'235'814'400, 1'235'814'400, 1'235'814'400, 0},
    {"llama-3.2-3b", 3'212'749'824, 3'212'749'824, 3'212'749'824, 0},
    {"llama-4-scout", 107'769'861'120, 16'138'408'960, 108'641'793'536, 0},
    {"llama-4-maverick", 400'711'848'960, 16'150'205'440, 401'583'781'376, 0},
    {"qwen2.5-7b", 7'615'616'512, 7'070'619'136, 7'615'616'512, 0},
    {"qwen2.5-32b", 32'763'876'352, 31'985'308'672, 32'763'876'352, 0},
    {"qwen2.5-72b", 72'706'203'648, 71'460'495'360, 72'706'203'648, 0},
    {"qwen3-0.6b", 596'049'920, 596'049'920, 596'049'920, 0},
    {"qwen3-1.7b", 1'720'574'976, 1'720'574'976, 1'720'574'976, 0},
    {"qwen3-4b", 4'022'468'096, 4'022'468'096, 4'022'468'096, 0},
    {"qwen3-8b", 8'190'735'360, 7'568'405'504, 8'190'735'360, 0},
    {"qwen3-14b", 14'768'307'200, 13'990'394'880, 14'768'307'200, 0},
    {"qwen3-32b", 32'762'123'264, 31'984'210'944, 32'762'123'264, 0},
    {"qwen3-30b-a3b", 30'532'122'624, 3'041'867'776, 30'532'122'624, 0},
    {"qwen3-235b-a22b", 235'093'634'560, 21'568'433'664, 235'093'634'560, 0},
    {"qwen3-coder-480b", 480'154'875'392, 34'541'270'528, 480'154'875'392, 0},
    {"qwen3-next-80b-a3b", 79'674'391'296, 3'563'764'480, 81'324'862'720, 0},
    {"qwen3-coder-next", 79'674'391'296, 3'563'764'480, 79'674'391'296, 0},
    {"qwen3.5-27b", 26'895'998'464, 25'624'600'064, 27'781'427'952, 0},
    {"qwen3.5-35b-a3b", 34'660'610'688, 2'946'429'568, 35'951'822'704, 0},
    {"qwen3.5-122b-a10b", 122'111'526'912, 9'008'449'536, 125'086'497'008, 0},
    {"qwen3.5-397b-a17b", 396'346'350'336, 16'331'922'176, 403'397'928'944, 0},
    {"qwen3.8-2.4t-a95b", 2'419'804'697'984, 93'253'629'312, 0, 0},
    {"deepseek-v2-lite", 15'706'484'224, 2'451'435'008, 15'706'484'224, 0},
    {"deepseek-v3", 671'026'419'200, 36'625'618'432, 684'531'386'000, 0},
    {"deepseek-v3.2", 671'877'944'064, 37'477'143'296, 685'396'921'376, 0},
    {"kimi-k2", 1'026'408'232'448, 31'687'095'808, 1'026'470'731'056, -3'416},
    {"gpt-oss-20b", 20'914'757'184, 3'608'307'264, 20'914'757'184, 0},
    {"gpt-oss-120b", 116'829'156'672, 5'132'849'472, 116'829'156'672, 0},
    {"glm-4.5", 352'797'829'024, 32'856'319'904, 358'337'791'296, 0},
    {"glm-4.5-air", 106'852'251'264, 12'803'372'672, 110'468'824'832, 0},
    {"glm-4.6", 352'797'829'024, 32'856'319'904, 356'785'898'816, 0},
    {"glm-4.7-flash", 29'943'393'920, 3'579'571'840, 31'221'488'576, 0},
    {"glm-5", 743'911'218'432, 40'833'146'112, 753'864'139'008, 0},
    {"minimax-m2", 228'689'764'864, 10'415'956'480, 228'689'764'864, 0},
    {"mistral-7b-v0.1", 7'241'732'096, 7'110'660'096, 7'241'732'096, 0},
    {"mistral-7b-v0.3", 7'248'023'552, 7'113'805'824, 7'248'023'552, 0},
    {"mixtral-8x7b", 46'702'792'704, 12'748'853'248, 46'702'792'704, 0},
    {"mixtral-8x22b", 140'630'071'296, 38'960'142'336, 140'630'071'296, 0},
    {"mistral-large-2", 122'610'069'504, 122'207'416'320, 0, 0},
    {"mistral-small-3", 23'572'403'200, 22'901'314'560, 23'572'403'200, 0},
    {"gemma-2-2b", 2'614'341'888, 2'614'341'888, 2'614'341'888, 0},
    {"gemma-2-9b", 9'241'705'984, 9'241'705'984, 9'241'705'984, 0},
    {"gemma-2-27b", 27'227'128'320, 27'227'128'320, 27'227'128'320, 0},
    {"gemma-3-1b", 999'885'952, 999'885'952, 999'885'952, 0},
    {"gemma-3-4b", 3'880'263'168, 3'880'263'168, 4'300'079'472, 0},
    {"gemma-3-12b", 11'766'034'176, 11'766'034'176, 12'187'325'040, 0},
    {"gemma-3-27b", 27'009'346'304, 27'009'346'304, 27'432'406'640, 0},
    {"phi-3-mini", 3'821'079'552, 3'722'578'944, 3'821'079'552, 0},
    {"phi-3-medium", 13'960'238'080, 13'796'070'400, 13'960'238'080, 0},
    {"phi-4", 14'659'507'200, 14'145'704'960, 14'659'507'200, 0},
    {"nemotron-h-56b", 56'324'350'464, 55'250'608'640, 0, 0},
    {"nemotron-nano-9b-v2", 8'888'227'328, 8'301'024'768, 8'888'227'328, 0},
    {"nemotron-3-nano-30b-a3b", 31'577'940'288, 3'227'754'816, 31'577'937'344, 2'944},
    {"nemotron-3-super-120b-a12b", 120'668'707'840, 12'233'366'528, 123'611'012'096, 20'992},
    {"falcon-180b", 179'522'565'120, 178'557'088'768, 179'522'565'120, 0},
    {"exaone-3.5-7.8b", 7'818'448'896, 7'399'018'496, 7'818'448'896, 0},
    {"exaone-3.5-32b", 32'003'200'000, 31'478'912'000, 32'003'200'000, 0},
    {"exaone-4.0-32b", 32'003'216'384, 31'478'928'384, 32'003'216'384, 0},
    {"exaone-4.0-1.2b", 1'279'391'488, 1'279'391'488, 1'279'391'488, 0},
    {"k-exaone-236b-a23b", 236'571'156'352, 22'724'566'912, 237'099'669'632, 0},
    {"solar-10.7b", 10'731'524'096, 10'600'452'096, 10'731'524'096, 0},
    {"solar-open-100b", 102'651'799'552, 11'249'526'784, 0, 0},
    {"a.x-4.0", 71'892'508'672, 71'053'647'872, 0, 0},
    {"a.x-4.0-light", 7'259'624'960, 6'892'623'360, 7'259'624'960, 0},
    {"a.x-k1", 518'983'070'976, 31'604'946'176, 518'983'059'456, 11'520},
    {"hyperclovax-seed-think-14b", 14'748'112'896, 14'068'635'648, 14'748'112'896, 0},
    {"hyperclovax-seed-think-32b", 32'598'348'800, 31'941'678'080, 33'313'410'304, 0},
    {"command-r-plus", 103'810'674'688, 103'810'674'688, 0, 0},
    {"dbrx", 131'596'523'520, 35'853'146'112, 0, 0},
    {"jamba-1.5-mini", 51'570'323'328, 11'841'875'840, 51'570'323'328, 0},
    {"mamba2-2.7b", 2'702'599'680, 2'702'599'680, 0, 0},
    {"llama-3.3-nemotron-super-49b", 49'867'145'216, 0, 49'867'145'216, 0},
    {"gpt3-175b", 174'615'846'912, 0, 0, 0},
    {"megatron-530b", 529'600'819'200, 0, 0, 0},
    {"megatron-1t", 1'008'038'758'400, 0, 0, 0},
    {"llama-3.1-nemotron-ultra-253b", 253'401'268'224, 0, 0, 0},
    {"kimi-k2.5", 1'026'408'232'448, 0, 1'058'589'420'528, 0},
    {"nemotron-3-ultra-550b-a55b", 549'308'993'536, 0, 0, 0},
    {"exaone-4.5-33b", 32'527'504'384, 0, 0, 0},
};

}  // namespace

TEST_CASE("parameter sums equal the published totals to the integer", "[llm]") {
  const DataFiles files;
  const ModelCatalog catalog(files);
  int exact = 0, with_residual = 0;
  for (const Published& p : kPublished) {
    INFO(p.id);
    const ParameterCounts counts = count_parameters(catalog.find(p.id));
    CHECK(counts.total == p.text);
    if (p.active > 0) CHECK(counts.active == p.active);
    if (p.checkpoint == 0) continue;
    CHECK(counts.checkpoint == p.checkpoint + p.residual);
    ++(p.residual == 0 ? exact : with_residual);
  }
  CHECK(exact >= 67);
  CHECK(with_residual == 4);
}

TEST_CASE("Gemma 4 files hold the tied embedding twice", "[llm]") {
  // Published: 32,682,372,656 for 31B and 26,544,131,376 for 26B-A4B.
  const DataFiles files;
  const ModelCatalog catalog(files);
  const auto dense = count_parameters(catalog.find("gemma-4-31b"));
  CHECK(dense.checkpoint == 32'682'372'656);
  CHECK(dense.duplicates == 262'144LL * 5376);
  CHECK(count_parameters(catalog.find("gemma-4-26b-a4b")).checkpoint == 26'544'131'376);
  // The bf16 copy for MLX holds it once: 62,546,177,752 bytes, with 60 layer scalars and 2 x 1152 more.
  CHECK(2 * (dense.total + dense.vision + 60 + 2304) == 62'546'177'752);
}

TEST_CASE("one size never stands for total and active parameters (field report W20)", "[llm]") {
  // W20, W9: memory follows the total, traffic the active ones.
  const DataFiles files;
  const auto counts = count_parameters(ModelCatalog(files).find("gpt-oss-120b"));
  CHECK(counts.total == 116'829'156'672);
  CHECK(counts.active == 5'132'849'472);
}

TEST_CASE("a release that repeats embedding and head counts more than its like", "[llm]") {
  const DataFiles files;
  const ModelCatalog catalog(files);
  CHECK(count_parameters(catalog.find("glm-4.6")).checkpoint == 356'785'898'816);
  CHECK(count_parameters(catalog.find("glm-4.7")).checkpoint == 358'337'791'296);
}
