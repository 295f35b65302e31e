#include "tests/roofline/fixtures.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const Bytes kKvPerToken8b = 2.0 * 32 * 8 * 128 * 2 * unit::B;  // K and V, layers, KV heads, width, bf16

}  // namespace

TEST_CASE("a token of llama-3.1-8b at q8_0 reads 7.98 GB, so a GB10 cannot pass 34.2 tokens a second",
          "[roofline]") {
  const Bench gb10(llama_8b(), "gb10", "q8_0");
  // Matrices of a layer: q and o 2 x 4096^2, k and v 2 x 4096 x 1024, feed-forward 3 x 4096 x 14336;
  // 32 of them and the head 128256 x 4096, at 34 bytes per block of 32.
  const double matrices =
      32.0 * (2.0 * 4096 * 4096 + 2.0 * 4096 * 1024 + 3.0 * 4096 * 14336) + 128256.0 * 4096;
  const Bytes by_hand = matrices * 34 / 32 * unit::B;
  CHECK(by_hand / unit::GB == Approx(7.974).epsilon(1e-3));
  CHECK(gb10.steps.bytes_per_token(0) / by_hand == Approx(1).epsilon(1e-3));
  CHECK(gb10.steps.ceiling(0) / unit::tok_s == Approx(273e9 / 7.974e9).epsilon(2e-3));
}

TEST_CASE(
    "a 70B at four bits reads 35.3 GB a token: 7.8 tokens a second at best on a GB10 (seed B5, field report "
    "P7)",
    "[roofline]") {
  const Bench gb10(llama_70b(), "gb10", "int4");
  const double matrices =
      80.0 * (2.0 * 8192 * 8192 + 2.0 * 8192 * 1024 + 3.0 * 8192 * 28672) + 128256.0 * 8192;
  CHECK(gb10.steps.bytes_per_token(0) / (matrices / 2 * unit::B) == Approx(1).epsilon(2e-3));
  CHECK(gb10.steps.ceiling(0) / unit::tok_s == Approx(7.83).epsilon(0.01));
  const StepTime step = gb10.steps.time_of(Phase::decode, {1, 1, 1024});
  CHECK(step.bound() == Bound::memory);
  CHECK(1.0 / (step.total / unit::s) < gb10.steps.ceiling(1024) / unit::tok_s);
}

TEST_CASE("a deeper context costs the time of reading its KV bytes", "[roofline]") {
  const Bench gb10(llama_8b(), "gb10", "bf16");
  const double efficiency = *shipped_efficiencies().of(shipped("gb10").chip).attention.memory;
  const Seconds expected = 8192 * kKvPerToken8b / (273.0 * efficiency * unit::GB_s);
  const Seconds found = gb10.steps.decode_step(1, 16384) - gb10.steps.decode_step(1, 8192);
  CHECK(found / expected == Approx(1).epsilon(1e-3));
}

TEST_CASE("the time of a mixture of experts follows its active parameters (field reports W9 and P6)",
          "[roofline]") {
  // 64 experts of which 4 are chosen, against 16 of which 4: the same active parameters, four times the
  // memory.
  const Bench few(moe_model(16, 4, 2048), "gb10", "bf16");
  const Bench many(moe_model(64, 4, 2048), "gb10", "bf16");
  const double ratio = many.steps.decode_step(1, 0) / few.steps.decode_step(1, 0);
  CHECK(ratio == Approx(1).epsilon(0.01));
  // At a large batch every expert is read, and the larger model is slower.
  CHECK(many.steps.decode_step(256, 0) / few.steps.decode_step(256, 0) > 2);
}

TEST_CASE("a step takes longer for more sequences, more context and longer prompts", "[roofline]") {
  for (const char* system : {"gb10", "dgx-h100", "dgx-b300"}) {
    const Bench bench(moe_model(64, 4, 2048), system, "fp8", "vllm");
    double last = 0;
    for (const double batch : {1., 2., 4., 8., 32., 128., 512.}) {
      const double time = bench.steps.decode_step(batch, 1000) / unit::s;
      CHECK(time > last);
      CHECK(time / batch < 2 * bench.steps.decode_step(1, 1000) / unit::s);
      last = time;
    }
    last = 0;
    for (const double tokens : {1., 128., 1024., 8192., 32768., 131072.}) {
      const double time = bench.steps.prefill(tokens, 0) / unit::s;
      CHECK(time > last);
      last = time;
    }
  }
}

TEST_CASE("a tied head is read again, though it has no tensor of its own", "[roofline]") {
  Architecture tied = llama_8b();
  tied.tied_embeddings = true;
  const Bench one(llama_8b(), "gb10", "bf16");
  const Bench two(tied, "gb10", "bf16");
  CHECK(one.steps.bytes_per_token(0) == two.steps.bytes_per_token(0));
}

TEST_CASE("a long prompt takes two FLOP per parameter and token over the matrix rate", "[roofline]") {
  const Bench h100(llama_70b(), "dgx-h100", "bf16");
  const double params = 80.0 * (2.0 * 8192 * 8192 + 2.0 * 8192 * 1024 + 3.0 * 8192 * 28672);
  const double fraction = *shipped_efficiencies().of(shipped("dgx-h100").chip).gemm.compute.at("bf16");
  const double linear_s = 2 * params * 4096 / (989.4e12 * fraction);
  const StepTime step = h100.steps.time_of(Phase::prefill, {1, 4096, 0});
  CHECK(step.bound() == Bound::compute);
  CHECK(step.total / unit::s > linear_s);
  CHECK(step.total / unit::s < 1.15 * linear_s);  // attention over 4096 tokens and the other kernels
}

TEST_CASE("int8 on a B300 saves bytes but does not compute at the FP8 rate", "[roofline]") {
  const Bench int8(llama_70b(), "dgx-b300", "int8");
  const Bench fp8(llama_70b(), "dgx-b300", "fp8");
  CHECK(int8.steps.prefill(8192, 0) / fp8.steps.prefill(8192, 0) > 1.5);
  CHECK(int8.steps.decode_step(1, 0) / fp8.steps.decode_step(1, 0) == Approx(1).epsilon(0.1));
}

TEST_CASE("layers take as long in two equal groups as in one", "[roofline]") {
  Architecture halves = llama_8b();
  halves.groups = {halves.groups[0], halves.groups[0]};
  for (std::size_t g = 0; g < 2; ++g) halves.groups[g].count = 16;
  for (std::size_t layer = 16; layer < 32; ++layer) halves.order[layer] = 1;
  const Bench one(llama_8b(), "dgx-h100", "fp8", "vllm"), two(halves, "dgx-h100", "fp8", "vllm");
  for (const double batch : {1.0, 7.0, 200.0}) {
    const StepPoint point{batch, 1, 3000};
    CHECK(two.steps.step(Phase::decode, point) / one.steps.step(Phase::decode, point) == Approx(1));
    const StepPoint prompts{2, 500, 0};
    CHECK(two.steps.mixed_step(point, prompts) / one.steps.mixed_step(point, prompts) == Approx(1));
    CHECK(two.steps.prefill_step(batch, 500, 0) / one.steps.prefill_step(batch, 500, 0) == Approx(1));
  }
}

TEST_CASE("a mixed step multiplies its matrices by the tokens of decode and prompts together", "[roofline]") {
  const Bench h100(llama_70b(), "dgx-h100", "bf16", "vllm");
  const StepModel& steps = h100.steps;
  // A thousand sequences that decode and a prompt of a thousand: 2000 tokens, as in a prompt of 2000 but for
  // the logits of 1000 more, 1.05 of 70 G parameters on half of the tokens, and attention of short contexts.
  const Seconds both = steps.mixed_step({1000, 1, 0}, {1, 1000, 0});
  CHECK(both / steps.prefill_step(1, 2000, 0) == Approx(1).epsilon(0.03));
  // Where reading the weights takes longer than multiplying, a prompt of one token costs next to nothing: an
  // attention kernel of its own in each layer.
  CHECK(steps.mixed_step({1, 1, 0}, {1, 1, 0}) / steps.decode_step(2, 0) == Approx(1).epsilon(0.03));
  // The cache of those that decode is read as in a step of their own: 100 sequences x 9000 tokens more x 320
  // KiB x 1 / 3.35 TB/s are 88 ms at the datasheet's bandwidth.
  const Seconds deep = steps.mixed_step({100, 1, 10000}, {1, 1000, 0});
  const Seconds flat = steps.mixed_step({100, 1, 1000}, {1, 1000, 0});
  CHECK((deep - flat) / (steps.decode_step(100, 10000) - steps.decode_step(100, 1000)) == Approx(1));
  CHECK((deep - flat) / unit::ms > 88);
}
