#include "model/fabric/fabric_plan.hpp"

#include "model/units/byte_count.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

using Use = BillLine::Use;

/// Boxes on direct cables: a pair on one, three and more in a ring.
Topology direct(std::int64_t systems) {
  Topology out;
  out.host_cables = systems == 2 ? 1 : systems;
  out.groups = 1;
  out.nodes_per_group = systems;
  return out;
}

Topology topology_of(std::int64_t systems, double oversubscription, const FabricParts& parts) {
  const std::int64_t nodes = systems * parts.nodes_per_system;
  if (nodes <= 1) return {};
  if (systems <= parts.most_without_switch) return direct(systems);
  return plan_topology({nodes, parts.rails, parts.planes, parts.switch_ports, oversubscription});
}

class Biller {
 public:
  Biller(FabricPlan& plan, const PartPrices& prices) : plan_(plan), prices_(prices) {}

  void add(Use use, const std::optional<NetworkPart>& part, std::int64_t count, bool inside_system = false) {
    if (!part || count == 0) return;
    BillLine line{use, part->id, part->name, count, part->power.value, inside_system, prices_(part->id)};
    if (line.price_each) {
      const Money amount = static_cast<double>(count) * *line.price_each;
      plan_.cost = plan_.cost ? *plan_.cost + amount : amount;
    } else if (!inside_system) {
      note(plan_.unpriced, part->id);
    }
    if (!inside_system) {
      if (line.power_each) {
        plan_.power += static_cast<double>(count) * *line.power_each;
      } else {
        note(plan_.unpowered, part->id);
      }
    }
    plan_.bill.push_back(std::move(line));
  }

 private:
  static void note(std::vector<std::string>& list, const std::string& id) {
    if (std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
  }

  FabricPlan& plan_;
  const PartPrices& prices_;
};

std::int64_t optics(const std::optional<NetworkPart>& optic, std::int64_t ports) {
  return optic && optic->ports.known() ? ceil_div(ports, static_cast<std::int64_t>(*optic->ports)) : 0;
}

void bill(FabricPlan& plan, std::int64_t systems, const FabricParts& parts, const PartPrices& prices) {
  const Topology& t = plan.topology;
  const std::int64_t nodes = systems * parts.nodes_per_system;
  plan.cables = t.host_cables + t.leaf_cables + t.spine_cables;
  plan.nics = nodes * parts.nics_per_node;
  const bool switched = t.leaf > 0;
  const std::int64_t at_switches =
      switched ? optics(parts.switch_optic, t.host_cables + 2 * (t.leaf_cables + t.spine_cables)) : 0;
  const std::int64_t at_nodes = switched ? optics(parts.node_optic, t.host_cables) : 0;
  plan.transceivers = at_switches + at_nodes;
  Biller biller(plan, prices);
  biller.add(Use::nic, parts.nic, plan.nics, true);
  biller.add(Use::leaf, parts.network_switch, t.leaf);
  biller.add(Use::spine, parts.network_switch, t.spine);
  biller.add(Use::core, parts.network_switch, t.core);
  biller.add(Use::switch_optic, parts.switch_optic, at_switches);
  biller.add(Use::node_optic, parts.node_optic, at_nodes);
  biller.add(Use::cable, parts.cable, plan.cables);
}

void time_collectives(FabricPlan& plan, const FabricPath& path, std::int64_t accelerators) {
  if (accelerators < 2) return;
  for (const Collective op : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                              Collective::all_to_all, Collective::broadcast}) {
    for (const Bytes bytes : {8 * unit::KiB, 1 * unit::MiB, 64 * unit::MiB, 1 * unit::GiB, 8 * unit::GiB}) {
      const Message m{op, bytes, static_cast<int>(accelerators), 2};
      plan.collectives.push_back({m, fabric_time(path, m)});
    }
  }
}

}  // namespace

FabricPlan plan_fabric(std::int64_t systems, double oversubscription, const FabricParts& parts,
                       FabricPath path, std::int64_t accelerators_per_system, const PartPrices& prices) {
  if (parts.most_systems > 0 && systems > parts.most_systems) {
    throw InputError(InputError::Kind::usage, fmt::format("{} such boxes cannot be joined", systems),
                     fmt::format("at most {}; more stay separate", parts.most_systems));
  }
  FabricPlan plan;
  plan.oversubscription = oversubscription;
  plan.topology = topology_of(systems, oversubscription, parts);
  bill(plan, systems, parts, prices);
  // Inside a group the leaf is not oversubscribed; between groups every port has its share of the uplinks.
  if (plan.topology.groups > 1) path.outside.line_rate *= 1.0 / oversubscription;
  time_collectives(plan, path, systems * accelerators_per_system);
  return plan;
}

}  // namespace roofplan::model
