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

std::string_view broken_rule(const ServedRow& row) {
  if (places_differ(row)) return "open requests differ from the stated places";
  if (queued(row)) return "requests queued before they started";
  if (faster_than_possible(row)) return "faster than its memory and arithmetic";
  return {};
}

}  // namespace roofplan::model
