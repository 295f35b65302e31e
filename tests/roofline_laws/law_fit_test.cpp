#include "model/calibration/kernels/attention_calibration.hpp"
#include "model/calibration/kernels/expert_calibration.hpp"
#include "model/calibration/kernels/gemm_calibration.hpp"
#include "model/calibration/kernels/kernel_chip.hpp"
#include "model/calibration/table_layout.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>

using namespace roofplan::model;

namespace {

const LawChip kChip{.sm_count = 132,
                    .memory_bandwidth = 3350 * unit::GB_s,
                    .matrix_rate = 989 * unit::TFLOP_s,
                    .l2 = 50 * unit::MB};

/// Multiplies times by 2 % of noise, and one in twenty by three.
class Disturbance {
 public:
  double operator()() { return std::exp(0.02 * normal_(random_)) * (outlier_(random_) ? 3.0 : 1.0); }

 private:
  std::mt19937_64 random_{11};
  std::normal_distribution<double> normal_;
  std::bernoulli_distribution outlier_{0.05};
};

GemmLaw true_gemm() {
  GemmLaw law;
  law.sm_count = 132;
  law.largest_split = 1;
  law.rows = TileRows::only_128;
  law.columns = TileColumns::doubling;
  law.launch = 2.5 * unit::us;
  law.matrix_rate = 800 * unit::TFLOP_s;
  law.sm_rate = 200 * unit::GB_s;
  law.memory_rate = 2900 * unit::GB_s;
  law.tile_setup = 0.8 * unit::us;
  law.k_step = 0.5 * unit::ns;
  law.tile_floor = 0.1 * unit::us;
  law.wave_smoothing = 0.4;
  law.throttle = 0.1;
  return law;
}

std::vector<GemmPoint> gemm_points() {
  std::vector<GemmPoint> points;
  Disturbance disturbance;
  for (const double m : {1, 8, 64, 256, 1024, 4096, 16384}) {
    for (const double n : {1024, 2560, 4096, 7168, 16384}) {
      for (const double k : {1024, 3072, 8192, 16384}) {
        points.push_back({{m, n, k}, gemm_time({m, n, k}, true_gemm()) * disturbance()});
      }
    }
  }
  return points;
}

}  // namespace

TEST_CASE("A fit finds the rates and the tiles that made noisy points with outliers",
          "[roofline_laws][slow]") {
  const GemmFormat& format = *find_gemm_format("bfloat16");
  const auto fitted = fit_gemm(format, kChip, gemm_points());
  REQUIRE(fitted);
  CHECK(fitted->choice("largest_split") == "1");
  CHECK(fitted->value("matrix_rate") == Approx(800).epsilon(0.05));
  CHECK(fitted->value("memory_rate") == Approx(2900).epsilon(0.05));
  CHECK(fitted->value("launch") == Approx(2.5).epsilon(0.15));
  CHECK(fitted->residuals.median_ape < 0.03);

  // What is written is what is read.
  Calibration calibration;
  calibration.device.system = "somewhere";
  calibration.set(*fitted);
  const auto read = gemm_law(parse_calibration(calibration_text(calibration), "test.json"), format);
  REQUIRE(read);
  for (const GemmShape& shape : {GemmShape{1, 4096, 4096}, {300, 5000, 2000}, {16384, 8192, 8192}}) {
    CHECK(gemm_time(shape, *read) / gemm_time(shape, true_gemm()) == Approx(1).epsilon(0.06));
  }
}

TEST_CASE("Points of a chip that a user's data adds are fitted, and without that data they are not",
          "[roofline_laws][slow]") {
  DataFiles files;
  files.lay_over("chips/lab-chip.json", files.text("chips/h100-sxm.json"), "lab/chips/lab-chip.json");
  std::string text = "system,dtype,m,n,k,latency_ms\n";
  for (const GemmPoint& p : gemm_points())
    text += fmt::format("lab_chip,bfloat16,{:.0f},{:.0f},{:.0f},{:.9g}\n", p.shape.m, p.shape.n, p.shape.k,
                        p.time / unit::ms);
  const CsvTable tables[] = {CsvTable::parse(text, "lab.csv")};
  CHECK(calibrate_from(tables).at(0).fit.empty());
  const Calibration fitted = calibrate_from(tables, {}, CalibrationSet(files)).at(0);
  CHECK(fitted.at("gemm/bfloat16").value("matrix_rate") == Approx(800).epsilon(0.05));
}

TEST_CASE("A parameter that the points say nothing about is not determined", "[roofline_laws][slow]") {
  // Microseconds only: nothing shows what happens after 0.4 ms.
  std::vector<GemmPoint> points;
  Disturbance disturbance;
  for (const double m : {1, 128, 256}) {
    for (double n = 1024; n < 4200; n *= 1.2) {
      for (const double k : {512, 1024, 2048})
        points.push_back({{m, n, k}, gemm_time({m, n, k}, true_gemm()) * disturbance()});
    }
  }
  const auto fitted = fit_gemm(*find_gemm_format("bfloat16"), kChip, points);
  REQUIRE(fitted);
  for (const CalibratedValue& value : fitted->values) {
    if (value.name == "throttle") CHECK_FALSE(value.determined);
    if (value.name == "launch") CHECK(value.determined);
  }
}

TEST_CASE("Too few points give no law", "[roofline_laws]") {
  std::vector<GemmPoint> points = gemm_points();
  points.resize(10);
  CHECK_FALSE(fit_gemm(*find_gemm_format("bfloat16"), kChip, points));
}

TEST_CASE("An expert law is found again", "[roofline_laws][slow]") {
  ExpertGemmLaw truth;
  truth.weight_bytes = 1;
  truth.launch = 20 * unit::us;
  truth.memory_rate = 2800 * unit::GB_s;
  truth.matrix_rate = 600 * unit::TFLOP_s;
  truth.sm_count = kChip.sm_count;
  truth.input_bytes = 1;
  truth.sm_rate = 120 * unit::GB_s;
  truth.tile_setup = 1 * unit::us;
  truth.k_step = 1 * unit::ns;
  truth.routed_bytes = 20;
  truth.per_local_expert = 60 * unit::ns;
  truth.per_token_doubling = 0.5 * unit::us;
  std::vector<ExpertPoint> points;
  Disturbance disturbance;
  for (const double tokens : {1, 4, 16, 64, 256, 1024, 4096, 16384}) {
    for (const double ranks : {1, 2, 8}) {
      for (const double inner : {768, 2048, 8192}) {
        const RoutedLayer layer{tokens, 8, 128, ranks};
        const ExpertGemmShape shape{tokens, 8, 4096, inner, 128 / ranks, true, uniform_load(layer)};
        points.push_back({shape, expert_gemm_time(shape, truth) * disturbance()});
      }
    }
  }
  LawChip chip = kChip;
  chip.matrix_rate = 1979 * unit::TFLOP_s;
  const auto fitted = fit_experts(*find_expert_format("fp8"), "cutlass", chip, points);
  REQUIRE(fitted);
  CHECK(fitted->value("memory_rate") == Approx(2800).epsilon(0.05));
  CHECK(fitted->value("matrix_rate") == Approx(600).epsilon(0.15));
  CHECK(fitted->value("launch") == Approx(20).epsilon(0.2));
}

TEST_CASE("Tables name chips by their catalogue ids with underscores", "[roofline_laws]") {
  const DataFiles files;
  const auto b200 = kernel_chip(files, "b200_sxm", "nvfp4");
  REQUIRE(b200);
  CHECK(b200->sm_count == 148);
  CHECK(b200->matrix_rate / unit::TFLOP_s == Approx(9000));
  CHECK(kernel_chip(files, "rtx_pro_6000_server", "bf16")->sm_count == 188);
  CHECK(kernel_chip(files, "a100_sxm", "fp8")->matrix_rate / unit::TFLOP_s == Approx(312));  // has no FP8
  CHECK_FALSE(kernel_chip(files, "abacus", "bf16"));
}
