#include "model/calibration/kernels/kernel_layouts.hpp"

#include "model/calibration/validate.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

std::vector<RowPrediction> predict(const std::string& text) {
  const CsvTable table = CsvTable::parse(text, "points.csv");
  return layout_of(table).predict(table, CalibrationSet());
}

}  // namespace

TEST_CASE("Each table of kernels is told by its header", "[roofline_laws]") {
  const auto name = [](const std::string& header) {
    return layout_of(CsvTable::parse(header + "\n", "points.csv")).name;
  };
  CHECK(name("system,dtype,m,n,k,latency_ms") == "matrix products");
  CHECK(name("system,batch,kv_len,heads,kv_heads,head_dim,window,attn_dtype,kv_dtype,latency_ms") ==
        "decode attention");
  CHECK(name("system,batch,isl,heads,kv_heads,head_dim,window,attn_dtype,kv_dtype,latency_ms") ==
        "prefill attention");
  CHECK(name("system,batch,kv_len,heads,dtype,kv_dtype,latency_ms") == "decode of latent attention");
  CHECK(name("system,batch,isl,heads,dtype,kv_dtype,latency_ms") == "prefill of latent attention");
  CHECK(name("system,dtype,tokens,hidden,inter,topk,experts,tp,ep,distribution,kernel,latency_ms") ==
        "routed experts");
}

TEST_CASE("Rows without a law say why", "[roofline_laws]") {
  const auto rows = predict(
      "system,dtype,m,n,k,latency_ms\n"
      "abacus,bfloat16,1,1024,1024,0.01\n"
      "h100_sxm,base17,1,1024,1024,0.01\n");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].state == RowPrediction::State::unsupported);
  CHECK(rows[0].reason == "no calibration of the system abacus");
  CHECK(rows[1].state == RowPrediction::State::unsupported);
  CHECK(rows[1].reason.find("base17") != std::string::npos);
}

TEST_CASE("A size that is no number is an error with its line", "[roofline_laws]") {
  try {
    predict("system,dtype,m,n,k,latency_ms\nh100_sxm,bfloat16,1,many,1024,0.01\n");
    FAIL("accepted");
  } catch (const InputError& e) {
    CHECK(e.where().line == 2);
    CHECK(e.where().pointer == "n");
  }
}

TEST_CASE("A distribution of tokens that is not known is a reason, not an error", "[roofline_laws]") {
  const auto rows = predict(
      "system,dtype,tokens,hidden,inter,topk,experts,tp,ep,distribution,kernel,latency_ms\n"
      "h100_sxm,fp8_block,1,4096,1536,8,128,1,1,lumpy,cutlass,0.1\n");
  CHECK(rows.at(0).state == RowPrediction::State::unsupported);
  CHECK(rows.at(0).reason == "unknown distribution of tokens over experts: lumpy");
}
