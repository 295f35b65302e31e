#include "model/calibration/kernels/chip_laws.hpp"
#include "tests/roofline/fixtures.hpp"

#include <catch2/catch.hpp>

#include <string_view>

using namespace roofplan::model;

namespace {

const ChipLaws& h100_laws() {
  static const CalibrationSet calibrations;
  static const ChipLaws laws(calibrations, "h100-sxm");
  return laws;
}

StepSetup setup_of(const Bench& bench, const KernelLaws* laws) {
  StepSetup setup;
  setup.model = &bench.model;
  setup.weights = &bench.weights;
  setup.kv = &shipped_formats().format("bf16");
  setup.chip = &shipped("dgx-h100").chip;
  setup.efficiency = &shipped_efficiencies().of(*setup.chip);
  setup.engine = &bench.engine;
  setup.laws = laws;
  return setup;
}

/// Time of one execution of an operator in a decode step.
double one_execution_us(const StepModel& steps, std::string_view name, double batch, double context) {
  for (const OperatorShare& op : steps.breakdown(Phase::decode, {batch, 1, context}))
    if (op.name == name) return op.time / unit::us / op.count;
  return 0;
}

}  // namespace

TEST_CASE("a step on a measured chip takes the time of its kernel laws", "[roofline]") {
  const Bench bench(llama_70b(), "dgx-h100", "bf16", "vllm");
  const StepModel steps(setup_of(bench, &h100_laws()));
  // 64 tokens are a sample of the table, so nothing is interpolated.
  const GemmLaw gemm = *h100_laws().gemm("bfloat16");
  CHECK(one_execution_us(steps, "ffn.down", 64, 1000) ==
        Approx(gemm_time({64, 8192, 28672}, gemm) / unit::us).epsilon(1e-6));
  // Gate and up are one product, and so are q, k and v: 64 + 2 x 8 heads of 128.
  CHECK(one_execution_us(steps, "ffn.gate_up", 64, 1000) ==
        Approx(gemm_time({64, 2 * 28672, 8192}, gemm) / unit::us).epsilon(1e-6));
  CHECK(one_execution_us(steps, "attention.qkv", 64, 1000) ==
        Approx(gemm_time({64, 80 * 128, 8192}, gemm) / unit::us).epsilon(1e-6));
  const AttentionDecodeShape shape{
      .batch = 64, .kv_len = 1000, .heads = 64, .kv_heads = 8, .head_dim = 128, .window = 0};
  CHECK(one_execution_us(steps, "attention.decode", 64, 1000) ==
        Approx(attention_decode_time(shape, *h100_laws().attention_decode("bfloat16")) / unit::us));
}

TEST_CASE("between two samples a tabulated product lies between their times", "[roofline]") {
  const Bench bench(llama_70b(), "dgx-h100", "bf16", "vllm");
  const StepModel steps(setup_of(bench, &h100_laws()));
  const double low = one_execution_us(steps, "ffn.down", 1024, 100);
  const double high = one_execution_us(steps, "ffn.down", 2048, 100);
  const double between = one_execution_us(steps, "ffn.down", 1400, 100);
  CHECK(between > low);
  CHECK(between < high);
  // Above the last sample, 2^14 tokens, in proportion.
  CHECK(one_execution_us(steps, "ffn.down", 4 * 16384, 100) ==
        Approx(4 * one_execution_us(steps, "ffn.down", 16384, 100)));
}

TEST_CASE("an engine with kernels of its own takes no law of other kernels", "[roofline]") {
  const Bench bench(llama_8b(), "dgx-h100", "bf16", "llama.cpp");
  const StepModel with(setup_of(bench, &h100_laws())), without(setup_of(bench, nullptr));
  CHECK(with.decode_step(8, 1000) / without.decode_step(8, 1000) == 1);
}

TEST_CASE("a share of one leaves the benchmark's quantising kernel whole, zero removes it", "[roofline]") {
  Bench bench(llama_70b(), "dgx-h100", "fp8", "vllm");
  const GemmLaw law = *h100_laws().gemm("fp8"), plain = *h100_laws().gemm("bfloat16");
  const auto down = [&](double share) {
    bench.engine.kernel_laws->quantise.value = share;
    return one_execution_us(StepModel(setup_of(bench, &h100_laws())), "ffn.down", 64, 1000);
  };
  CHECK(down(1) == Approx(gemm_time({64, 8192, 28672}, law) / unit::us).epsilon(1e-6));
  // 64 x 28672 inputs, 2 bytes read and 1 written, 64 rows, and the launch beyond that of a 16-bit product.
  const Seconds kernel =
      law.launch - plain.launch + 64 * 28672 * 3.0 * unit::B / law.quantise_rate + 64 * law.row_setup;
  CHECK(down(1) - down(0) == Approx(kernel / unit::us).epsilon(1e-6));
}

TEST_CASE("experts read what a batch touches at the rate of their law", "[roofline]") {
  Bench bench(moe_model(128, 8, 768), "dgx-h100", "bf16", "vllm");
  bench.engine.kernel_laws->expert_fixed.value = 0;
  const StepModel steps(setup_of(bench, &h100_laws()));
  // One token touches its 8 experts of 3 matrices of 4096 x 768 in 16 bits.
  const ExpertGemmLaw law = *h100_laws().experts("bfloat16", "cutlass");
  const double read = 8 * 3 * 4096 * 768 * 2.0 / law.memory_rate.base() * 1e6;
  CHECK(one_execution_us(steps, "moe.experts", 1, 100) > read);
  // 512 tokens touch all 128: 16 times the bytes, and a larger share of the time is reading.
  const double ratio =
      one_execution_us(steps, "moe.experts", 512, 100) / one_execution_us(steps, "moe.experts", 1, 100);
  CHECK(ratio > 4);
  CHECK(ratio < 40);
}

TEST_CASE("beyond 128 tokens experts in NVFP4 leave the kernel for few tokens", "[roofline]") {
  Bench bench(moe_model(128, 8, 768), "dgx-b200", "nvfp4", "trtllm");
  bench.engine.kernel_laws->expert_fixed.value = 1;
  const CalibrationSet calibrations;
  const ChipLaws laws(calibrations, "b200-sxm");
  StepSetup setup = setup_of(bench, &laws);
  setup.chip = &shipped("dgx-b200").chip;
  setup.efficiency = &shipped_efficiencies().of(*setup.chip);
  const StepModel steps(setup);
  const auto by_law = [&](const char* kernel, double tokens) {
    ExpertGemmLaw law = *laws.experts("nvfp4", kernel);
    law.per_local_expert = Seconds();
    const ExpertLoad load{tokens * 8, distinct_experts(128, 8, tokens, 1)};
    return expert_gemm_time({tokens, 8, 4096, 768, 128, true, load}, law) / unit::us;
  };
  CHECK(by_law("min_latency", 129) < by_law("cutlass", 129));
  CHECK(one_execution_us(steps, "moe.experts", 128, 100) == Approx(by_law("min_latency", 128)));
  CHECK(one_execution_us(steps, "moe.experts", 129, 100) == Approx(by_law("cutlass", 129)));
}
