#include "model/catalog/fabric_parts.hpp"

#include "model/memory/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

/// How a network is built from parts.
struct Network {
  std::string_view name, network_switch, nic, switch_optic, node_optic;
  BytesPerSecond port_rate;  ///< of a node's port
  std::int64_t planes, port_split;
};

/// Ports of 800 Gb/s Ethernet go out as two of 400, each to a plane of its own (NVIDIA, DGX SuperPOD with
/// B300 and Spectrum-4), so that a switch of 64 ports counts 128.
constexpr Network kNetworks[] = {
    {"quantum-2", "quantum-2-qm9700", "connectx-7", "osfp-800g-sm", "osfp-800g-sm", 400 * unit::Gb_s, 1, 1},
    {"quantum-x800", "quantum-x800-q3400", "connectx-8", "osfp-1600g", "osfp-800g-sm", 800 * unit::Gb_s, 1,
     1},
    {"spectrum-4", "spectrum-4-sn5600", "connectx-8", "osfp-800g-sm", "osfp-800g-sm", 800 * unit::Gb_s, 2,
     2}};

constexpr std::int64_t kTrayAccelerators = 4;  // of a GB200 or GB300 rack: one operating system

bool same(BytesPerSecond a, BytesPerSecond b) {
  return std::abs(a / b - 1.0) < 1e-9;
}

const Network& network_for(const System& system, std::string_view wanted) {
  const BytesPerSecond rate = *system.nic_rate;
  for (const Network& network : kNetworks) {
    if (wanted.empty() ? same(network.port_rate, rate) : network.name == wanted) {
      if (same(network.port_rate, rate)) return network;
      throw InputError(
          InputError::Kind::usage, fmt::format("{} has ports of {:g} Gb/s", system.id, rate / unit::Gb_s),
          fmt::format("a network of that rate; {} is of {:g}", wanted, network.port_rate / unit::Gb_s));
    }
  }
  throw InputError(InputError::Kind::usage,
                   wanted.empty()
                       ? fmt::format("no switch for ports of {:g} Gb/s is known", rate / unit::Gb_s)
                       : fmt::format("unknown network \"{}\"", wanted),
                   fmt::format("one of: {}", fmt::join(fabric_networks(), ", ")));
}

/// GB10: a cable between two, a ring of three, a switch for more.
FabricParts boxes(const System& system, const NetworkCatalog& catalog) {
  FabricParts parts;
  parts.network_switch = catalog.part("ethernet-200g-switch");
  parts.nic = catalog.part("connectx-7");
  parts.cable = catalog.part("qsfp56-dac-200g");
  parts.most_without_switch = 3;
  parts.most_systems = most_linked(system).value_or(parts.most_without_switch);
  parts.switch_ports = parts.most_systems;
  return parts;
}

}  // namespace

const std::vector<std::string>& fabric_networks() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Network& network : kNetworks) names.emplace_back(network.name);
    return names;
  }();
  return kNames;
}

FabricParts fabric_parts(const System& system, const NetworkCatalog& catalog, std::string_view wanted) {
  if (!system.nic_rate.known() || !system.nic_count.known() || *system.nic_count < 1) {
    throw InputError(InputError::Kind::usage, fmt::format("{} has no network ports to join it by", system.id),
                     "a system with network ports");
  }
  if (system.chip.id == "gb10" && wanted.empty()) return boxes(system, catalog);
  const Network& network = network_for(system, wanted);
  FabricParts parts;
  parts.network_switch = catalog.part(network.network_switch);
  parts.nic = catalog.part(network.nic);
  parts.switch_optic = catalog.part(network.switch_optic);
  parts.node_optic = catalog.part(network.node_optic);
  parts.cable = catalog.part("fibre-cable");
  parts.planes = network.planes;
  parts.switch_ports = static_cast<std::int64_t>(*parts.network_switch->ports) * network.port_split;
  // A cage of the node carries two ports of 400 Gb/s or one of 800: its optic is counted in those.
  if (network.planes == 1 && network.port_rate > *parts.node_optic->port_rate)
    parts.node_optic->ports.value = 1.0;
  if (system.system_class == System::Class::rack)
    parts.nodes_per_system = system.accelerators / kTrayAccelerators;
  parts.rails = static_cast<std::int64_t>(*system.nic_count) / parts.nodes_per_system;
  parts.nics_per_node = parts.rails;
  return parts;
}

std::optional<ScalableUnit::Stage> published_stage(const System& system, const NetworkCatalog& catalog,
                                                   const FabricParts& parts, std::int64_t systems) {
  for (const ScalableUnit& unit : catalog.units()) {
    const bool has = std::find(unit.systems.begin(), unit.systems.end(), system.id) != unit.systems.end();
    if (!has || !parts.network_switch || unit.leaf_switch != parts.network_switch->id) continue;
    for (const ScalableUnit::Stage& stage : unit.stages) {
      if (stage.units * static_cast<std::int64_t>(*unit.systems_per_unit) == systems) return stage;
    }
  }
  return std::nullopt;
}

}  // namespace roofplan::model
