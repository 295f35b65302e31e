#pragma once

#include "model/probe/fit_machine.hpp"
#include "model/probe/gpu/gpu.hpp"
#include "model/roofline/laws/attention_decode.hpp"
#include "model/roofline/laws/expert_gemm.hpp"
#include "model/roofline/laws/gemm.hpp"

#include <cmath>
#include <random>
#include <variant>

namespace roofplan::test {

namespace unit = model::unit;

/// A GPU whose laws are known: what it takes for a work is what they say, with 1 % noise and now and then a
/// run three times too slow.
class FakeGpu : public probe::Gpu {
 public:
  FakeGpu() {
    identity_.kind = "cuda";
    identity_.name = "Fake 9000";
    identity_.unique = "GPU-1";
    identity_.compute_capability = "9.9";
    identity_.units = 100;
    identity_.memory = model::ByteCount(80'000'000'000);
    identity_.cache = model::ByteCount(50'000'000);
    stream = {3000 * unit::GB_s, 6000 * unit::GB_s, 40 * unit::MB};
    product = {.sm_count = 100,
               .rows = model::TileRows::only_128,
               .launch = 2 * unit::us,
               .matrix_rate = 600 * unit::TFLOP_s,
               .sm_rate = 180 * unit::GB_s,
               .memory_rate = 2800 * unit::GB_s,
               .tile_setup = 1 * unit::us,
               .k_step = 0.7 * unit::ns,
               .tile_floor = 0.5 * unit::us,
               .split_setup = 2 * unit::us,
               .wave_smoothing = 0.8,
               .throttle = 0.05};
    const model::SplitKvKernel kernel{.token_tile = 16,
                                      .blocks_per_sm = 3,
                                      .heads_per_block = 16,
                                      .rule = model::SplitRule::any_chunks,
                                      .split_chunk = 128,
                                      .split_waves = 8,
                                      .launch = 4 * unit::us,
                                      .block_setup = 2 * unit::us,
                                      .empty_block = 1 * unit::us,
                                      .reduction = 0.5 * unit::us,
                                      .memory_rate = 2600 * unit::GB_s,
                                      .block_rate = 40 * unit::GB_s,
                                      .query_rate = 2000 * unit::GB_s,
                                      .matrix_tile = 0.2 * unit::us,
                                      .l2_size = 40 * unit::MB,
                                      .l2_gain = 1,
                                      .wave_smoothing = 0.5};
    attention = {.sm_count = 100, .equal_heads = kernel, .grouped = kernel, .per_head = kernel};
    experts = {.sm_count = 100,
               .launch = 12 * unit::us,
               .memory_rate = 2500 * unit::GB_s,
               .matrix_rate = 400 * unit::TFLOP_s,
               .sm_rate = 120 * unit::GB_s,
               .tile_setup = 1 * unit::us,
               .k_step = 1 * unit::ns,
               .per_local_expert = 30 * unit::ns,
               .per_token_doubling = 0.3 * unit::us};
    elementwise = {2 * unit::us, 1500 * unit::GB_s};
    transfer = {3 * unit::us, 50 * unit::GB_s};
    products = {5 * unit::us, 2000 * unit::GB_s, 300 * unit::TFLOP_s, true};
    exchange = {8 * unit::us, 200 * unit::GB_s};
  }

  const probe::DeviceIdentity& identity() const override { return identity_; }
  probe::DeviceState state() override { return now; }
  std::string obstacle(const probe::GpuWork& work) override {
    if (no_collectives && std::holds_alternative<probe::CollectiveWork>(work)) return "no library";
    const auto* p = std::get_if<probe::ProductWork>(&work);
    return p != nullptr && p->format == probe::ProductWork::Format::nvfp4 ? "no such products" : "";
  }
  bool prepare(std::span<const probe::GpuWork> works) override {
    ready_.assign(works.begin(), works.end());
    ++preparations;
    return true;
  }
  probe::Seconds run() override {
    probe::Seconds sum;
    for (const probe::GpuWork& work : ready_)
      sum += std::visit([&](const auto& w) { return exact(w); }, work);
    const double noise = std::exp(std::normal_distribution<double>(0, 0.01)(random_));
    return sum * (++runs % 25 == 0 && outliers ? 3.0 : noise);
  }
  bool right() override { return correct; }
  std::vector<std::string> troubles() override { return {}; }
  std::int64_t room() const override { return 40'000'000'000; }

  probe::Seconds exact(const probe::MemoryWork& w) const {
    const auto bytes = static_cast<double>(w.bytes) * unit::B;
    return w.passes * bytes / stream.rate(bytes);
  }
  probe::Seconds exact(const probe::ProductWork& w) const {
    return gemm_time({static_cast<double>(w.m), static_cast<double>(w.n), static_cast<double>(w.k)}, product);
  }
  probe::Seconds exact(const probe::AttentionWork& w) const {
    if (w.by_products()) return products.time(w.moved_bytes() * unit::B, w.flop() * unit::flop);
    return attention_decode_time(
        {static_cast<double>(w.batch), static_cast<double>(w.depth - 1), static_cast<double>(w.heads),
         static_cast<double>(w.kv_heads), static_cast<double>(w.head_dim)},
        attention);
  }
  probe::Seconds exact(const probe::ExpertsWork& w) const {
    const auto distinct = static_cast<double>(w.distinct), tokens = static_cast<double>(w.tokens);
    return expert_gemm_time({.tokens = tokens,
                             .top_k = static_cast<double>(w.top_k),
                             .hidden = static_cast<double>(w.hidden),
                             .inner = static_cast<double>(w.inner),
                             .local_experts = distinct,
                             .load = {tokens * static_cast<double>(w.top_k), distinct}},
                            experts);
  }
  probe::Seconds exact(const probe::ElementwiseWork& w) const {
    return elementwise.time(w.bytes() * unit::B);
  }
  probe::Seconds exact(const probe::LaunchWork&) const { return 2 * unit::us; }
  probe::Seconds exact(const probe::TransferWork& w) const {
    return transfer.time(static_cast<double>(w.bytes) * unit::B);
  }
  probe::Seconds exact(const probe::CollectiveWork& w) const {
    const probe::Seconds time = exchange.time(static_cast<double>(w.bytes) * unit::B);
    return w.captured ? time : time + 12 * unit::us;  // which the host takes
  }
  /// A machine with so many of them.
  void multiply(int count) { identity_.accelerators = count; }

  probe::DeviceState now;
  probe::StreamLaw stream;
  model::GemmLaw product;
  model::AttentionDecodeLaw attention;
  model::ExpertGemmLaw experts;
  probe::CopyLaw elementwise, transfer, exchange;
  probe::RooflineLaw products;
  bool correct = true, outliers = true, no_collectives = false;
  int preparations = 0, runs = 0;

 private:
  probe::DeviceIdentity identity_;
  std::vector<probe::GpuWork> ready_;
  std::mt19937 random_{3};
};

}  // namespace roofplan::test
