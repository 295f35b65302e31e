#include "model/roofline/laws/gemm.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace roofplan::model;

namespace {

/// A round machine: 100 SMs of 10 TFLOP/s and 100 GB/s each, 5 TB/s of DRAM.
GemmLaw round_law() {
  GemmLaw law;
  law.sm_count = 100;
  law.rows = TileRows::only_128;
  law.columns = TileColumns::doubling;
  law.largest_split = 1;
  law.launch = 2 * unit::us;
  law.matrix_rate = 1000 * unit::TFLOP_s;
  law.sm_rate = 100 * unit::GB_s;
  law.memory_rate = 5 * unit::TB_s;
  law.quantise_rate = 4 * unit::TB_s;
  law.tile_setup = 1 * unit::us;
  law.k_step = 0.01 * unit::ns;
  law.wave_smoothing = 0;
  return law;
}

double us(const GemmShape& shape, const GemmLaw& law) {
  return gemm_time(shape, law) / unit::us;
}

}  // namespace

TEST_CASE("A single tile takes launch, setup and the bytes into its SM", "[roofline_laws]") {
  // 128 x 32 tile: step = max(2 128 32 / 10e12, (128 2 + 32 2) / 100e9) = 3.2 ns; k = 1000: 3.2 us + 1 us.
  // DRAM: (32 1000 2 + 1000 2 + 2 32) / 5e12 = 13 ns, which the 2-norm hides.
  CHECK(us({1, 32, 1000}, round_law()) == Approx(2 + 4.2).epsilon(1e-4));
}

TEST_CASE("One token streams the weights at the memory rate", "[roofline_laws]") {
  GemmLaw law = round_law();
  law.sm_rate = 1e5 * unit::GB_s;  // nothing but DRAM limits
  law.matrix_rate = 1e6 * unit::TFLOP_s;
  law.tile_setup = 0 * unit::us;
  const GemmShape shape{1, 16384, 16384};
  const double weights_us = 16384.0 * 16384 * 2 / 5e12 * 1e6;
  CHECK(us(shape, law) == Approx(2 + weights_us).epsilon(0.02));
}

TEST_CASE("A large product reaches the matrix rate, less the setup of its tiles", "[roofline_laws]") {
  GemmLaw law = round_law();
  law.sm_rate = 1e5 * unit::GB_s;
  law.wave_smoothing = 1;
  const GemmShape shape{16384, 16384, 16384};
  const double flop = 2.0 * shape.m * shape.n * shape.k;
  const double rate = flop / (gemm_time(shape, law) / unit::s);
  // A tile of 128 x 256 computes for 2 128 256 16384 / 10e12 = 107 us and is set up for 1 us.
  CHECK(rate / 1e15 == Approx(107.4 / 108.4).epsilon(0.01));
}

TEST_CASE("Time rises with k, and never falls with m or n by more than a tile's rounding",
          "[roofline_laws]") {
  const GemmLaw law = round_law();
  double before = 0;
  for (double k = 64; k < 20000; k *= 1.3) {
    const double now = us({256, 4096, k}, law);
    CHECK(now > before);
    before = now;
  }
  for (double m = 1; m < 9000; m *= 2) CHECK(us({2 * m, 4096, 4096}, law) >= us({m, 4096, 4096}, law));
}

TEST_CASE("One tile more than the SMs hold costs a whole wave, or nothing when waves are smooth",
          "[roofline_laws]") {
  GemmLaw law = round_law();
  law.sm_rate = 1e5 * unit::GB_s;
  law.memory_rate = 1e5 * unit::TB_s;
  // At m = 128 the 25600 columns are 100 tiles of 256; 25601 columns are 101.
  const double one_wave = us({128, 25600, 4096}, law), two_waves = us({128, 25601, 4096}, law);
  // Best then are tiles of 64: 401 in 5 waves of 2 128 64 4096 / 10e12 s + 1 us, against one of four times
  // the work.
  const double quarter_us = 2.0 * 128 * 64 * 4096 / 10e12 * 1e6;
  CHECK((two_waves - 2) / (one_wave - 2) ==
        Approx(5 * (quarter_us + 1) / (4 * quarter_us + 1)).epsilon(0.01));
  law.wave_smoothing = 1;
  CHECK(us({128, 25601, 4096}, law) / us({128, 25600, 4096}, law) < 1.02);
}

TEST_CASE("Splitting k shortens a narrow, deep product and is not used where SMs are busy",
          "[roofline_laws]") {
  GemmLaw split = round_law();
  split.largest_split = 8;
  split.split_setup = 1 * unit::us;
  const GemmShape deep{16, 128, 16384}, busy{4096, 16384, 4096};
  CHECK(us(deep, split) < 0.3 * us(deep, round_law()));
  CHECK(us(busy, split) == us(busy, round_law()));
}

TEST_CASE("A split product writes its partial sums and reads them back, at twice the speed of the DRAM",
          "[roofline_laws]") {
  GemmLaw law = round_law();
  law.largest_split = 2;
  law.split_setup = 0.1 * unit::us;
  law.memory_rate = 1 * unit::TB_s;
  // 4 tiles of 128 x 32 with 512 steps of 3.2 ns each and a setup; two times 128 x 128 sums, 8 bytes each at
  // 2 TB/s: 131 ns. DRAM: two inputs of 128 x 1024 and the output, 2 bytes each, at 1 TB/s: 557 ns.
  const double core = 512 * 3.2e-3 + 1 + 0.1 + 2 * 8.0 * 128 * 128 / 2e6;
  const double memory = (2.0 * 128 * 1024 * 2 + 2.0 * 128 * 128) / 1e6;
  CHECK(us({128, 128, 1024}, law) == Approx(2 + std::hypot(core, memory)).epsilon(1e-4));
}

TEST_CASE("A quantised input adds one pass over the 16-bit activations", "[roofline_laws]") {
  GemmLaw law = round_law();
  law.weight_bytes = law.input_bytes = 1;
  GemmLaw quantising = law;
  quantising.quantises = true;
  const GemmShape shape{4096, 1024, 4096};
  CHECK(us(shape, quantising) - us(shape, law) == Approx(4096.0 * 4096 * 3 / 4e12 * 1e6));
}

TEST_CASE("Quantising row by row costs its setup for every row", "[roofline_laws]") {
  GemmLaw law = round_law(), slow = round_law();
  law.quantises = slow.quantises = true;
  slow.row_setup = 16 * unit::ns;
  CHECK(us({16384, 128, 128}, slow) - us({16384, 128, 128}, law) == Approx(262.144));
}

TEST_CASE("Few rows take the matrix-vector kernel: its launch and the weights", "[roofline_laws]") {
  GemmLaw law = round_law();
  law.vector_rows = 4;
  law.vector_launch = 3 * unit::us;
  law.vector_rate = 1e6 * unit::TFLOP_s;
  const double weights_us = 2.0 * 4096 * 8192 / 5e12 * 1e6;
  CHECK(us({4, 4096, 8192}, law) == Approx(3 + weights_us).epsilon(0.01));
  CHECK(us({5, 4096, 8192}, law) == us({5, 4096, 8192}, round_law()));
}

TEST_CASE("Kernels much longer than 0.4 ms run slower by the throttle", "[roofline_laws]") {
  GemmLaw law = round_law(), hot = round_law();
  hot.throttle = 0.2;
  const GemmShape large{16384, 65536, 65536}, small{128, 1024, 1024};
  CHECK(us(large, hot) / us(large, law) == Approx(1.2).epsilon(0.01));
  CHECK(us(small, hot) / us(small, law) < 1.01);
}
