#include "model/calibration/range_fit.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

using State = RowPrediction::State;

std::vector<RowPrediction> predictions(const std::string& rows) {
  static const ErrorRanges ranges(shipped_catalog().files(), shipped_catalog().sources());
  const CsvTable table = CsvTable::parse(
      "system,n_gpus,engine,model,precision_weights,tp,pp,ep,dp,isl,osl,batch_or_concurrency,metric,value,"
      "note,source\n" +
          rows,
      "datacentre.csv");
  return predict_rows(table, CalibrationSet(), ranges);
}

}  // namespace

TEST_CASE("published throughput of a full server is predicted by what its memory lets run", "[serving]") {
  const auto rows = predictions(
      "H100,1,TensorRT-LLM,Llama 3.1 8B,FP8,1,1,,,1000,1000,max load,output_tok_s,16000,,\n"
      "H100,1,TensorRT-LLM,Llama 3.1 8B,FP8,1,1,,,1000,1000,max load,output_tok_s_gpu,16000,,\n"
      "H200,8,TensorRT-LLM,Llama 3.3 70B,FP8,8,1,,,1000,1000,conc 16,tpot_ms,9,,\n");
  for (const RowPrediction& row : rows) {
    INFO(row.reason);
    REQUIRE(row.state == State::predicted);
    CHECK(row.low < row.predicted);
    CHECK(row.high > row.predicted);
  }
  CHECK(rows[0].predicted == Approx(rows[1].predicted));
  // 989 dense bf16 TFLOP/s twice over in FP8 are 123,000 tokens of 16 GFLOP a second; a cache of 128 KiB a
  // token in bf16, half in FP8, read at 3.35 TB/s with 1500 tokens each gives at most 34,000.
  CHECK(rows[0].predicted > 8e3);
  CHECK(rows[0].predicted < 34e3);
  CHECK(rows[2].predicted > 4);
  CHECK(rows[2].predicted < 20);
}

TEST_CASE("rows of published figures that say too little are refused with what is missing", "[serving]") {
  const auto rows = predictions(
      "B200-SXM-180GB / XE9680L,8,MLPerf submission,DeepSeek-R1,fp4,,,,,MLPerf dataset,3692.7,Offline,"
      "output_tok_s,30493,,\n"
      "B200,8,TensorRT-LLM,DeepSeek-R1,NVFP4,8,1,,,1000,1000,unknown,output_tok_s,30000,,\n"
      "GB300,72,Megatron-Bridge,DeepSeek-V3,FP8,1,1,,,,,,train_tok_s_gpu,6338,,\n"
      "H100,1,TensorRT-LLM,Llama 3.1 405B,FP8,1,1,,,1000,1000,max load,output_tok_s,100,,\n"
      "H100,8,nccl-tests,,,,,,,,,,busbw_GBs,400,all_reduce,\n");
  CHECK(rows[0].reason == "the input length is not stated");
  CHECK(rows[1].reason == "neither open requests nor an offline run are stated");
  CHECK(rows[2].reason == "a training run, which no row here states whole");
  CHECK(rows[3].reason == "does not fit as stated");
  CHECK(rows[4].reason == "no message size is stated");
  for (const RowPrediction& row : rows) CHECK(row.state == State::unsupported);
}

TEST_CASE("bare rates of links, products and memory are predicted below their datasheet", "[serving]") {
  const auto rows = predictions(
      "H100 SXM,8,nccl-tests all_reduce_perf,,,,,,,,,8GiB,busbw_GBs,470,all_reduce,\n"
      "H100 SXM,1,cuBLASLt,,FP8,,,,,,,8192x8192x8192,gemm_tflops,1290,,\n"
      "H100 SXM,1,BabelStream Triad,,,,,,,,,,membw_GBs,2970,HBM Triad,\n");
  for (const RowPrediction& row : rows) REQUIRE(row.state == State::predicted);
  // NVLink 4 carries 450 GB/s each way; reducing in the switch lifts the bus rate above it, by at most 2.
  CHECK(rows[0].predicted > 225);
  CHECK(rows[0].predicted < 900);
  CHECK(rows[1].predicted > 900);
  CHECK(rows[1].predicted < 1979);
  CHECK(rows[2].predicted > 0.7 * 3350);
  CHECK(rows[2].predicted < 3350);
}

TEST_CASE("a published run has the requests, the layout and the cache that its publisher tells",
          "[serving]") {
  const auto rows = predictions(
      // 1000 requests of 1024 + 32768 tokens in all.
      "B200,1,TensorRT-LLM,Llama 3.3 70B,NVFP4,1,1,,,1024,32768,max "
      "load,output_tok_s,1000,,perf-overview.md\n"
      "B200,1,TensorRT-LLM,Llama 3.3 70B,NVFP4,1,1,,,1024,32768,1000,output_tok_s,1000,,\n"
      "B200,1,TensorRT-LLM,Llama 3.3 70B,NVFP4,1,1,,,1024,32768,max load,output_tok_s,1000,,\n"
      // Models with experts share requests over the ranks.
      "B200,8,TensorRT-LLM,Llama 4 Maverick,NVFP4,8,1,,,1000,3000,max "
      "load,output_tok_s,1000,,perf-overview.md\n"
      "B200,8,TensorRT-LLM,Llama 4 Maverick,NVFP4,8,1,,8,1000,3000,max load,output_tok_s,1000,,\n"
      "B200,8,TensorRT-LLM,Llama 4 Maverick,NVFP4,8,1,,,1000,3000,max load,output_tok_s,1000,,\n"
      // gpt-oss on Hopper keeps 16 bits: half as many requests run at once.
      "H200,1,TensorRT-LLM,GPT-OSS 20B,MXFP4,1,1,,,2000,30000,max load,output_tok_s,1000,,perf-overview.md\n"
      "H200,1,TensorRT-LLM,GPT-OSS 20B,MXFP4,1,1,,,2000,30000,max load,output_tok_s,1000,,\n");
  for (const RowPrediction& row : rows) REQUIRE(row.state == State::predicted);
  // A last round of few requests: never faster than without an end.
  CHECK(rows[0].predicted < rows[2].predicted);
  CHECK(rows[1].predicted == Approx(rows[2].predicted));
  CHECK(rows[3].predicted == Approx(rows[4].predicted));
  CHECK(rows[3].predicted > 1.2 * rows[5].predicted);
  CHECK(rows[6].predicted < rows[7].predicted);
}

TEST_CASE("a run ends with a round of the requests that are left", "[serving]") {
  // As many as fit at once are the whole run: nothing waits, and the last round is the first.
  const auto rows = predictions(
      "B200,8,TensorRT-LLM,Llama 3.1 8B,FP8,8,1,,,1024,8192,max load,output_tok_s,1000,,perf-overview.md\n"
      "B200,8,TensorRT-LLM,Llama 3.1 8B,FP8,8,1,,,1024,8192,1500,output_tok_s,1000,,\n");
  CHECK(rows[0].predicted == Approx(rows[1].predicted));
}
