#pragma once

#include "model/units/quantity.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

namespace roofplan::model {

struct NumberFormat;

enum class OperatorKind : std::uint8_t {
  gemm,               ///< a weight matrix times all tokens of the step
  grouped_gemm,       ///< the routed experts
  attention_prefill,  ///< new tokens against themselves and the cache
  attention_decode,   ///< one new token per sequence against the cache
  scan,               ///< a recurrent state carried over the new tokens
  elementwise,        ///< norms, activations, rotary embedding: bytes only
  collective,         ///< exchange between devices
  copy,               ///< lookups and cache writes
  software,           ///< what the engine adds per step, layer or sequence
};
enum class Phase : std::uint8_t { prefill, decode };
/// What a time is limited by. `capacity` is never that of an operator: it says that nothing can run.
enum class Bound : std::uint8_t { compute, memory, network, launch, host, capacity };

/// What tells the time of an operator.
enum class TimeLaw : std::uint8_t {
  kernel,    ///< a law fitted to measured kernels of its kind
  rates,     ///< datasheet rates and what chip and engine reach of them
  exchange,  ///< the law of a collective over its links
  engine,    ///< an overhead of the engine
};

const char* to_text(OperatorKind kind);
const char* to_text(Phase phase);
const char* to_text(Bound bound);
const char* to_text(TimeLaw law);

/// The work of one step, for one replica.
struct StepPoint {
  double sequences = 1;  ///< that take part in the step
  double tokens = 1;     ///< new tokens per sequence; 1 in decode
  double context = 0;    ///< tokens that each sequence has in its cache before the step
};

/// Which part of the past a token of a layer sees.
struct Visibility {
  static constexpr double kAll = std::numeric_limits<double>::infinity();

  double window = kAll;   ///< most recent positions seen in full
  double stride = kAll;   ///< beyond that one pooled entry per `stride` positions; kAll: none
  double entries = kAll;  ///< at most so many pooled entries are chosen by an indexer

  /// Entries that the token after `before` others sees, itself included.
  double seen(double before) const;
  /// Sum of seen() over `tokens` new tokens after `context` old ones, the causal triangle.
  double pairs(double tokens, double context) const;
  /// Distinct cache entries that those tokens read together.
  double read(double tokens, double context) const;
  bool operator==(const Visibility&) const = default;
};

/// Expected number of distinct experts that receive a token, of `experts` with `top_k` chosen per token:
/// E (1 - (1 - k/E)^(b^rho)). rho = 1 is independent uniform routing; tokens of one text share experts,
/// which rho < 1 expresses. Exact for rho = 1 (complement of E independent misses).
double distinct_experts(double experts, double top_k, double tokens, double correlation_exponent);

/// Time of an exchange between devices by the size of its message, tabulated so that a step asks no law.
class ExchangeTimes {
 public:
  /// Samples `law`, which maps the bytes of a message (per rank, before the exchange) to its time, twice an
  /// octave from 256 B to 16 GiB.
  explicit ExchangeTimes(const std::function<Seconds(Bytes)>& law);
  /// Linear between samples in the logarithm of both; below the first sample its time, above the last in
  /// proportion to the bytes. 0 for an empty message.
  double seconds(double bytes) const;

 private:
  static constexpr int kFirstOctave = 8, kPerOctave = 2, kSamples = 26 * kPerOctave + 1;
  std::array<double, kSamples> log_seconds_{};
};

/// Time of one execution of an operator by a fitted law of its kernel instead of by rates.
class KernelTime {
 public:
  virtual ~KernelTime() = default;
  /// `sequences` and `tokens` (new, of all sequences) are those of the device; both above 0.
  virtual double seconds(const StepPoint& point, double sequences, double tokens,
                         double correlation_exponent) const = 0;
};

/// One operator of one layer, `count` times in a step, on one device. The coefficients hold everything that
/// does not change from step to step: FLOP, bytes by stream and rates; so that a step is a loop without
/// allocation.
struct Operator {
  const char* name = "";  ///< a literal
  OperatorKind kind = OperatorKind::gemm;
  double count = 1;        ///< executions per step
  bool last_only = false;  ///< works on one token per sequence whatever the step (the output head)
  double token_share = 1;  ///< share of the replica's tokens and sequences that this device works on
  double n = 0, k = 0;     ///< GEMM: output and input width on this device
  const NumberFormat* weights = nullptr;  ///< format of the matrices; nullptr for other operators
  double flop_per_token = 0;
  double flop_per_pair = 0;    ///< attention: per new token and entry seen
  double flop_per_expert = 0;  ///< wasted by partly filled tiles, per distinct expert
  double weight_bytes = 0;     ///< read once whatever the number of tokens
  double expert_bytes = 0;     ///< read per distinct expert
  double experts = 0;          ///< of the layer; 0 for all other operators
  double top_k = 0;
  double local_share = 1;  ///< share of the experts that this device holds
  double activation_bytes_per_token = 0;
  double kv_bytes_per_entry = 0;
  double kv_write_bytes_per_token = 0;
  double state_bytes_per_sequence = 0;
  Visibility visibility;
  // Resolved rates, in seconds per FLOP and byte.
  double s_per_flop = 0;
  double s_per_weight_byte = 0;
  double s_per_activation_byte = 0;
  double s_per_kv_byte = 0;
  double s_per_state_byte = 0;
  double overlap = 1;                              ///< of reading with computing: 0 is one after the other
  double compute_stretch = 1, memory_stretch = 1;  ///< of those times under a power cap, >= 1
  double launch_s = 0;                             ///< shortest time of a kernel
  double launch_batched_s = 0;                     ///< the same in a step of several sequences
  const KernelTime* kernel = nullptr;              ///< answers instead of these rates where a law was fitted
  // Software and collectives: time that follows from the step alone.
  const ExchangeTimes* exchange = nullptr;  ///< of its message, activation_bytes_per_token x tokens
  double fixed_s = 0;
  double s_per_sequence = 0;
  double s_per_token = 0;
  Bound fixed_bound = Bound::launch;

  bool operator==(const Operator&) const = default;
};

/// What one execution of an operator costs. Bytes are those of the device's memory.
struct OperatorCost {
  double flop = 0;
  double weight_bytes = 0;
  double activation_bytes = 0;
  double kv_bytes = 0;
  double state_bytes = 0;
  double time_s = 0;
  Bound bound = Bound::memory;

  double bytes() const { return weight_bytes + activation_bytes + kv_bytes + state_bytes; }
};

/// Cost of one execution: the smooth maximum sqrt(compute^2 + memory^2) (a p-norm of the roofline of Williams
/// et al., doi:10.1145/1498765.1498785) after the launch, which measured kernels add rather than overlap.
/// Kernels that do not read while they compute tend to the sum: 2 (1 - overlap) compute memory under the
/// root.
OperatorCost evaluate(const Operator& op, const StepPoint& point, double correlation_exponent);

/// What tells the time of `op`.
TimeLaw time_law(const Operator& op);

/// The time of that cost alone, in seconds: where a law answers, no work is counted.
double seconds_of(const Operator& op, const StepPoint& point, double correlation_exponent);

}  // namespace roofplan::model
