#include "model/reliability/failure_rates.hpp"

#include "model/units/error.hpp"

#include <algorithm>
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

FailureRates::Range FailureRates::range(std::string_view name, bool desktop) const {
  const Figure<PerSecond>& chosen = preset(name);
  Range out{*chosen, chosen.low.value_or(*chosen), chosen.high.value_or(*chosen)};
  if (!desktop) return out;
  for (const auto& [id, rate] : per_accelerator) {
    out.low = std::min(out.low, rate.low.value_or(*rate));
    out.high = std::max(out.high, rate.high.value_or(*rate));
  }
  return out;
}

}  // namespace roofplan::model
