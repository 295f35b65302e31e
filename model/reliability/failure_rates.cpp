#include "model/reliability/failure_rates.hpp"

#include "model/units/error.hpp"

#include <vector>

namespace roofplan::model {

const Figure<PerSecond>& FailureRates::preset(std::string_view name) const {
  const auto found = per_accelerator.find(name);
  if (found != per_accelerator.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [id, rate] : per_accelerator) known.push_back(id);
  throw InputError(InputError::Kind::usage, "unknown failure rates \"" + std::string(name) + "\"",
                   "one of the presets", {}, nearest_names(name, known));
}

}  // namespace roofplan::model
