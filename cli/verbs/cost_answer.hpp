#pragma once

#include "cli/session.hpp"
#include "model/sizing/cost_question.hpp"

#include <vector>

namespace roofplan::cli {

/// Owning first, then renting where there is an offer.
struct CostAnswer {
  std::vector<model::CostOption> options;
  model::Text why_no_tokens;  ///< set where there is no cost per token
};

/// What a scenario costs: with a model at its load, else at typical power. Throws InputError as speed() and
/// owned_cost().
CostAnswer cost_answer(Session& session, const model::Scenario& scenario);

/// Names the sources of the prices that were used.
void cite_costs(Session& session, model::report::Document& document, const CostAnswer& answer);

}  // namespace roofplan::cli
