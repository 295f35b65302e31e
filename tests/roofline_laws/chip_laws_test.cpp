#include "model/calibration/kernels/chip_laws.hpp"

#include "model/json/embedded.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

double bf16_rate(const ChipLaws& laws, double size) {
  const GemmShape cube{size, size, size};
  return 2.0 * size * size * size / (gemm_time(cube, *laws.gemm("bfloat16")) / unit::s);
}

/// Weight bytes per second of a single token, launch left out.
double streaming_rate(const ChipLaws& laws) {
  const GemmLaw law = *laws.gemm("bfloat16");
  const GemmShape token{1, 16384, 16384};
  return 16384.0 * 16384 * 2 / ((gemm_time(token, law) - law.launch) / unit::s);
}

}  // namespace

TEST_CASE("Catalogue calibrations hold parameters, not tables: each file is below 20 kB", "[roofline_laws]") {
  int files = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("calibrations/")) continue;
    INFO(file.path);
    CHECK(file.text.size() < 20'000);
    const Calibration calibration = parse_calibration(file.text, std::string(file.path));
    CHECK(calibration.find("gemm/bfloat16") != nullptr);
    CHECK(calibration.find("attention_decode/bfloat16/grouped") != nullptr);
    ++files;
  }
  CHECK(files >= 8);
}

TEST_CASE("Measured chips have laws of their own, near what the datasheet allows", "[roofline_laws]") {
  struct Sheet {
    const char* chip;
    double bf16_tflop_s, memory_tb_s;  ///< datasheets
  };
  const CalibrationSet calibrations;
  for (const Sheet& sheet : {Sheet{"h100-sxm", 989, 3.35},
                             {"h200-sxm", 989, 4.8},
                             {"b200-sxm", 2250, 7.7},
                             {"gb300", 2500, 8.0},
                             {"a100-sxm", 312, 2.039}}) {
    INFO(sheet.chip);
    const ChipLaws laws(calibrations, sheet.chip);
    REQUIRE(laws.any());
    CHECK_FALSE(laws.inherited());
    CHECK(bf16_rate(laws, 8192) / 1e12 < sheet.bf16_tflop_s);
    CHECK(bf16_rate(laws, 8192) / 1e12 > 0.55 * sheet.bf16_tflop_s);
    CHECK(streaming_rate(laws) / 1e12 < sheet.memory_tb_s);
    CHECK(streaming_rate(laws) / 1e12 > 0.7 * sheet.memory_tb_s);
  }
}

TEST_CASE("A chip without kernel measurements inherits its family's laws by the datasheet, and says so",
          "[roofline_laws]") {
  const CalibrationSet calibrations;
  const ChipLaws gb10(calibrations, "gb10"), parent(calibrations, "rtx-pro-6000");
  CHECK(gb10.inherited());
  CHECK(gb10.fitted_on() == "rtx_pro_6000_server");
  CHECK_FALSE(parent.inherited());
  CHECK(gb10.gemm("bfloat16")->sm_count == 48);
  // 273 of 1792 GB/s and 125 of 468 TFLOP/s.
  CHECK(streaming_rate(gb10) / streaming_rate(parent) == Approx(273.0 / 1792).epsilon(0.1));
  CHECK(bf16_rate(gb10, 8192) / bf16_rate(parent, 8192) == Approx(125 / 467.8).epsilon(0.1));
  CHECK(gb10.range("gemm/bfloat16") > parent.range("gemm/bfloat16"));
  CHECK(ChipLaws(calibrations, "h100-pcie").fitted_on() == "h100_sxm");
}

TEST_CASE("A chip that a user's data adds inherits its family's laws by its own datasheet",
          "[roofline_laws]") {
  DataFiles files;
  std::string sheet = files.text("chips/gb10.json");
  for (const auto& [from, to] : {std::pair{"\"id\": \"gb10\"", "\"id\": \"lab-chip\""},
                                 std::pair{"\"value\": 273", "\"value\": 546"}}) {
    REQUIRE(sheet.find(from) != std::string::npos);
    sheet.replace(sheet.find(from), std::string(from).size(), to);
  }
  files.lay_over("chips/lab-chip.json", sheet, "lab/chips/lab-chip.json");
  const CalibrationSet calibrations(files);
  const ChipLaws lab(calibrations, "lab-chip"), gb10(calibrations, "gb10");
  CHECK(lab.fitted_on() == "rtx_pro_6000_server");
  CHECK(streaming_rate(lab) / streaming_rate(gb10) == Approx(2).epsilon(0.1));
  CHECK_FALSE(ChipLaws(CalibrationSet(), "lab-chip").any());
}

TEST_CASE("A chip of a family without measurements has no kernel law", "[roofline_laws]") {
  const ChipLaws laws(CalibrationSet(), "m3-ultra");
  CHECK_FALSE(laws.any());
  CHECK_FALSE(laws.gemm("bfloat16"));
  CHECK(laws.expert_kernels("nvfp4").empty());
  CHECK(laws.range("gemm/bfloat16") == 1.0);
}

TEST_CASE("Experts in NVFP4 on B200 have a second kernel, as much faster as the pairs measured",
          "[roofline_laws]") {
  const CalibrationSet calibrations;
  const ChipLaws laws(calibrations, "b200-sxm");
  const auto kernels = laws.expert_kernels("nvfp4");
  REQUIRE(std::find(kernels.begin(), kernels.end(), "min_latency") != kernels.end());
  REQUIRE(std::find(kernels.begin(), kernels.end(), "cutlass") != kernels.end());
  const auto time = [&](double tokens, const char* kernel) {
    const RoutedLayer layer{tokens, 8, 256, 8};
    return expert_gemm_time({tokens, 8, 7168, 2048, 32, true, uniform_load(layer)},
                            *laws.experts("nvfp4", kernel));
  };
  // Medians of the pairs of the source on 8 ranks, top 8: 0.58 up to 8 tokens, 0.71 and 0.62 of the grouped
  // kernel's time at 2048 and 16384.
  CHECK(time(4, "min_latency") / time(4, "cutlass") == Approx(0.58).margin(0.15));
  CHECK(time(2048, "min_latency") / time(2048, "cutlass") == Approx(0.71).margin(0.2));
  CHECK(time(16384, "min_latency") / time(16384, "cutlass") == Approx(0.62).margin(0.2));
}
