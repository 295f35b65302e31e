#include "model/fabric/topology.hpp"

#include "model/units/byte_count.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

void check(const TopologyRequest& r) {
  const auto refuse = [](std::string what, std::string expected) {
    throw InputError(InputError::Kind::usage, std::move(what), std::move(expected));
  };
  if (r.nodes < 1 || r.rails < 1 || r.planes < 1 || r.switch_ports < 2) {
    refuse("a network needs nodes, ports and switches", "counts of at least 1");
  }
  if (!(r.oversubscription >= 1.0))
    refuse(fmt::format("an oversubscription of {}", r.oversubscription), "at least 1");
}

/// The fewest spines over which `uplinks` of each of `leaves` spread evenly, or 0 where two tiers do not
/// reach.
std::int64_t spines_for(std::int64_t leaves, std::int64_t uplinks, std::int64_t ports) {
  for (std::int64_t spines = ceil_div(leaves * uplinks, ports); spines <= uplinks; ++spines) {
    if (uplinks % spines == 0) return spines;
  }
  return 0;
}

}  // namespace

Topology plan_topology(const TopologyRequest& r) {
  const double ports = static_cast<double>(r.switch_ports);
  const auto down =
      static_cast<std::int64_t>(std::floor(ports * r.oversubscription / (1.0 + r.oversubscription) + 1e-9));
  check(r);
  Topology out;
  out.host_cables = r.nodes * r.rails * r.planes;
  if (r.nodes * r.rails <= r.switch_ports) {
    out.leaf = r.planes;
    out.groups = 1;
    out.nodes_per_group = r.nodes;
    return out;
  }
  out.groups = ceil_div(r.nodes, down);
  out.nodes_per_group = ceil_div(r.nodes, out.groups);
  // Few nodes leave ports free: a leaf then carries several rails.
  const std::int64_t rails_a_leaf = std::min(r.rails, down / out.nodes_per_group);
  const std::int64_t leaves = out.groups * ceil_div(r.rails, rails_a_leaf);
  const auto uplinks = static_cast<std::int64_t>(
      std::ceil(static_cast<double>(rails_a_leaf * out.nodes_per_group) / r.oversubscription - 1e-9));
  std::int64_t spines = spines_for(leaves, uplinks, r.switch_ports);
  if (spines == 0) {
    spines = leaves;
    const std::int64_t cores = ceil_div(leaves * uplinks, r.switch_ports);
    if (cores * 2 > r.switch_ports * r.switch_ports / 2) {
      throw InputError(
          InputError::Kind::usage, fmt::format("{} nodes are more than three tiers reach", r.nodes),
          fmt::format("at most {} nodes", down * r.switch_ports * r.switch_ports / (4 * r.rails)));
    }
    out.core = cores * r.planes;
    out.spine_cables = leaves * uplinks * r.planes;
  }
  out.leaf = leaves * r.planes;
  out.spine = spines * r.planes;
  out.leaf_cables = leaves * uplinks * r.planes;
  return out;
}

}  // namespace roofplan::model
