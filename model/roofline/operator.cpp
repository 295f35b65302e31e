#include "model/roofline/operator.hpp"

#include <algorithm>

namespace roofplan::model {

namespace {

// Sum of min(context + i, cap) for i = 1 .. tokens.
double sum_capped(double tokens, double context, double cap) {
  const double growing = std::clamp(cap - context, 0.0, tokens);
  const double capped = tokens - growing;
  return growing * context + growing * (growing + 1) / 2 + (capped > 0 ? capped * cap : 0.0);
}

/// What of a step one device works on.
struct DeviceShare {
  double sequences, tokens;

  DeviceShare(const Operator& op, const StepPoint& point)
      : sequences(point.sequences * op.token_share),
        tokens(op.last_only ? sequences : sequences * point.tokens) {}
};

/// What no work changes.
double fixed_seconds(const Operator& op, const DeviceShare& share) {
  return op.fixed_s + op.s_per_sequence * share.sequences + op.s_per_token * share.tokens;
}

bool capped(const Operator& op) {
  return op.compute_stretch != 1 || op.memory_stretch != 1;
}

/// A law tells no parts: under a power cap it takes longer as the same work by rates would.
double law_stretch(const Operator& op, double compute, double memory) {
  if (!capped(op)) return 1;
  const double whole = std::hypot(compute / op.compute_stretch, memory / op.memory_stretch);
  return whole > 0 ? std::hypot(compute, memory) / whole : 1;
}

}  // namespace

const char* to_text(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::gemm:
      return "gemm";
    case OperatorKind::grouped_gemm:
      return "grouped_gemm";
    case OperatorKind::attention_prefill:
      return "attention_prefill";
    case OperatorKind::attention_decode:
      return "attention_decode";
    case OperatorKind::scan:
      return "scan";
    case OperatorKind::elementwise:
      return "elementwise";
    case OperatorKind::collective:
      return "collective";
    case OperatorKind::copy:
      return "copy";
    case OperatorKind::software:
      return "software";
  }
  return "";
}

const char* to_text(Phase phase) {
  return phase == Phase::prefill ? "prefill" : "decode";
}

const char* to_text(Bound bound) {
  switch (bound) {
    case Bound::compute:
      return "compute";
    case Bound::memory:
      return "memory";
    case Bound::network:
      return "network";
    case Bound::launch:
      return "launch";
    case Bound::host:
      return "host";
    case Bound::capacity:
      return "capacity";
  }
  return "";
}

const char* to_text(TimeLaw law) {
  switch (law) {
    case TimeLaw::kernel:
      return "kernel";
    case TimeLaw::rates:
      return "rates";
    case TimeLaw::exchange:
      return "exchange";
    case TimeLaw::engine:
      return "engine";
  }
  return "";
}

TimeLaw time_law(const Operator& op) {
  if (op.exchange != nullptr) return TimeLaw::exchange;
  if (op.kind == OperatorKind::software) return TimeLaw::engine;
  return op.kernel != nullptr ? TimeLaw::kernel : TimeLaw::rates;
}

double Visibility::seen(double before) const {
  return pairs(1, before);
}

double Visibility::pairs(double tokens, double context) const {
  const double recent = sum_capped(tokens, context, window);
  if (stride == kAll) return recent;
  const double beyond_context = std::max(0.0, context - window);
  const double beyond_tokens = context + tokens - std::max(context, window);
  if (beyond_tokens <= 0) return recent;
  return recent + sum_capped(beyond_tokens, beyond_context, entries * stride) / stride;
}

double Visibility::read(double tokens, double context) const {
  const double recent = std::min(context + tokens, window > 0 ? window + tokens - 1 : 0.0);
  if (stride == kAll) return recent;
  const double pooled = std::max(0.0, context + tokens - window) / stride;
  return recent + std::min(pooled, tokens * entries);
}

double distinct_experts(double experts, double top_k, double tokens, double correlation_exponent) {
  if (experts <= 0) return 0;
  const double draws = correlation_exponent == 1.0 ? tokens : std::pow(tokens, correlation_exponent);
  return -experts * std::expm1(draws * std::log1p(-std::min(1.0, top_k / experts)));
}

ExchangeTimes::ExchangeTimes(const std::function<Seconds(Bytes)>& law) {
  for (int i = 0; i < kSamples; ++i) {
    const double bytes = std::exp2(kFirstOctave + static_cast<double>(i) / kPerOctave);
    log_seconds_[static_cast<std::size_t>(i)] = std::log2(law(bytes * unit::B).base());
  }
}

double ExchangeTimes::seconds(double bytes) const {
  if (bytes <= 0) return 0;
  const double at = (std::log2(bytes) - kFirstOctave) * kPerOctave;
  if (at <= 0) return std::exp2(log_seconds_.front());
  if (at >= kSamples - 1) return std::exp2(log_seconds_.back() + (at - (kSamples - 1)) / kPerOctave);
  const auto i = static_cast<std::size_t>(at);
  const double part = at - static_cast<double>(i);
  return std::exp2(log_seconds_[i] + part * (log_seconds_[i + 1] - log_seconds_[i]));
}

OperatorCost evaluate(const Operator& op, const StepPoint& point, double correlation_exponent) {
  OperatorCost cost;
  const DeviceShare share(op, point);
  const auto [sequences, tokens] = share;
  if (op.exchange != nullptr) {
    cost.activation_bytes = op.activation_bytes_per_token * tokens;
    cost.time_s = op.exchange->seconds(cost.activation_bytes);
    cost.bound = Bound::network;
    return cost;
  }
  cost.flop = op.flop_per_token * tokens;
  cost.weight_bytes = op.weight_bytes;
  cost.activation_bytes = op.activation_bytes_per_token * tokens;
  if (op.experts > 0) {
    const double touched =
        op.local_share * distinct_experts(op.experts, op.top_k, tokens, correlation_exponent);
    cost.weight_bytes += touched * op.expert_bytes;
    cost.flop += touched * op.flop_per_expert;
  }
  if (op.kv_bytes_per_entry > 0 || op.flop_per_pair > 0) {
    cost.flop += op.flop_per_pair * sequences * op.visibility.pairs(point.tokens, point.context);
    cost.kv_bytes = op.kv_bytes_per_entry * sequences * op.visibility.read(point.tokens, point.context);
  }
  cost.kv_bytes += op.kv_write_bytes_per_token * tokens;
  cost.state_bytes = op.state_bytes_per_sequence * sequences;

  const double compute = cost.flop * op.s_per_flop * op.compute_stretch;
  const double memory =
      op.memory_stretch *
      (cost.weight_bytes * op.s_per_weight_byte + cost.activation_bytes * op.s_per_activation_byte +
       cost.kv_bytes * op.s_per_kv_byte + cost.state_bytes * op.s_per_state_byte);
  const double fixed = fixed_seconds(op, share);
  const double launch = point.sequences > 1 ? op.launch_batched_s : op.launch_s;
  const double in_turn = 2 * (1 - op.overlap) * compute * memory;
  const double by_rates = std::sqrt(compute * compute + memory * memory + in_turn) + launch;
  cost.time_s =
      fixed + (op.kernel != nullptr ? op.kernel->seconds(point, sequences, tokens, correlation_exponent) *
                                          law_stretch(op, compute, memory)
                                    : by_rates);
  const double work = std::max(compute, memory);
  if (fixed > std::max(work, launch)) {
    cost.bound = op.fixed_bound;
  } else if (launch > work) {
    cost.bound = Bound::launch;
  } else {
    cost.bound = compute >= memory ? Bound::compute : Bound::memory;
  }
  return cost;
}

double seconds_of(const Operator& op, const StepPoint& point, double correlation_exponent) {
  const DeviceShare share(op, point);
  if (op.exchange != nullptr) return op.exchange->seconds(op.activation_bytes_per_token * share.tokens);
  if (op.kind == OperatorKind::software) return fixed_seconds(op, share);
  if (op.kernel == nullptr || capped(op)) return evaluate(op, point, correlation_exponent).time_s;
  return fixed_seconds(op, share) +
         op.kernel->seconds(point, share.sequences, share.tokens, correlation_exponent);
}

}  // namespace roofplan::model
