#pragma once

#include "model/hardware/system.hpp"
#include "model/llm/formats.hpp"
#include "model/roofline/efficiency.hpp"
#include "model/roofline/engine_speed.hpp"
#include "model/roofline/operator.hpp"

#include <string>

namespace roofplan::model {

/// Turns datasheet rates, chip efficiencies and engine factors into the seconds per FLOP and byte of an
/// operator. Holds references: chip, efficiency and engine must outlive it.
class Rates {
 public:
  /// Throws InputError (content) where the chip's bandwidth or 16-bit rate is unknown.
  Rates(const Chip& chip, const ChipEfficiency& efficiency, const EngineSpeed& engine);

  void set_gemm(Operator& op, const NumberFormat& weights, Phase phase) const;
  void set_experts(Operator& op, const NumberFormat& weights, Phase phase) const;
  void set_attention(Operator& op, Phase phase) const;
  void set_scan(Operator& op, Phase phase) const;
  void set_elementwise(Operator& op, Phase phase) const;

  double expert_fill() const { return *engine_->experts_fill; }
  bool expands_latent() const { return engine_->expands_latent; }
  const Chip& chip() const { return *chip_; }
  const EngineSpeed& engine() const { return *engine_; }

 private:
  void set_launch(Operator& op, const Figure<Seconds>& own, Phase phase) const;
  double compute_s(const std::string& rate, double fraction) const;
  void set_activations(Operator& op) const;

  const Chip* chip_;
  const ChipEfficiency* efficiency_;
  const EngineSpeed* engine_;
  double s_per_byte_;  ///< at the datasheet bandwidth
};

}  // namespace roofplan::model
