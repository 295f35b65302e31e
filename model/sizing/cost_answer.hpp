#pragma once

#include "model/catalog/model_reference.hpp"
#include "model/sizing/cost_question.hpp"

#include <vector>

namespace roofplan::model {

/// Owning first, then renting where there is an offer.
struct CostAnswer {
  std::vector<CostOption> options;
  Text why_no_tokens;          ///< set where there is no cost per token
  std::vector<Text> warnings;  ///< of the question, beside those of each option
};

/// What a scenario costs: with a model at its load, without (nullptr) at typical power. Throws InputError as
/// speed() and owned_cost(), usage where the scenario names no system.
CostAnswer cost_answer(const Scenario& scenario, const SpeedData& data, const ModelFile* model);

}  // namespace roofplan::model
