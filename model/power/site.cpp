#include "model/power/site.hpp"

#include "model/power/cooling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

constexpr double kPueAir = 1.3, kPueLiquid = 1.15;
constexpr double kBesideCompute = 0.05, kLeastShare = 0.01;
constexpr double kDefaultAirRise = 15.0, kDefaultCoolantRise = 10.0;
constexpr double kRackUnits = 42.0;

[[noreturn]] void refuse(std::string message, std::string expected) {
  throw InputError(InputError::Kind::usage, std::move(message), std::move(expected));
}

void check(const System& system, const SiteRequest& request) {
  if (!request.count && !request.gpus)
    refuse("neither systems nor accelerators are asked for", "--count or --gpus");
  if (request.count.value_or(1) < 1 || request.gpus.value_or(1) < 1) {
    refuse("there is nothing to plan", "at least one system");
  }
  if (request.gpus && request.count.value_or(1) > 1 && *request.gpus > *request.count * system.accelerators)
    refuse(fmt::format("{} accelerators are asked for, and {} x {} hold {}", *request.gpus, *request.count,
                       system.id, *request.count * system.accelerators),
           "either a number of systems or of accelerators");
  if (request.pue && !(*request.pue >= 1.0))
    refuse(fmt::format("a PUE of {} is impossible", *request.pue), "at least 1");
  if (request.rack_power && !(*request.rack_power > Watts()))
    refuse("a rack limit of 0 W bears no system", "a power above 0 W");
  if (!system.power_typical.known()) {
    refuse(
        fmt::format("the typical power of {} is unknown: {}", system.id, system.power_typical.unknown_reason),
        "a system whose power is known");
  }
}

std::optional<double> other(const System& system, const char* name) {
  const auto it = system.other.find(name);
  if (it == system.other.end() || !it->second.known()) return std::nullopt;
  return *it->second;
}

std::optional<Watts> other_power(const System& system, const char* name) {
  const auto value = other(system, name);
  if (!value) return std::nullopt;
  return quantity_in<Watts>(*value, system.other.at(name).unit);
}

void plan_count(const System& system, const SiteRequest& request, SiteAnswer& out) {
  if (request.gpus) {
    const std::int64_t needed = ceil_div(*request.gpus, system.accelerators);
    out.count = std::max(needed, request.count.value_or(needed));
    out.gpus = out.count * system.accelerators;
    out.gpus_over = out.gpus - *request.gpus;
    out.gpus_short_less = std::max<std::int64_t>(*request.gpus - (out.count - 1) * system.accelerators, 0);
  } else {
    out.count = *request.count;
    out.gpus = out.count * system.accelerators;
  }
}

void plan_power(const System& system, const SiteRequest& request, SiteAnswer& out) {
  const auto n = static_cast<double>(out.count);
  const bool desktop = system.system_class == System::Class::desktop;
  out.it.compute = n * *system.power_typical;
  const Watts least = desktop ? Watts{} : kLeastShare * out.it.compute;
  const Watts beside = desktop ? Watts{} : kBesideCompute * out.it.compute;
  // Without a bill of materials the network takes what the two others leave of the share at their least.
  out.it.network = request.network.value_or(beside - 2.0 * least);
  const Watts left = std::max(least, 0.5 * (beside - out.it.network));
  out.it.storage = request.storage.value_or(left);
  out.it.management = request.management.value_or(left);
  if (system.power_design.known()) {
    out.compute_design = n * *system.power_design;
  } else {
    out.design_unknown = Text{"site.unknown_power", {{"reason", system.power_design.unknown_reason}}};
  }
  if (system.power_peak.known()) {
    out.compute_peak = n * *system.power_peak;
  } else {
    out.peak_unknown = Text{"site.unknown_power", {{"reason", system.power_peak.unknown_reason}}};
  }
  const double liquid = system.liquid_fraction.known() ? *system.liquid_fraction : 0.0;
  out.pue = request.pue.value_or(liquid > 0.5 ? kPueLiquid : kPueAir);
  out.facility = out.pue * out.it.total();
  out.cooling = out.facility - out.it.total();
  out.energy_kwh_year = out.facility * (8760.0 * unit::hour) / unit::kWh;
  out.liquid = liquid * out.it.compute;
  out.air = out.it.compute - out.liquid;
}

void plan_cooling(const System& system, const SiteRequest& request, SiteAnswer& out) {
  out.air_rise_kelvin = other(system, "air_temperature_rise").value_or(kDefaultAirRise);
  out.airflow_cfm = airflow_cfm(out.air, out.air_rise_kelvin);
  out.airflow_max_cfm = static_cast<double>(out.count) * other(system, "airflow_max").value_or(0.0);
  if (!(out.liquid > Watts{})) {
    out.coolant_unknown = Text{"site.no_liquid"};
    return;
  }
  if (const auto return_c = other(system, "coolant_return")) {
    if (!(request.coolant_supply_c < *return_c)) {
      refuse(
          fmt::format("coolant of {} C cannot cool: it returns at {} C", request.coolant_supply_c, *return_c),
          "a lower supply temperature");
    }
    ConstantReturnLoop loop;
    loop.return_c = *return_c;
    out.coolant = coolant_flow(out.liquid, request.coolant_supply_c, loop);
  } else {
    out.coolant = coolant_flow(out.liquid, kDefaultCoolantRise, Coolant{});
  }
  const auto hottest = other(system, "coolant_supply_max");
  if (hottest && request.coolant_supply_c > *hottest) {
    out.warnings.emplace_back("site.coolant_too_warm",
                              std::vector<Text::Argument>{{"limit", fmt::format("{:g}", *hottest)}});
  }
}

void plan_racks(const System& system, const SiteRequest& request, SiteAnswer& out) {
  if (system.system_class == System::Class::desktop) return;
  RackPlan plan;
  const Watts design = system.power_design.known() ? *system.power_design : *system.power_typical;
  if (system.system_class == System::Class::rack) {
    plan.systems_per_rack = 1;
    plan.bound = Text{"site.bound_whole_rack"};
  } else if (const auto vendor = other(system, "systems_per_rack")) {
    plan.systems_per_rack = static_cast<std::int64_t>(*vendor);
    plan.bound = Text{"site.bound_vendor"};
  } else if (system.rack_units.known()) {
    plan.systems_per_rack = static_cast<std::int64_t>(kRackUnits / *system.rack_units);
    plan.bound = Text{"site.bound_units"};
  } else {
    return;
  }
  if (request.rack_power) {
    const auto by_power = static_cast<std::int64_t>(std::floor(*request.rack_power / design));
    if (by_power < plan.systems_per_rack) {
      plan.systems_per_rack = by_power;
      plan.bound = Text{"site.bound_power"};
    }
    if (by_power < 1) {
      out.warnings.emplace_back(
          "site.rack_too_weak",
          std::vector<Text::Argument>{{"limit", to_text(*request.rack_power)}, {"power", to_text(design)}});
      return;
    }
    plan.stranded_per_rack = *request.rack_power - static_cast<double>(plan.systems_per_rack) * design;
  }
  plan.racks = ceil_div(out.count, plan.systems_per_rack);
  out.racks = plan;
  out.floor_m2 = static_cast<double>(plan.racks) * request.rack_area_m2.value_or(kRackArea);
}

void plan_shelves(const System& system, SiteAnswer& out) {
  const auto count = other(system, "power_shelves");
  const auto rating = other_power(system, "power_shelf_rating");
  if (!count || !rating) return;
  ShelfPlan plan;
  plan.count = static_cast<std::int64_t>(*count);
  plan.rating = *rating;
  plan.installed = usable_power(plan.count, *rating, Redundancy::n);
  plan.usable = usable_power(plan.count, *rating, Redundancy::n_plus_n);
  plan.covers_design = system.power_design.known() && !(plan.usable < *system.power_design);
  plan.covers_peak = system.power_peak.known() && !(plan.usable < *system.power_peak);
  if (!plan.covers_design) {
    out.warnings.emplace_back("site.shelves_below_design",
                              std::vector<Text::Argument>{{"usable", to_text(plan.usable)},
                                                          {"installed", to_text(plan.installed)}});
  }
  out.shelves = plan;
}

void plan_circuits(const System& system, const SiteRequest& request, SiteAnswer& out) {
  for (const Circuit& circuit : request.circuits) {
    CircuitPlan plan;
    plan.circuit = circuit;
    plan.nameplate = other_power(system, "adapter")
                         .value_or(system.power_peak.known() ? *system.power_peak : *system.power_typical);
    plan.systems_per_circuit = devices_per_circuit(circuit, plan.nameplate);
    if (plan.systems_per_circuit < 1) {
      out.warnings.emplace_back("site.circuit_too_weak",
                                std::vector<Text::Argument>{{"circuit", circuit.id},
                                                            {"usable", to_text(circuit.usable())},
                                                            {"power", to_text(plan.nameplate)}});
    } else {
      plan.circuits = ceil_div(out.count, plan.systems_per_circuit);
    }
    out.circuits.push_back(plan);
  }
}

void explain(const System& system, const SiteAnswer& out, Derivations& derivations) {
  const std::string count = grouped(out.count);
  derivations.push_back(
      {"it_w.compute",
       "systems x typical power of one",
       {{"systems", count, {}},
        {"power_typical", to_text(*system.power_typical), system.power_typical.provenance.source}},
       to_text(out.it.compute)});
  derivations.push_back({"facility_w",
                         "PUE x (compute + network + storage + management)",
                         {{"pue", fmt::format("{:g}", out.pue), {}},
                          {"compute", to_text(out.it.compute), {}},
                          {"network", to_text(out.it.network), {}},
                          {"storage", to_text(out.it.storage), {}},
                          {"management", to_text(out.it.management), {}}},
                         to_text(out.facility)});
  derivations.push_back(
      {"airflow_cfm",
       "air heat / (1.2 kg/m3 x 1005 J/(kg K) x rise), in cubic feet a minute",
       {{"air_w", to_text(out.air), {}}, {"rise", fmt::format("{:g} K", out.air_rise_kelvin), {}}},
       fmt::format("{:.0f} CFM", out.airflow_cfm)});
}

}  // namespace

SiteAnswer plan_site(const System& system, const SiteRequest& request, Derivations* derivations) {
  if (request.power_cap) {
    SiteRequest capped = request;
    capped.power_cap.reset();
    const ItPower whole = plan_site(system, capped).it;
    capped.network = whole.network;
    capped.storage = whole.storage;
    capped.management = whole.management;
    SiteAnswer out = plan_site(with_power_cap(system, *request.power_cap->phases, request.power_cap->share),
                               capped, derivations);
    out.accelerator_limit = request.power_cap->share * *system.chip.tdp;
    out.warnings.emplace_back("power.cap_estimate");
    return out;
  }
  check(system, request);
  SiteAnswer out;
  plan_count(system, request, out);
  plan_power(system, request, out);
  plan_cooling(system, request, out);
  plan_racks(system, request, out);
  plan_shelves(system, out);
  plan_circuits(system, request, out);
  if (derivations != nullptr) explain(system, out, *derivations);
  return out;
}

}  // namespace roofplan::model
