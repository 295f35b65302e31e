#pragma once

#include "model/hardware/figure.hpp"
#include "model/units/quantity.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// A part of a network that one buys.
struct NetworkPart {
  enum class Kind { network_switch, nic, transceiver, cable };

  std::string id;
  std::string name;
  Kind kind = Kind::network_switch;
  Figure<double> ports;              ///< at port_rate
  Figure<BytesPerSecond> port_rate;  ///< per port and direction
  Figure<Watts> power;               ///< of the part; a switch without its optics
  Figure<double> rack_units;
  std::map<std::string, Figure<double>> other;
  std::map<std::string, SourcedText> texts;
};

/// How a vendor wires his systems to a cluster: a scalable unit, and the switches of so many of them.
struct ScalableUnit {
  struct Stage {
    std::int64_t units = 0;
    std::int64_t leaf = 0, spine = 0;  ///< switches of the compute network
    std::int64_t core = 0;             ///< 0 in a fabric of two tiers
  };

  std::string id;
  std::string name;
  std::vector<std::string> systems;        ///< ids in the catalogue
  Figure<double> systems_per_unit;         ///< nodes, or racks of rack-scale systems
  std::optional<std::string> leaf_switch;  ///< id of a NetworkPart
  std::vector<Stage> stages;               ///< by rising number of units; empty where the vendor prints none
  Provenance stages_from;
  std::map<std::string, Figure<double>> other;
  std::map<std::string, SourcedText> texts;
};

}  // namespace roofplan::model
