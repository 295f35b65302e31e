#include "model/roofline/laws/attention_decode.hpp"
#include "model/roofline/laws/attention_prefill.hpp"
#include "model/roofline/laws/mla.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

SplitKvKernel round_kernel() {
  SplitKvKernel kernel;
  kernel.token_tile = 128;
  kernel.launch = 5 * unit::us;
  kernel.block_setup = 1 * unit::us;
  kernel.empty_block = 0.5 * unit::us;
  kernel.reduction = 0.5 * unit::us;
  kernel.memory_rate = 4 * unit::TB_s;
  kernel.block_rate = 50 * unit::GB_s;
  kernel.query_rate = 1e6 * unit::TB_s;
  kernel.matrix_tile = 0.01 * unit::us;
  kernel.l2_size = 50 * unit::MB;
  kernel.l2_gain = 2;
  return kernel;
}

AttentionDecodeLaw round_law() {
  AttentionDecodeLaw law;
  law.sm_count = 100;
  law.equal_heads = law.grouped = law.per_head = round_kernel();
  return law;
}

double us(const AttentionDecodeShape& shape, const AttentionDecodeLaw& law,
          CacheState cache = CacheState::cold) {
  return attention_decode_time(shape, law, cache) / unit::us;
}

/// Tiles counted one by one, to hold the closed form against.
double counted_tiles(double tokens, double window, double query, double kv) {
  double sum = 0;
  for (double first = 0; first < tokens; first += query) {
    const double end = std::ceil(std::min(first + query, tokens) / kv);
    const double begin = window > 0 ? std::max(0.0, std::floor((first - window + 1) / kv)) : 0;
    sum += end - begin;
  }
  return sum;
}

}  // namespace

TEST_CASE("Decode reads whole tiles of the cache", "[roofline_laws]") {
  AttentionDecodeShape shape{.batch = 64, .kv_len = 1, .heads = 32, .kv_heads = 8};
  const double one_tile = us(shape, round_law());
  shape.kv_len = 127;  // with the new token just 128
  CHECK(us(shape, round_law()) == one_tile);
  shape.kv_len = 128;
  CHECK(us(shape, round_law()) > one_tile);
}

TEST_CASE("A long cache of a large batch streams at the memory rate", "[roofline_laws]") {
  const AttentionDecodeShape shape{.batch = 256, .kv_len = 32767, .heads = 32, .kv_heads = 8};
  const double bytes = 256.0 * 8 * 32768 * 2 * 128 * 2;
  CHECK(us(shape, round_law()) >= bytes / 4e12 * 1e6);
  CHECK(us(shape, round_law()) / (bytes / 4e12 * 1e6) < 1.5);
}

TEST_CASE("An 8-bit cache halves the bytes", "[roofline_laws]") {
  const AttentionDecodeShape shape{.batch = 512, .kv_len = 16383, .heads = 32, .kv_heads = 8};
  AttentionDecodeLaw half = round_law();
  half.kv_bytes = 1;
  CHECK(us(shape, round_law()) / us(shape, half) == Approx(2).epsilon(0.02));
}

TEST_CASE("Queries come in and outputs go out at two bytes an element, at their own rate",
          "[roofline_laws]") {
  const AttentionDecodeShape shape{.batch = 512, .kv_len = 127, .heads = 32, .kv_heads = 8};
  AttentionDecodeLaw slow = round_law();
  slow.grouped.query_rate = 1 * unit::TB_s;
  // 512 x 32 heads of 128, twice 2 bytes: 8.39 MB at 1 TB/s.
  CHECK(us(shape, slow) - us(shape, round_law()) == Approx(8.388608).epsilon(1e-4));
}

TEST_CASE("A window bounds what is read", "[roofline_laws]") {
  AttentionDecodeShape shape{.batch = 128, .kv_len = 65535, .heads = 32, .kv_heads = 8};
  const double full = us(shape, round_law());
  shape.window = 1024;
  CHECK(us(shape, round_law()) < 0.1 * full);
}

TEST_CASE("A small cache is faster warm than cold, a large one is not", "[roofline_laws]") {
  AttentionDecodeShape shape{.batch = 64, .kv_len = 127, .heads = 8, .kv_heads = 8};  // 33.5 MB
  CHECK(us(shape, round_law(), CacheState::warm) < us(shape, round_law(), CacheState::cold));
  shape.kv_len = 2047;
  CHECK(us(shape, round_law(), CacheState::warm) ==
        Approx(us(shape, round_law(), CacheState::cold)).epsilon(1e-3));
}

TEST_CASE("Splitting keeps a lone long sequence from running on one SM", "[roofline_laws]") {
  AttentionDecodeLaw never = round_law();
  never.grouped.rule = SplitRule::none;
  const AttentionDecodeShape shape{.batch = 1, .kv_len = 65535, .heads = 8, .kv_heads = 1};
  CHECK(us(shape, round_law()) < 0.05 * us(shape, never));
}

TEST_CASE("The kernel follows the group of heads and the rule of few blocks", "[roofline_laws]") {
  AttentionDecodeLaw law = round_law();
  const AttentionDecodeShape grouped{.batch = 1, .kv_len = 100, .heads = 32, .kv_heads = 8};
  const AttentionDecodeShape equal{.batch = 1, .kv_len = 100, .heads = 8, .kv_heads = 8};
  const AttentionDecodeShape wide{.batch = 1, .kv_len = 100, .heads = 64, .kv_heads = 1};
  CHECK(law.path(grouped) == DecodePath::grouped);
  CHECK(law.path(equal) == DecodePath::equal_heads);
  CHECK(law.path(wide) == DecodePath::per_head);
  law.few_blocks_grouped = true;  // 8 blocks are fewer than 100 / 4
  CHECK(law.path(grouped) == DecodePath::per_head);
  AttentionDecodeShape longer = grouped;
  longer.kv_len = 4 * 128;  // 32 blocks
  CHECK(law.path(longer) == DecodePath::grouped);
}

TEST_CASE("Visited tiles of prefill agree with a count one by one", "[roofline_laws]") {
  for (const double tokens : {1., 100., 128., 129., 1000., 4096., 5000.}) {
    for (const double window : {0., 1., 128., 1000., 8192.}) {
      for (const auto& [query, kv] : {std::pair(128., 64.), {64., 64.}, {256., 128.}}) {
        INFO(tokens << " tokens, window " << window << ", tiles " << query << " x " << kv);
        CHECK(visited_tiles({.tokens = tokens, .window = window}, query, kv, 0) ==
              Approx(counted_tiles(tokens, window, query, kv)));
      }
    }
  }
}

TEST_CASE("Prefill after a context visits the tiles before it for every query tile", "[roofline_laws]") {
  const double fresh = visited_tiles({.tokens = 1024}, 128, 64, 0);
  CHECK(visited_tiles({.tokens = 1024, .context = 6400}, 128, 64, 0) == fresh + 8 * 100);
}

TEST_CASE("Long prefill grows with the square of the tokens, a windowed one in proportion",
          "[roofline_laws]") {
  PrefillKernel kernel;
  kernel.launch = 10 * unit::us;
  kernel.matrix_rate = 1000 * unit::TFLOP_s;
  kernel.io_rate = 1e4 * unit::TB_s;
  kernel.task_setup = 0.1 * unit::us;
  AttentionPrefillLaw law{.sm_count = 100, .kernels = {kernel}};
  AttentionPrefillShape shape{.batch = 4, .tokens = 32768, .heads = 32, .kv_heads = 8};
  AttentionPrefillShape twice = shape;
  twice.tokens *= 2;
  CHECK(attention_prefill_time(twice, law) / attention_prefill_time(shape, law) == Approx(4).epsilon(0.02));
  shape.window = twice.window = 128;
  CHECK(attention_prefill_time(twice, law) / attention_prefill_time(shape, law) == Approx(2).epsilon(0.02));
}

TEST_CASE("A lone query tile takes as long as its own chain of key tiles, while the other SMs idle",
          "[roofline_laws]") {
  PrefillKernel kernel;
  kernel.launch = 10 * unit::us;
  kernel.matrix_rate = 1000 * unit::TFLOP_s;
  kernel.exponentials_per_ns = 1e9;
  kernel.io_rate = 1e4 * unit::TB_s;
  kernel.chain = 2;
  const AttentionPrefillLaw law{.sm_count = 100, .kernels = {kernel}};
  // 704 tokens are 11 tiles of 64 keys; each takes 4 x 128 x 64 x 128 FLOP on one SM of 10 TFLOP/s, 419 ns,
  // and twice that alone.
  const AttentionPrefillShape shape{.tokens = 64, .context = 640};
  CHECK(attention_prefill_time(shape, law) / unit::us == Approx(10 + 11 * 2 * 0.4194304).epsilon(1e-3));
}

TEST_CASE("Narrow heads are held up by exponentials, wide ones by the matrix rate", "[roofline_laws]") {
  PrefillKernel kernel;
  kernel.matrix_rate = 1000 * unit::TFLOP_s;
  kernel.exponentials_per_ns = 20;
  kernel.io_rate = 1e4 * unit::TB_s;
  const AttentionPrefillLaw law{.sm_count = 100, .kernels = {kernel}};
  const auto rate = [&](double width) {
    const AttentionPrefillShape shape{
        .batch = 8, .tokens = 16384, .heads = 32, .kv_heads = 32, .head_dim = width};
    return 2.0 * 8 * 32 * width * 16384 * 16384 / (attention_prefill_time(shape, law) / unit::s);
  };
  // 20 exponentials per ns and SM allow 4 x 64 x 20e9 x 100 = 512 TFLOP/s at width 64.
  CHECK(rate(64) < 512e12);
  CHECK(rate(256) > 1.5 * rate(64));
  CHECK(rate(256) < 1000e12);
}

TEST_CASE("Latent attention reads 576 elements a token whatever the heads", "[roofline_laws]") {
  MlaDecodeLaw law{.sm_count = 100, .kernel = round_kernel()};
  law.kernel.heads_per_block = 128;
  const double bytes = 512.0 * 32768 * 576 * 2;
  for (const double heads : {16., 128.}) {
    const double t = mla_decode_time({.batch = 512, .kv_len = 32767, .heads = heads}, law) / unit::s;
    CHECK(t >= bytes / 4e12);
    CHECK(t < 1.6 * bytes / 4e12);
  }
}
