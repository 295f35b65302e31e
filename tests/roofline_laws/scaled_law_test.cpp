#include "model/roofline/laws/scaled_law.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

LawChip chip(int sms, double memory_gb_s, double tflop_s) {
  return {sms, memory_gb_s * unit::GB_s, tflop_s * unit::TFLOP_s, {}};
}

GemmLaw law_of_large() {
  GemmLaw law;
  law.sm_count = 188;
  law.launch = 3 * unit::us;
  law.matrix_rate = 400 * unit::TFLOP_s;
  law.sm_rate = 80 * unit::GB_s;
  law.memory_rate = 1500 * unit::GB_s;
  law.k_step = 1 * unit::ns;
  law.largest_split = 1;
  return law;
}

const LawChip kLarge = chip(188, 1792, 468), kSmall = chip(48, 273, 125);

}  // namespace

TEST_CASE("A law scaled to its own chip is the same law", "[roofline_laws]") {
  const GemmLaw law = law_of_large(), same = scaled_law(law, kLarge, kLarge);
  for (const GemmShape& shape : {GemmShape{1, 4096, 4096}, {512, 8192, 4096}, {16384, 16384, 16384}}) {
    CHECK(gemm_time(shape, same) / gemm_time(shape, law) == Approx(1));
  }
}

TEST_CASE("Scaled to a smaller chip, reads go with the bandwidth and large products with the matrix rate",
          "[roofline_laws]") {
  const GemmLaw law = law_of_large(), small = scaled_law(law, kLarge, kSmall);
  CHECK(small.sm_count == 48);
  const GemmShape large{16384, 16384, 16384};
  CHECK(gemm_time(large, small) / gemm_time(large, law) == Approx(468.0 / 125).epsilon(0.05));
  const GemmShape token{1, 16384, 16384};
  const double slower = (gemm_time(token, small) - small.launch) / (gemm_time(token, law) - law.launch);
  CHECK(slower == Approx(1792.0 / 273).epsilon(0.1));
  CHECK(small.launch / unit::us == 3);
}

TEST_CASE("Decode attention of a long cache scales with the bandwidth", "[roofline_laws]") {
  AttentionDecodeLaw law{.sm_count = 188};
  law.grouped.launch = 5 * unit::us;
  law.grouped.block_setup = 1 * unit::us;
  law.grouped.memory_rate = 1500 * unit::GB_s;
  law.grouped.block_rate = 100 * unit::GB_s;
  law.grouped.query_rate = 1500 * unit::GB_s;
  law.grouped.l2_size = 100 * unit::MB;
  law.equal_heads = law.per_head = law.grouped;
  const AttentionDecodeShape shape{.batch = 64, .kv_len = 32767, .heads = 32, .kv_heads = 8};
  const AttentionDecodeLaw small = scaled_law(law, kLarge, kSmall);
  CHECK(attention_decode_time(shape, small) / attention_decode_time(shape, law) ==
        Approx(1792.0 / 273).epsilon(0.1));
}

TEST_CASE("Every rate of a scaled kernel follows the part of the chip that it is a rate of",
          "[roofline_laws]") {
  AttentionDecodeLaw law{.sm_count = 188};
  law.grouped.memory_rate = law.grouped.query_rate = law.grouped.block_rate = 1000 * unit::GB_s;
  law.grouped.matrix_tile = 1 * unit::us;
  law.grouped.l2_size = 100 * unit::MB;
  const SplitKvKernel small = scaled_law(law, kLarge, kSmall).grouped;
  // 273 of 1792 GB/s; of 125 against 468 TFLOP/s an SM has 125 / 48 against 468 / 188; an L2 that no
  // datasheet states goes with the SMs.
  const double per_sm = (125.0 / 48) / (468.0 / 188);
  CHECK(small.memory_rate / unit::GB_s == Approx(1000 * 273.0 / 1792));
  CHECK(small.query_rate / unit::GB_s == Approx(1000 * 273.0 / 1792));
  CHECK(small.block_rate / unit::GB_s == Approx(1000 * per_sm));
  CHECK(small.matrix_tile / unit::us == Approx(1 / per_sm));
  CHECK(small.l2_size / unit::MB == Approx(100 * 48.0 / 188));
}
