#pragma once

#include "model/hardware/system.hpp"
#include "model/llm/architecture.hpp"
#include "model/llm/weight_plan.hpp"
#include "model/power/power_cap.hpp"
#include "model/roofline/communication.hpp"
#include "model/roofline/efficiency.hpp"
#include "model/roofline/engine_speed.hpp"
#include "model/roofline/operator.hpp"
#include "model/roofline/operator_list.hpp"
#include "model/units/quantity.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace roofplan::model {

/// What one replica runs on and how. Everything referred to must outlive the construction of the model.
struct StepSetup {
  const Architecture* model = nullptr;
  const WeightPlan* weights = nullptr;
  const NumberFormat* kv = nullptr;
  const Chip* chip = nullptr;
  const ChipEfficiency* efficiency = nullptr;
  const EngineSpeed* engine = nullptr;
  StepShards shards;
  ExchangeLaws exchanges;                    ///< needed where shards span more than one device
  std::optional<std::int64_t> chunk_tokens;  ///< of chunked prefill; nothing: the engine's default
  double routing_exponent = 1;               ///< of the load, see distinct_experts()
  double time_factor = 1;                    ///< on every time: of the engine's version
  const KernelLaws* laws = nullptr;          ///< of the chip, asked where the engine uses them; nullptr: none
  KernelTimeStore* kernel_times = nullptr;   ///< of the chip, shared by step models; nullptr: each its own
  PhaseClocks clocks;                        ///< that a power cap leaves
};

/// One line of a breakdown: an operator of a step, all its executions together. Bytes and FLOP are those of
/// one device.
struct OperatorShare {
  const char* name = "";
  OperatorKind kind = OperatorKind::gemm;
  Phase phase = Phase::decode;
  TimeLaw law = TimeLaw::rates;
  double count = 0;
  Flop flop;
  Bytes bytes;
  Seconds time;
  Bound bound = Bound::memory;
};

/// A step in total, or all steps of a prompt.
struct StepTime {
  Seconds total;
  Seconds communication;
  Seconds uneven;                     ///< of the total: stages with fewer layers wait for the fullest
  std::array<Seconds, 6> by_bound{};  ///< indexed by Bound

  Bound bound() const;
};

/// A step of a prompt, and how many like it the prompt takes.
struct PromptStep {
  StepPoint point;
  double count = 0;
};

/// The time of prefill and decode steps of one replica. Built once per model, weights, chip, engine and
/// parallel plan; evaluating a step allocates nothing and takes well under 100 ns an operator.
class StepModel {
 public:
  explicit StepModel(const StepSetup& setup);

  /// One decode step of `batch` sequences (of the whole replica) with `context` tokens each in the cache.
  /// With pipeline stages: the time between two tokens of one sequence, when the batch runs as up to `pp`
  /// micro-batches; a batch smaller than the stages leaves stages idle.
  Seconds decode_step(double batch, double context) const;
  /// Any step.
  Seconds step(Phase phase, const StepPoint& point) const;
  /// A step that decodes and computes prompts: matrices, exchanges and the engine's work take the tokens of
  /// both together, attention and recurrent states each on their own.
  Seconds mixed_step(const StepPoint& decode, const StepPoint& prompts) const;
  /// Prefill of `sequences` prompts of `tokens` new tokens after `context` cached ones, in one pass.
  Seconds prefill_step(double sequences, double tokens, double context) const;
  /// One prompt from first to last chunk.
  Seconds prefill(double tokens, double context) const;
  /// The steps that stand for those chunks; the last may have the count 0.
  std::array<PromptStep, 3> prompt_steps(double tokens, double context) const;

  /// The parts of step() and of prefill(). A line of a breakdown is all that has one name, law and bound.
  StepTime time_of(Phase phase, const StepPoint& point) const;
  StepTime prefill_time(double tokens, double context) const;
  std::vector<OperatorShare> breakdown(Phase phase, const StepPoint& point) const;
  std::vector<OperatorShare> prefill_breakdown(double tokens, double context) const;

  /// Bytes that one device reads for one token of one sequence at `context`: its share of the weights that
  /// are active, the cache and the recurrent state. Summed over pipeline stages.
  Bytes bytes_per_token(double context) const;
  /// Datasheet bandwidth over bytes_per_token(): no engine, kernel or link can be faster for one user.
  TokensPerSecond ceiling(double context) const;
  /// Time that no step can undercut: the bytes of its operators at the datasheet's bandwidth, or its FLOP at
  /// the datasheet's fastest dense rate, whichever is longer. No kernel, exchange or engine is part of it.
  Seconds shortest(Phase phase, const StepPoint& point) const;

  std::size_t operators(Phase phase) const { return list(phase).size(); }
  double chunk_tokens() const { return chunk_tokens_; }
  const StepShards& shards() const { return shards_; }

 private:
  /// The operators of a step, and of each the earliest that takes as long at any point: layer groups repeat
  /// each other.
  struct Operators {
    std::vector<Operator> list;
    std::vector<std::size_t> first;
    void find_repeats();
  };

  const Operators& operators_of(Phase phase) const { return phase == Phase::prefill ? prefill_ : decode_; }
  const std::vector<Operator>& list(Phase phase) const { return operators_of(phase).list; }
  /// Calls `take(op, seconds)` for each operator at `point_of(op)`, a pointer; nullptr passes it over.
  template <class PointOf, class Take>
  void each_time(Phase phase, PointOf point_of, Take take) const;
  double seconds(Phase phase, const StepPoint& point) const;
  double imbalance(Phase phase, const StepPoint& point) const;
  StepPoint micro_batch(Phase phase, const StepPoint& point) const;
  void add_steps(StepTime& sum, Phase phase, const PromptStep& steps) const;
  void add_lines(std::vector<OperatorShare>& lines, Phase phase, const PromptStep& steps) const;
  void add_software(const StepSetup& setup, Phase phase, std::vector<Operator>& out) const;

  Operators decode_, prefill_;
  std::unique_ptr<KernelTimes> kernels_;
  std::unique_ptr<ExchangeTables> exchanges_;
  StepShards shards_;
  double stage_imbalance_ = 1;  ///< layers of the fullest stage x stages / layers
  double routing_exponent_ = 1;
  double time_factor_ = 1;
  double chunk_tokens_ = 0;
  double bandwidth_ = 0;     ///< datasheet, B/s
  double fastest_rate_ = 0;  ///< datasheet, dense FLOP/s of the fastest format
};

}  // namespace roofplan::model
