#include "model/sizing/size_spares.hpp"

#include "model/power/phase_power.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

/// Accelerators that go out of service together for a repair.
std::int64_t unit_of(const System& system) {
  const auto trays = system.other.find("compute_trays");
  const bool rack = system.system_class == System::Class::rack;
  if (!rack || trays == system.other.end() || !trays->second.known()) return system.accelerators;
  return std::max<std::int64_t>(1, system.accelerators / std::llround(*trays->second));
}

Seconds repair_of(const Scenario& scenario, const FailureRates& rates) {
  return scenario.site.repair.value_or(*rates.repair);
}

}  // namespace

FailureRates::Range failures_of(const Scenario& scenario, const SpeedData& data, const SizePlan& plan) {
  const System& system = data.catalog().systems().find(plan.system);
  return data.catalog().failure_rates().range(scenario.site.failure_rates,
                                              system.system_class == System::Class::desktop);
}

RedundantService service_of(const Scenario& scenario, const SpeedData& data, const SizePlan& plan,
                            PerSecond failures) {
  const System& system = data.catalog().systems().find(plan.system);
  const FailureRates& rates = data.catalog().failure_rates();
  const std::int64_t unit = unit_of(system);
  const PerSecond rate = failures * static_cast<double>(unit);
  const std::int64_t units = ceil_div(plan.parallel.devices_per_replica(), unit);
  RedundantService out;
  out.groups = plan.groups;
  const std::int64_t used = plan.pools ? plan.linked * system.accelerators : plan.parallel.devices();
  out.blocks = ceil_div(used, units * unit);
  out.block = std::pow(availability(rate, repair_of(scenario, rates)), static_cast<double>(units));
  return out;
}

std::int64_t spare_groups(const Scenario& scenario, const SpeedData& data, const SizePlan& plan) {
  const auto& target = scenario.targets.availability;
  if (!target) return 0;
  const FailureRates::Range failures = failures_of(scenario, data, plan);
  const System& system = data.catalog().systems().find(plan.system);
  const bool desktop = system.system_class == System::Class::desktop;
  return least_spares(service_of(scenario, data, plan, desktop ? failures.high : failures.mid), *target)
      .value_or(0);
}

std::optional<std::int64_t> rented_spares(const Scenario& scenario, const SpeedData& data,
                                          const SizePlan& plan, std::int64_t gpus, std::int64_t replica,
                                          std::int64_t unit) {
  const auto& target = scenario.targets.availability;
  if (!target) return 0;
  const PerSecond rate = failures_of(scenario, data, plan).mid * static_cast<double>(unit);
  const std::int64_t units = ceil_div(replica, unit);
  RedundantService service;
  service.groups = ceil_div(gpus, units * unit);
  service.block = std::pow(availability(rate, repair_of(scenario, data.catalog().failure_rates())),
                           static_cast<double>(units));
  const auto spares = least_spares(service, *target);
  if (!spares) return std::nullopt;
  return *spares * units * unit;
}

void add_spares(const Scenario& scenario, const SpeedData& data, SizePlan& plan) {
  const auto& target = scenario.targets.availability;
  if (target && *target >= 1)
    throw InputError(InputError::Kind::usage, "no number of spares is available all of the time",
                     "an availability below 1, as 0.999");
  const std::int64_t groups = spare_groups(scenario, data, plan);
  const FailureRates::Range failures = failures_of(scenario, data, plan);
  const auto available = [&](PerSecond rate) {
    return service_of(scenario, data, plan, rate).with_spares(groups);
  };
  plan.availability = available(failures.mid);
  plan.availability_low = available(failures.high);
  plan.availability_high = available(failures.low);
  plan.spares = groups * plan.linked;
  plan.count += plan.spares;
  const System& system = data.catalog().systems().find(plan.system);
  plan.gpus = plan.count * system.accelerators;
  if (!plan.power || plan.spares == 0) return;
  plan.power = *plan.power +
               system_power(system, data.catalog().phase_power(), {}).mean * static_cast<double>(plan.spares);
  if (plan.output > TokensPerSecond())
    plan.joule_per_token = *plan.power / plan.output / (unit::W / unit::tok_s);
}

Text failure_assumptions(const Scenario& scenario, const SpeedData& data) {
  const FailureRates& rates = data.catalog().failure_rates();
  const double a_year = *rates.preset(scenario.site.failure_rates) * (8760.0 * unit::hour);
  return Text("size.failures", {{"rate", fmt::format("{:.2g}", a_year)},
                                {"preset", scenario.site.failure_rates},
                                {"hours", fmt::format("{:.3g}", repair_of(scenario, rates) / unit::hour)}});
}

Text desktop_assumptions(const Scenario& scenario, const SpeedData& data) {
  const FailureRates::Range failures =
      data.catalog().failure_rates().range(scenario.site.failure_rates, true);
  const auto a_year = [](PerSecond rate) { return fmt::format("{:.2g}", rate * (8760.0 * unit::hour)); };
  return Text("size.desktop_failures", {{"low", a_year(failures.low)}, {"high", a_year(failures.high)}});
}

}  // namespace roofplan::model
