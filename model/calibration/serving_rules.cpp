#include "model/calibration/serving_rules.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

bool faster_than_possible(const ServedRow& row) {
  if (!row.tpot) return false;
  const double prompts = std::max(0.0, row.concurrency - 1) / std::max(1.0, row.output_tokens);
  return *row.tpot < row.shortest_step / kReachableShare + prompts * row.shortest_prompt;
}

bool queued(const ServedRow& row) {
  if (!row.ttft) return false;
  return *row.ttft > kLongestFirstToken && (!row.tpot || *row.ttft > kLongestFirstTokenSteps * *row.tpot);
}

bool places_differ(const ServedRow& row) {
  return row.places && std::abs(*row.places - row.concurrency) > 0.5;
}

}  // namespace

bool speculates_unsaid(std::string_view engine, std::string_view version, std::string_view model,
                       std::string_view precision, std::int64_t tp, std::int64_t ep) {
  const auto names = [&](std::string_view part) { return model.find(part) != std::string_view::npos; };
  if (engine == "trtllm" && version == "1.2.0rc6.post3") return names("DeepSeek");
  return engine == "sglang" && version == "0.5.9" && names("Qwen3.5") && precision == "fp8" && tp == 4 &&
         ep == 1;
}

std::string_view broken_rule(const ServedRow& row) {
  if (!row.fits) return "weights exceed the stated devices";
  if (row.speculates) return "speculative decoding that is not stated";
  if (places_differ(row)) return "open requests differ from the stated places";
  if (queued(row)) return "requests queued before they started";
  if (faster_than_possible(row)) return "faster than its memory and arithmetic";
  return {};
}

}  // namespace roofplan::model
