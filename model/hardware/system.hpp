#pragma once

#include "model/hardware/figure.hpp"
#include "model/units/byte_count.hpp"
#include "model/units/quantity.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace roofplan::model {

/// An accelerator. Rates are dense, bandwidths per direction, all per accelerator.
struct Chip {
  std::string id;    ///< e.g. "b300-sxm"
  std::string name;  ///< e.g. "NVIDIA B300 SXM"
  std::string
      family;  ///< "ampere", "hopper", "blackwell", "blackwell-ultra", "blackwell-consumer", "ada", ...
  SourcedText compute_capability;  ///< e.g. "10.3"; unknown where it has none
  Figure<double> sm_count;
  Figure<ByteCount> memory_marketed;  ///< what the brochure says
  Figure<ByteCount> memory_visible;   ///< what software sees as the device's total
  Figure<BytesPerSecond> memory_bandwidth;
  Figure<ByteCount> l2;
  Figure<Watts> tdp;
  Figure<BytesPerSecond> scale_up_link;  ///< NVLink and the like, per direction and per accelerator
  Figure<BytesPerSecond> host_link;      ///< PCIe or C2C, per direction
  /// Dense matrix rate by number format: fp64 tf32 bf16 fp16 fp8 int8 nvfp4 (all 4-bit floating formats),
  /// and fp32 as vector rate. A format that the chip computes no faster than a wider one is absent.
  std::map<std::string, Figure<FlopPerSecond>> dense_rate;
  /// Extra figures by name, each a number in its own unit (`quantity_in` makes it a quantity). Sparse
  /// rates stand here, never beside the dense ones.
  std::map<std::string, Figure<double>> other;
  std::map<std::string, SourcedText> texts;  ///< facts in words, by name
};

/// What one buys: a card, a box, a node, a rack. Counts and powers are per system.
struct System {
  /// A card needs a host, which its figures do not count.
  enum class Class { card, desktop, node, rack };

  std::string id;
  std::string name;
  std::vector<std::string> aliases;
  Class system_class = Class::node;
  Chip chip;
  std::int64_t accelerators = 0;
  std::int64_t scale_up_size = 1;  ///< accelerators in one NVLink domain
  bool unified_memory = false;     ///< CPU and GPU share the memory
  /// On unified memory: what the operating system, driver and kernel keep of each accelerator's visible
  /// memory; elsewhere what driver and firmware keep. Per accelerator.
  Figure<ByteCount> reserved;
  Figure<ByteCount> host_memory;  ///< CPU memory of the system where it is separate
  Figure<double> rack_units;
  Figure<Watts> power_typical;  ///< serving or training load as planned by the vendor
  Figure<Watts> power_design;   ///< what power and cooling are sized for on average
  Figure<Watts> power_peak;     ///< what feeds and breakers must bear
  Figure<Watts> power_idle;
  Figure<double> nic_count;         ///< scale-out ports per system; a GB10's port is two halves of 100 Gb/s
  Figure<BytesPerSecond> nic_rate;  ///< per port and direction
  Figure<double> liquid_fraction;   ///< share of heat that goes to liquid, 0..1
  /// Extra figures that only `systems show`, `site` and `fabric` use, by name, each a number in its own unit.
  std::map<std::string, Figure<double>> other;
  /// Facts in words (CPU, cooling, ports), by name.
  std::map<std::string, SourcedText> texts;
};

}  // namespace roofplan::model
