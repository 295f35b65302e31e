#include "model/acceptance/bench_model.hpp"
#include "model/calibration/calibration_file.hpp"
#include "model/catalog/catalog.hpp"
#include "tests/acceptance/bench_logs.hpp"
#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>

#include <optional>

using namespace roofplan;
using namespace roofplan::test;
namespace unit = roofplan::model::unit;

namespace {

model::BenchModel named(const std::string& file, const std::string& kind) {
  static const model::Catalog kCatalog;
  model::EngineRate rate;
  rate.model = file;
  rate.kind = kind;
  return bench_model(rate, kCatalog.models());
}

model::Calibration calibration_at(double bandwidth, bool reached) {
  model::Calibration calibration;
  calibration.device.system = "h200_sxm";
  calibration.device.name = "NVIDIA H200";
  model::CalibrationVerdict verdict;
  verdict.name = "bandwidth_bytes_s";
  verdict.measured = bandwidth;
  verdict.datasheet = 4.8e12;
  verdict.reached = reached;
  calibration.verdict.push_back(verdict);
  return calibration;
}

}  // namespace

TEST_CASE("The model of a row of llama-bench is told by its file or its kind", "[acceptance]") {
  CHECK(named("models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "llama 8B Q4_K - Medium").model ==
        "llama-3.1-8b-instruct");
  CHECK(named("models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "").format == "q4_k_m");
  CHECK(named("gpt-oss-120b-mxfp4-00001-of-00003.gguf", "").model == "gpt-oss-120b");
  CHECK(named("gpt-oss-120b-mxfp4-00001-of-00003.gguf", "").format == "mxfp4");
  CHECK(named("gpt-oss 120B MXFP4 MoE", "gpt-oss 120B MXFP4 MoE").model == "gpt-oss-120b");
  CHECK(named("x.gguf", "llama 8B Q4_K - Medium").format == "q4_k_m");
  CHECK(named("x.gguf", "mystery 8B Q8_0").model.empty());
}

TEST_CASE("llama-bench is the same as JSON, CSV and markdown", "[acceptance]") {
  BenchRow prefill, decode, deep;
  prefill.prompt = 512;
  prefill.generated = 0;
  prefill.rate = 2100;
  deep.depth = 4096;
  deep.rate = 25;
  const std::vector<BenchRow> rows{prefill, decode, deep};
  for (const std::string& log : {llama_bench_json(rows), llama_bench_csv(rows), llama_bench_markdown(rows)}) {
    const model::Evidence evidence = evidence_of({{"spark", log}});
    CHECK(evidence.files[0].problems.empty());
    REQUIRE(evidence.engine_rates.size() == 3);
    CHECK(evidence.engine_rates[0].prefill);
    CHECK(evidence.engine_rates[0].tokens == 512);
    CHECK(evidence.engine_rates[0].rate / unit::tok_s == Approx(2100));
    CHECK_FALSE(evidence.engine_rates[1].prefill);
    CHECK(evidence.engine_rates[1].tokens == 128);
    CHECK(evidence.engine_rates[2].depth == 4096);
    CHECK(evidence.engine_rates[1].kind == "llama 8B Q8_0");
  }
}

TEST_CASE("A healthy GB10 passes llama-bench, and one in its slow state fails", "[acceptance]") {
  // Published for GB10: gpt-oss-20b MXFP4 prefill 4,506 tokens/s; the slow state takes three times as long.
  BenchRow row;
  row.file = "gpt-oss-20b-mxfp4.gguf";
  row.kind = "gpt-oss 20B MXFP4 MoE";
  row.prompt = 2048;
  row.generated = 0;
  row.rate = 4505.82;
  const auto verdict = [&](double rate) {
    row.rate = rate;
    return checks_named(judge(evidence_of({{"spark", llama_bench_json({row})}}), promise_of("gb10")),
                        "llama_bench.prefill")
        .at(0);
  };
  CHECK(verdict(4505.82).pass == true);
  CHECK(verdict(4505.82 / 3.3).pass == false);
  // Healthy boxes lie a little below the prediction as often as above it.
  const double expected = number_in(verdict(4505.82).expected);
  CHECK(verdict(0.97 * expected).pass == true);
  CHECK(verdict(0.49 * expected).pass == false);
}

TEST_CASE("llama-bench above what the datasheet allows is of something else and leaves the verdict open",
          "[acceptance]") {
  const auto verdict = [](BenchRow row, double rate) {
    row.rate = rate;
    const model::Evidence evidence = evidence_of({{"spark", llama_bench_json({row})}});
    const auto acceptance = judge(evidence, promise_of("gb10"));
    REQUIRE(acceptance.checks.size() == 1);
    const bool open = acceptance.checks[0].reason.key == "accept.engine.above";
    CHECK(acceptance.checks[0].pass == (open ? std::nullopt : std::optional(true)));
    CHECK(verdict_of(acceptance, evidence) ==
          (open ? model::Acceptance::Verdict::incomplete : model::Acceptance::Verdict::pass));
    return open;
  };
  // Llama-3.1-8B in Q8_0 reads 8.030 - 0.525 (input embedding) billion parameters of 34/32 bytes for a token,
  // 7.97 GB, and 64 tokens of cache: GB10's 273 GB/s allow 34.2 tokens/s.
  BenchRow row;
  CHECK_FALSE(verdict(row, 34.0));
  CHECK(verdict(row, 34.5));
  // A prompt takes 2 x 6.98 billion FLOP a token, the head once: 500 TFLOP/s allow 35,800 tokens/s.
  row.prompt = 2048;
  row.generated = 0;
  CHECK_FALSE(verdict(row, 35000));
  CHECK(verdict(row, 36200));
  // A short one waits for the weights and 67 MB of cache all the same: 29.5 ms for 512 tokens.
  row.prompt = 512;
  CHECK_FALSE(verdict(row, 17200));
  CHECK(verdict(row, 17600));
}

TEST_CASE("llama-bench may miss its prediction by twice what one of ten healthy rows does", "[acceptance]") {
  // A range of times up to 1.25 is one of rates down to 0.8: twice 0.2 below.
  using Basis = model::EngineSpeed::Basis;
  model::ErrorRanges ranges;
  for (const Basis basis : {Basis::machine, Basis::catalogue, Basis::family, Basis::datasheet})
    ranges.add("llama.cpp", model::Estimate::token_alone, basis, {0.9, 1.25, 100});
  model::Promise promise = promise_of("gb10");
  promise.ranges = &ranges;
  const auto check_at = [&](double rate) {
    BenchRow row;
    row.rate = rate;
    return judge(evidence_of({{"spark", llama_bench_json({row})}}), promise).checks.at(0);
  };
  const double expected = number_in(check_at(28).expected);
  CHECK(check_at(28).tolerance == Approx(0.4));
  CHECK(check_at(0.61 * expected).pass == true);
  CHECK(check_at(0.59 * expected).pass == false);
}

TEST_CASE("A row of llama-bench may have been spread over all GPUs of the box", "[acceptance]") {
  // Of eight H200 each reads an eighth: 8 x 4,800 GB/s over 7.97 GB are 4,810 tokens/s.
  BenchRow row;
  for (const auto& [rate, above] : {std::pair{4700.0, false}, std::pair{4900.0, true}}) {
    row.rate = rate;
    const auto acceptance = judge(evidence_of({{"n1", llama_bench_json({row})}}), promise_of("dgx-h200"));
    CHECK((acceptance.checks.at(0).reason.key == "accept.engine.above") == above);
  }
}

TEST_CASE("A model that is not known is compared with its like only", "[acceptance]") {
  std::vector<std::pair<std::string, std::string>> logs;
  for (const std::string& host : host_names(5)) {
    BenchRow row;
    row.file = "house-blend-Q8_0.gguf";
    row.kind = "house blend Q8_0";
    row.rate = host == "node002" ? 19 : 30;
    logs.emplace_back(host, llama_bench_csv({row}));
  }
  const auto acceptance = judge(evidence_of(logs), promise_of("gb10"));
  CHECK(acceptance.failed() == 0);
  REQUIRE(acceptance.outliers.size() == 1);
  CHECK(acceptance.outliers[0].node == "node002");
}

TEST_CASE("Calibration files are held against their datasheet and against each other", "[acceptance]") {
  std::vector<std::pair<std::string, std::string>> logs;
  for (const std::string& host : host_names(4))
    logs.emplace_back(host + ".json", calibration_text(host == "node003" ? calibration_at(3.1e12, false)
                                                                         : calibration_at(4.3e12, true)));
  const auto acceptance = judge(evidence_of(logs), promise_of("dgx-h200"));
  const auto checks = checks_named(acceptance, "calibration.bandwidth_bytes_s");
  REQUIRE(checks.size() == 4);
  CHECK(checks[0].pass == true);
  CHECK(checks[2].pass == false);
  REQUIRE(acceptance.outliers.size() == 1);
  CHECK(acceptance.outliers[0].node == "node003");
}
