#include "model/roofline/rates.hpp"

#include "model/units/error.hpp"

namespace roofplan::model {

namespace {

const char* const kSixteenBit = "bf16";

template <class T>
const Figure<T>& figure_of(const std::map<std::string, Figure<T>>& by_rate, const std::string& rate) {
  const auto found = by_rate.find(rate);
  return found != by_rate.end() ? found->second : by_rate.at(kSixteenBit);
}

}  // namespace

Rates::Rates(const Chip& chip, const ChipEfficiency& efficiency, const EngineSpeed& engine)
    : chip_(&chip), efficiency_(&efficiency), engine_(&engine) {
  if (!chip.memory_bandwidth.known() || !chip.dense_rate.contains(kSixteenBit) ||
      !chip.dense_rate.at(kSixteenBit).known()) {
    throw InputError(InputError::Kind::content,
                     "the memory bandwidth or the dense 16-bit rate of " + chip.name + " is unknown",
                     "a chip with both");
  }
  s_per_byte_ = 1.0 / chip.memory_bandwidth->base();
}

void Rates::set_launch(Operator& op, const Figure<Seconds>& own, Phase phase) const {
  const Seconds one = engine_->launch.known() ? *engine_->launch : *own;
  const Seconds many = engine_->launch_batched.known() ? *engine_->launch_batched : one;
  op.launch_s = (phase == Phase::prefill ? many : one).base();
  op.launch_batched_s = many.base();
}

double Rates::compute_s(const std::string& rate, double fraction) const {
  const auto found = chip_->dense_rate.find(rate);
  const auto& figure = found != chip_->dense_rate.end() && found->second.known()
                           ? found->second
                           : chip_->dense_rate.at(kSixteenBit);
  return 1.0 / (figure->base() * fraction);
}

void Rates::set_activations(Operator& op) const {
  op.s_per_activation_byte = s_per_byte_ / *efficiency_->gemm.memory;
}

void Rates::set_gemm(Operator& op, const NumberFormat& weights, Phase phase) const {
  const std::string rate = compute_rate(weights, *chip_);
  const auto& kernels = engine_->kernels_for(weights.id);
  op.s_per_weight_byte = s_per_byte_ / (*efficiency_->gemm.memory * *kernels.memory);
  op.s_per_flop = compute_s(rate, *figure_of(efficiency_->gemm.compute, rate) * *kernels.compute);
  op.overlap = efficiency_->gemm.overlap;
  set_launch(op, figure_of(efficiency_->gemm.launch, rate), phase);
  set_activations(op);
}

void Rates::set_experts(Operator& op, const NumberFormat& weights, Phase phase) const {
  const std::string rate = compute_rate(weights, *chip_);
  const auto& kernels = engine_->kernels_for(weights.id);
  op.s_per_weight_byte =
      s_per_byte_ / (*efficiency_->experts.memory * *kernels.memory * *engine_->experts_memory);
  op.s_per_flop = compute_s(
      rate, *figure_of(efficiency_->experts.compute, rate) * *kernels.compute * *engine_->experts_compute);
  op.overlap = efficiency_->experts.overlap;
  set_launch(op, efficiency_->experts.launch, phase);
  set_activations(op);
}

void Rates::set_attention(Operator& op, Phase phase) const {
  op.s_per_kv_byte = s_per_byte_ / (*efficiency_->attention.memory * *engine_->attention_memory);
  op.s_per_flop = compute_s(kSixteenBit, *efficiency_->attention.compute * *engine_->attention_compute);
  op.overlap = efficiency_->attention.overlap;
  set_launch(
      op,
      phase == Phase::prefill ? efficiency_->attention.launch_prefill : efficiency_->attention.launch_decode,
      phase);
  set_activations(op);
}

void Rates::set_scan(Operator& op, Phase phase) const {
  op.s_per_state_byte = s_per_byte_ / (*efficiency_->gemm.memory * *engine_->scan_memory);
  op.s_per_flop = compute_s(kSixteenBit, *efficiency_->attention.compute * *engine_->scan_compute);
  set_launch(
      op,
      phase == Phase::prefill ? efficiency_->attention.launch_prefill : efficiency_->attention.launch_decode,
      phase);
  op.s_per_weight_byte = s_per_byte_ / *efficiency_->gemm.memory;
  set_activations(op);
}

void Rates::set_elementwise(Operator& op, Phase phase) const {
  op.s_per_weight_byte = s_per_byte_ / *efficiency_->gemm.memory;
  op.s_per_kv_byte = op.s_per_weight_byte;
  set_launch(op, efficiency_->elementwise_launch, phase);
  set_activations(op);
}

}  // namespace roofplan::model
