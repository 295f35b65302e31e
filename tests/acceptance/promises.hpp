#pragma once

#include "model/acceptance/acceptance.hpp"

#include <string>
#include <vector>

namespace roofplan::test {

/// The promise of so many systems of the catalogue, with the shipped data.
model::Promise promise_of(const std::string& system);

/// What the model expects of a collective on them, in GB/s of bus bandwidth.
double expected_busbw(const std::string& system, model::Collective op, double bytes, int ranks,
                      model::LinkState state = model::LinkState::measured);

/// Reads texts as logs of these names.
model::Evidence evidence_of(const std::vector<std::pair<std::string, std::string>>& named_texts);

/// The checks of a name.
std::vector<model::Check> checks_named(const model::Acceptance& acceptance, const std::string& name);
double number_in(const model::Check::Reading& reading);

}  // namespace roofplan::test
