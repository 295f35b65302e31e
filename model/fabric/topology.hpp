#pragma once

#include <cstdint>

namespace roofplan::model {

/// What a rail-optimised network has to join.
struct TopologyRequest {
  std::int64_t nodes = 0;   ///< servers or trays, each with one port a rail
  std::int64_t rails = 8;   ///< network ports of one node
  std::int64_t planes = 1;  ///< halves of a port that go to separate networks (2 x 400 Gb/s Ethernet: 2)
  std::int64_t switch_ports = 0;  ///< of every switch, at the rate of one plane's port
  double oversubscription = 1.0;  ///< leaf ports down / up, at least 1
};

/// Switches and cables of all planes together.
struct Topology {
  std::int64_t leaf = 0, spine = 0, core = 0;
  std::int64_t host_cables = 0;   ///< node to leaf
  std::int64_t leaf_cables = 0;   ///< leaf to spine
  std::int64_t spine_cables = 0;  ///< spine to core
  std::int64_t nodes_per_group =
      0;  ///< nodes that share their leaves; a group's traffic on a rail stays in its leaf
  std::int64_t groups = 0;
  std::int64_t tiers() const { return core > 0 ? 3 : spine > 0 ? 2 : 1; }
};

/// A folded Clos network (Leiserson's fat tree, IEEE Trans. Comput. C-34, 1985) with one leaf per rail and
/// group of nodes. One switch where all ports fit into it. A leaf has switch_ports x r / (1 + r) ports down.
/// Two tiers as long as every spine can reach every leaf: the fewest spines over which the uplinks of a leaf
/// spread evenly. Beyond, three tiers: a spine for each leaf, half as many cores. Throws InputError (usage)
/// for counts below one, an oversubscription below 1, and for more nodes than three tiers reach.
Topology plan_topology(const TopologyRequest& request);

}  // namespace roofplan::model
