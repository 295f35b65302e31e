#pragma once

#include "model/cost/money.hpp"
#include "model/fabric/scale_out_law.hpp"
#include "model/fabric/topology.hpp"
#include "model/hardware/network.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// The parts from which the network of one kind of system is made.
struct FabricParts {
  std::optional<NetworkPart> network_switch;  ///< of every tier; none for boxes that are cabled to each other
  std::optional<NetworkPart> switch_optic;    ///< in the cages of the switches
  std::optional<NetworkPart> node_optic;      ///< in the cages of the nodes
  std::optional<NetworkPart> nic;
  std::optional<NetworkPart> cable;  ///< where the cable is a part of its own, with its ends
  std::int64_t nodes_per_system = 1;
  std::int64_t rails = 1;   ///< ports of one node
  std::int64_t planes = 1;  ///< halves of a port on separate networks
  std::int64_t nics_per_node = 1;
  std::int64_t switch_ports = 0;         ///< at the rate of a plane's port
  std::int64_t most_without_switch = 0;  ///< systems that can be cabled to each other, 0: none
  std::int64_t most_systems = 0;         ///< that the vendor lets join, 0: no limit
};

/// A line of the bill of materials.
struct BillLine {
  enum class Use { leaf, spine, core, switch_optic, node_optic, nic, cable };
  Use use = Use::leaf;
  std::string part, name;
  std::int64_t count = 0;
  std::optional<Watts> power_each;  ///< nothing: unknown
  bool inside_system = false;       ///< its power is part of the system's
  std::optional<Money> price_each;
};

struct TimedMessage {
  Message message;
  Seconds time;
};

/// The network of a number of systems: switches and cables, what they draw and cost, how fast collectives
/// are.
struct FabricPlan {
  Topology topology;
  double oversubscription = 1.0;
  std::int64_t cables = 0, transceivers = 0, nics = 0;
  std::vector<BillLine> bill;
  Watts power;                         ///< of switches and optics, at most; adapters count with their systems
  std::vector<std::string> unpowered;  ///< parts whose power is unknown: `power` is then a lower bound
  std::optional<Money> cost;           ///< of the parts that have a price
  std::vector<std::string> unpriced;   ///< parts without price: `cost` is then a lower bound
  std::vector<TimedMessage> collectives;
};

/// Prices by part id; nothing where there is none. All in one currency.
using PartPrices = std::function<std::optional<Money>(const std::string& part)>;

/// Plans the network of `systems` systems and times collectives over all their accelerators. A system alone
/// that is one node has no network. Optics: one twin-port optic for every two ports of a switch; nodes by
/// their cages. Throws InputError (usage) for more systems than the vendor lets join, and as plan_topology()
/// does.
FabricPlan plan_fabric(std::int64_t systems, double oversubscription, const FabricParts& parts,
                       FabricPath path, std::int64_t accelerators_per_system, const PartPrices& prices);

}  // namespace roofplan::model
