#include "model/calibration/serving_rules.hpp"

#include "model/calibration/validate.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace roofplan::model;

namespace {

/// Passes every rule: 16 of 16 places, a token each 10 ms after 200 ms, where the bytes alone take 5 ms.
ServedRow plain() {
  ServedRow row;
  row.concurrency = 16;
  row.output_tokens = 100;
  row.places = 16;
  row.ttft = 200.0 * unit::ms;
  row.tpot = 10.0 * unit::ms;
  row.shortest_step = 5.0 * unit::ms;
  row.shortest_prompt = 20.0 * unit::ms;
  return row;
}

}  // namespace

TEST_CASE("a token that comes faster than its bytes can be read breaks a rule", "[calibration]") {
  ServedRow row = plain();
  CHECK(broken_rule(row).empty());
  // 15 other prompts of 20 ms over 100 tokens: 3 ms a token, beside 5 ms / 0.92 = 5.43 ms.
  row.tpot = 8.5 * unit::ms;
  CHECK(broken_rule(row).empty());
  row.tpot = 8.4 * unit::ms;
  CHECK(broken_rule(row) == "faster than its memory and arithmetic");
}

TEST_CASE("a first token later than two seconds and two hundred steps was queued", "[calibration]") {
  ServedRow row = plain();
  row.ttft = 1.99 * unit::s;
  row.tpot = 9.0 * unit::ms;
  CHECK(broken_rule(row).empty());
  row.ttft = 2.01 * unit::s;
  CHECK(broken_rule(row) == "requests queued before they started");
  row.tpot = 10.1 * unit::ms;  // 2.01 s is 199 steps
  CHECK(broken_rule(row).empty());
}

TEST_CASE("a row whose open requests are not its places breaks a rule, one that states no places does not",
          "[calibration]") {
  ServedRow row = plain();
  row.places = 8;
  CHECK(broken_rule(row) == "open requests differ from the stated places");
  row.places.reset();
  CHECK(broken_rule(row).empty());
}

TEST_CASE("weights above the memory of all stated devices break a rule, whatever was measured",
          "[calibration]") {
  // Qwen3-235B in FP8 is 235 GB, an H200 has 141: one does not hold it, two do.
  const CsvTable table = CsvTable::parse(
      "engine,engine_version,model,system,precision,mode,isl,osl,concurrency,tp,pp,attention_dp,moe_ep,ttft_"
      "ms,"
      "tpot_ms\n"
      "vllm,0.12.0,Qwen/Qwen3-235B-A22B-FP8,h200_sxm,fp8,agg,1000,500,4,1,1,1,1,500,50\n"
      "vllm,0.12.0,Qwen/Qwen3-235B-A22B-FP8,h200_sxm,fp8,agg,1000,500,4,2,1,1,1,500,50\n",
      "serving.csv");
  const auto rows = layout_of(table).predict(table, CalibrationSet());
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].rule == "weights exceed the stated devices");
  CHECK(rows[3].rule.empty());
}

TEST_CASE("series that ran speculative decoding without saying so are named by build, model and plan",
          "[calibration]") {
  CHECK(speculates_unsaid("trtllm", "1.2.0rc6.post3", "deepseek-ai/DeepSeek-R1", "fp4", 8, 1));
  CHECK_FALSE(speculates_unsaid("trtllm", "1.2.0rc6.post2", "deepseek-ai/DeepSeek-R1", "fp4", 8, 1));
  CHECK_FALSE(speculates_unsaid("trtllm", "1.2.0rc6.post3", "openai/gpt-oss-120b", "fp4", 8, 1));
  CHECK(speculates_unsaid("sglang", "0.5.9", "Qwen/Qwen3.5-397B-A17B", "fp8", 4, 1));
  CHECK_FALSE(speculates_unsaid("sglang", "0.5.9", "Qwen/Qwen3.5-397B-A17B", "fp8", 4, 4));
  CHECK_FALSE(speculates_unsaid("sglang", "0.5.10.post1", "Qwen/Qwen3.5-397B-A17B", "fp8", 4, 1));
  ServedRow row = plain();
  row.speculates = true;
  CHECK(broken_rule(row) == "speculative decoding that is not stated");
}

TEST_CASE("rows that break a rule count in every row and not in the rows that pass", "[calibration]") {
  std::vector<RowPrediction> rows(3);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].row = i;
    rows[i].metric = "tpot_ms";
    rows[i].measured = 10;
    rows[i].low = 9;
    rows[i].high = 14;
  }
  rows[0].predicted = 11;
  rows[1].predicted = 12;
  rows[2].predicted = 30;
  rows[2].low = 25;
  rows[2].rule = "requests queued before they started";
  const Validation v = validate(rows);
  const ValidationScore& score = v.overall.at(0).second;
  CHECK(score.errors.n == 3);
  CHECK(score.errors.median_ape == Approx(0.2));
  CHECK(score.passing.n == 2);
  CHECK(score.passing.median_ape == Approx(0.15));
  CHECK(score.coverage.value() == Approx(2.0 / 3));
  CHECK(v.rules.at("requests queued before they started") == 1);
  CHECK(v.reasons.empty());
}

TEST_CASE("a serving row that no memory could have served is predicted, and marked", "[calibration]") {
  // Llama-3.1-70B in FP8 is 70 GB: on one H200 of 4.8 TB/s a step takes 14.6 ms at the datasheet's rate.
  const CsvTable table = CsvTable::parse(
      "engine,model,system,precision,mode,isl,osl,concurrency,batch_size,tp,pp,attention_dp,moe_ep,ttft_ms,"
      "tpot_ms\n"
      "trtllm,meta-llama/Llama-3.1-70B,h200_sxm,fp8,agg,1024,1024,4,4,1,1,1,1,150,12\n"
      "trtllm,meta-llama/Llama-3.1-70B,h200_sxm,fp8,agg,1024,1024,4,4,1,1,1,1,150,19\n",
      "serving.csv");
  const auto rows = layout_of(table).predict(table, CalibrationSet());
  REQUIRE(rows.size() == 4);
  CHECK(rows[1].state == RowPrediction::State::predicted);
  CHECK(rows[1].rule == "faster than its memory and arithmetic");
  CHECK(rows[3].rule.empty());
  const CsvTable out = CsvTable::parse(predictions_csv(table, rows), "out.csv");
  CHECK(out.number(0, out.column("ttft_ms_predicted")) == Approx(rows[0].predicted).epsilon(1e-5));
  CHECK(out.number(0, out.column("tpot_ms_predicted")) == Approx(rows[1].predicted).epsilon(1e-5));
  CHECK(out.number(0, out.column("predicted")) == Approx(rows[1].predicted).epsilon(1e-5));
  CHECK(out.text(0, out.column("rule")) == rows[1].rule);
}
