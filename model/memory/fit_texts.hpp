#pragma once

#include "model/memory/fit.hpp"

namespace roofplan::model {

/// The answer in one sentence.
Text fit_verdict(const FitRequest& request, const FitAnswer& answer);

/// What an answer of "no" fails at: the fraction asked at start-up, the weights, the peaks, one sequence, or
/// the number of sequences.
Text binding_constraint(const FitAnswer& answer, const Deployment& deployment);

/// That so many tokens exceed the context that the model was made for; nothing where they do not, or where
/// nobody states it.
std::optional<Text> beyond_model(const Architecture& model, std::int64_t context);

/// What was assumed, and what is at the edge.
std::vector<Text> fit_warnings(const FitRequest& request, const FitAnswer& answer, const WeightPlan& weights,
                               const Deployment& deployment);

}  // namespace roofplan::model
