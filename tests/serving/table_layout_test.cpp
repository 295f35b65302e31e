#include "model/calibration/range_fit.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

std::vector<RowPrediction> predictions(const CsvTable& table) {
  static const ErrorRanges ranges(shipped_catalog().files(), shipped_catalog().sources());
  return predict_rows(table, CalibrationSet(), ranges);
}

}  // namespace

TEST_CASE("rows of a desktop table are predicted, refused with a reason, or left out as marked",
          "[serving]") {
  const CsvTable table = CsvTable::parse(
      "id,system,n_systems,engine,model,quant,prompt_tokens,generated_tokens,context_depth,batch,metric,"
      "value,note\n"
      "1,DGX Spark (GB10),1,llama.cpp CUDA,gpt-oss-120b,MXFP4,,32,0,1,decode_tok_s,58.72,\n"
      "2,DGX Spark (GB10),1,llama.cpp CUDA,Qwen3-8B,Q4_K_M,2048,,0,1,prefill_tok_s,2991,\n"
      "3,DGX Spark (GB10),1,llama.cpp CUDA,Qwen3-8B,,,32,0,1,decode_tok_s,40,\n"
      "4,DGX Spark (GB10),1,ds4,gpt-oss-120b,MXFP4,,32,0,1,decode_tok_s,14,\n"
      "5,DGX Spark (GB10),1,llama.cpp CUDA,gpt-oss-120b,MXFP4,,32,0,1,decode_tok_s,5,OUTLIER: CPU path\n"
      "6,DGX Spark (GB10),2,llama.cpp CUDA,gpt-oss-120b,MXFP4,,32,0,1,decode_tok_s,60,\n",
      "desktop.csv");
  const auto rows = predictions(table);
  using State = RowPrediction::State;
  REQUIRE(rows.size() == 6);
  CHECK(rows[0].state == State::predicted);
  CHECK(rows[0].predicted == Approx(58.72).epsilon(0.1));
  CHECK(rows[0].low < rows[0].predicted);
  CHECK(rows[1].state == State::predicted);
  CHECK(rows[1].predicted == Approx(2991).epsilon(0.15));
  CHECK(rows[2].state == State::undetermined);
  CHECK(rows[3].state == State::unsupported);
  CHECK_FALSE(rows[3].reason.empty());
  CHECK(rows[4].state == State::excluded);
  CHECK(rows[5].state == State::unsupported);
}

TEST_CASE("rows of a serving table give both times, and a blank precision is predicted both ways",
          "[serving]") {
  const CsvTable table = CsvTable::parse(
      "engine,model,system,precision,mode,isl,osl,concurrency,tp,pp,attention_dp,moe_ep,ttft_ms,tpot_ms\n"
      "vllm,meta-llama/Llama-3.1-70B,h200_sxm,fp8,agg,1024,1024,16,4,1,1,1,150,15\n"
      "vllm,meta-llama/Llama-3.1-70B,h200_sxm,,agg,1024,1024,16,4,1,1,1,150,15\n"
      "vllm,meta-llama/Llama-3.1-70B,h200_sxm,fp8,disagg,1024,1024,16,4,1,1,1,150,15\n",
      "serving.csv");
  const auto rows = predictions(table);
  using State = RowPrediction::State;
  REQUIRE(rows.size() == 6);
  CHECK(rows[0].metric == "ttft_ms");
  CHECK(rows[1].metric == "tpot_ms");
  CHECK(rows[1].state == State::predicted);
  CHECK(rows[1].predicted > 5);
  CHECK(rows[1].predicted < 30);
  CHECK(rows[3].state == State::undetermined);
  CHECK(rows[3].reason.find("fp8") != std::string::npos);
  CHECK(rows[3].low < rows[3].high);
  CHECK(rows[5].state == State::unsupported);
}

TEST_CASE("rows of separate pools are predicted where the workers are counted, and never guessed",
          "[serving]") {
  const std::string header =
      "engine,model,system,precision,mode,isl,osl,concurrency,tp,pp,attention_dp,moe_ep,prefill_workers,"
      "prefill_tp,prefill_pp,prefill_attention_dp,prefill_moe_ep,decode_workers,decode_tp,decode_pp,"
      "decode_attention_dp,decode_moe_ep,ttft_ms,tpot_ms\n";
  const auto row = [](const char* load, const char* pools) {
    return std::string("vllm,meta-llama/Llama-3.1-70B,h200_sxm,fp8,") + load + pools + ",150,15\n";
  };
  const CsvTable table = CsvTable::parse(header + row("disagg,8192,1024,32,,,,", ",1,4,1,1,1,1,4,1,1,1") +
                                             row("disagg,8192,1024,32,,,,", ",1,4,1,1,1,2,4,1,1,1") +
                                             row("agg,8192,1024,32,4,1,1,1", ",,,,,,,,,,") +
                                             row("disagg,8192,1024,32,,,,", ",,4,1,1,1,2,4,1,1,1") +
                                             row("disagg,8192,1024,32,,,,", ",1,4,1,1,1,,4,1,1,1"),
                                         "serving.csv");
  const auto rows = predictions(table);
  using State = RowPrediction::State;
  REQUIRE(rows.size() == 10);
  const auto tpot = [&](std::size_t of) { return rows[2 * of + 1]; };
  CHECK(tpot(0).state == State::predicted);
  // Half the batch on each of two decode workers, and no prefill between the steps of either.
  CHECK(tpot(1).predicted < tpot(0).predicted);
  CHECK(tpot(0).predicted < tpot(2).predicted);
  for (const std::size_t unstated : {3, 4}) {
    CHECK(tpot(unstated).state == State::unsupported);
    CHECK(tpot(unstated).reason == "worker count not stated");
  }
}

TEST_CASE("experts cut finer than kernels multiply lie whole on the ranks", "[serving]") {
  // Experts of DeepSeek-V3 are 2048 wide: 32 ranks would hold 64 columns each, 8 ranks 256.
  const std::string header =
      "engine,model,system,precision,mode,isl,osl,concurrency,tp,pp,attention_dp,moe_ep,prefill_workers,"
      "prefill_tp,prefill_pp,prefill_attention_dp,prefill_moe_ep,decode_workers,decode_tp,decode_pp,"
      "decode_attention_dp,decode_moe_ep,ttft_ms,tpot_ms\n";
  std::string text = header;
  for (const char* decode : {"1,1,1,32,1", "1,1,1,32,32", "1,1,1,8,1", "1,1,1,8,8"})
    text += std::string("sglang,deepseek-ai/DeepSeek-V3,gb200,fp8,disagg,1024,1024,512,,,,,1,1,1,8,8,") +
            decode + ",900,25\n";
  const CsvTable table = CsvTable::parse(text, "serving.csv");
  const auto rows = predictions(table);
  REQUIRE(rows.size() == 8);
  CHECK(rows[1].predicted == Approx(rows[3].predicted));
  CHECK(rows[5].predicted > 1.05 * rows[7].predicted);
}
