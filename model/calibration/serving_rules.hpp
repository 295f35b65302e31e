#pragma once

#include "model/units/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace roofplan::model {

/// What a row of a serving table states and measured, as far as the rules below look at it.
struct ServedRow {
  double concurrency = 1;
  double output_tokens = 1;
  std::optional<double> places;  ///< stated batch size x attention-data-parallel ranks (x decode workers)
  std::optional<Seconds> ttft, tpot;
  Seconds shortest_step;    ///< of decode, all open requests in it (StepModel::shortest)
  Seconds shortest_prompt;  ///< of the prefill of one prompt
  bool fits = true;         ///< whether the stated devices together hold the weights
  bool speculates = false;  ///< speculates_unsaid()
};

/// Whether a row belongs to a series that ran speculative decoding and does not state it: rows that state the
/// same deployment and load but for the build took 1.2 to 2.3 times as long in the same weeks, most with few
/// requests open, as speculation has it, and the models carry the draft layers. Two series of
/// aiconfigurator-serving are such: DeepSeek with TensorRT-LLM 1.2.0rc6.post3 (beside .post2), and Qwen3.5 in
/// FP8 with SGLang 0.5.9 on four ranks without expert parallelism (beside four experts' ranks and 0.5.10).
bool speculates_unsaid(std::string_view engine, std::string_view version, std::string_view model,
                       std::string_view precision, std::int64_t tp, std::int64_t ep);

/// No memory was measured above this share of its datasheet bandwidth: streams on A100 to B300 reach 0.83 to
/// 0.92 (data/sources.json: azure-ai-benchmarking; single-row products in aiconfigurator-kernels).
constexpr double kReachableShare = 0.92;
/// A first token that takes longer than both waited for other requests to end: no prefill that the model
/// knows of takes two seconds or two hundred steps of decode.
constexpr Seconds kLongestFirstToken = 2.0 * unit::s;
constexpr double kLongestFirstTokenSteps = 200;

/// The rule that a row breaks, in words; empty: it passes. Rows that break one are predicted and counted like
/// any other, and left out of the statistics of rows that pass. The rules look at what was stated and
/// measured and at datasheets, never at the prediction:
/// - "faster than its memory and arithmetic": the time between tokens is shorter than the bytes of a step at
///   kReachableShare of the datasheet bandwidth, and what the prompts of the others take in between at the
///   datasheet's fastest rate. Such a row ran speculative decoding or a prefix cache without saying so, or
///   far fewer requests at once than it states.
/// - "weights exceed the stated devices": more bytes of weights than all stated devices have memory.
/// - "speculative decoding that is not stated": speculates_unsaid().
/// - "requests queued before they started": ttft > max(kLongestFirstToken, kLongestFirstTokenSteps x tpot).
/// - "open requests differ from the stated places": the concurrency is not the batch size x ranks, so one of
///   them is not what ran.
std::string_view broken_rule(const ServedRow& row);

}  // namespace roofplan::model
