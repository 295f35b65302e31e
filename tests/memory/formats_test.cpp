#include "model/hardware/system.hpp"
#include "model/units/error.hpp"
#include "tests/memory/shipped_memory.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("the layout of every format gives its stated bits per weight on a large matrix", "[memory]") {
  constexpr std::int64_t kSide = 1 << 15;
  for (const NumberFormat& format : shipped_formats().formats()) {
    INFO(format.id);
    const double bits = 8.0 * matrix_bytes(format, kSide, kSide).quantity().base() / kSide / kSide;
    CHECK(bits == Approx(*format.bits_per_weight).epsilon(2e-3));
  }
}

TEST_CASE("patches of scales at the edges count whole", "[memory]") {
  const FormatTable& table = shipped_formats();
  // 576 x 7168 in 128 x 128 blocks: 5 x 56 fp32 scales, since 576 / 128 = 4.5.
  CHECK(matrix_bytes(table.format("fp8_block"), 576, 7168).count() == 576 * 7168 + 4 * 5 * 56);
  CHECK(matrix_bytes(table.format("fp8"), 3, 5).count() == 15 + 4);
  // One fp16 scale and a 4-bit zero per 128 columns: 2 rows x 2 patches x 20 bits beside 2 x 130 nibbles.
  CHECK(matrix_bytes(table.format("awq"), 2, 130).count() == (2 * 130 * 4 + 2 * 2 * 20) / 8);
  // 32 bits an input column on top for the order of GPTQ.
  CHECK((matrix_bytes(table.format("gptq"), 64, 256) - matrix_bytes(table.format("awq"), 64, 256)).count() ==
        4 * 256);
  CHECK(matrix_bytes(table.format("q4_k"), 10, 512).count() == 10 * 2 * 144);
}

TEST_CASE(
    "a KV cache of 8-bit blocks holds 34 bytes per 32 elements, one of fp8 no scales (field report K25)",
    "[memory]") {
  const FormatTable& table = shipped_formats();
  CHECK(cache_element(table.cache_format("q8_0"), 128).bytes(128).count() == 4 * 34);
  CHECK(cache_element(table.cache_format("fp8"), 128).bytes(1000).count() == 1000);
  CHECK(cache_element(table.cache_format("bf16"), 64).bytes(64).count() == 128);
  CHECK(cache_element(table.cache_format("nvfp4"), 128).bytes(128).count() == 64 + 8);
  CHECK(cache_element(table.cache_format("int8"), 128).bytes(128).count() == 128 + 4);
  CHECK_THROWS_WITH(table.cache_format("awq"), Catch::Contains("awq"));
}

TEST_CASE("an unknown format is refused with the nearest names", "[memory]") {
  CHECK_THROWS_WITH(shipped_formats().format("nvfp5"), Catch::Contains("nvfp4"));
  CHECK_THROWS_AS(WeightPlan(shipped_formats(), Architecture{}, "q4_k_x"), InputError);
}

TEST_CASE("a format without hardware saves bytes and computes in 16 bits (field report W22)", "[memory]") {
  const auto chip_with = [](const std::vector<std::string>& rates) {
    Chip chip;
    for (const std::string& rate : rates) chip.dense_rate[rate].value = 1.0 * unit::TFLOP_s;
    return chip;
  };
  const Chip ampere = chip_with({"bf16", "fp16", "int8"});
  const Chip hopper = chip_with({"bf16", "fp16", "int8", "fp8"});
  const Chip blackwell = chip_with({"bf16", "fp16", "fp8", "nvfp4"});
  const FormatTable& table = shipped_formats();
  CHECK(compute_rate(table.format("fp8"), ampere) == "bf16");
  CHECK(compute_rate(table.format("fp8"), hopper) == "fp8");
  CHECK(compute_rate(table.format("nvfp4"), ampere) == "bf16");
  CHECK(compute_rate(table.format("nvfp4"), hopper) == "bf16");
  CHECK(compute_rate(table.format("nvfp4"), blackwell) == "nvfp4");
  CHECK(compute_rate(table.format("mxfp4"), hopper) == "bf16");
  CHECK(compute_rate(table.format("mxfp4"), blackwell) == "fp8");
  CHECK(compute_rate(table.format("awq"), blackwell) == "bf16");
  CHECK(compute_rate(table.format("fp8"), Chip{}).empty());
}
