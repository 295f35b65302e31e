#pragma once

#include "model/fabric/collective.hpp"

#include <string_view>

namespace roofplan::model {

/// How the collectives library moves a message.
enum class Protocol {
  low_latency,      ///< LL: 8-byte stores that carry their own flag; half of the wire is flags
  low_latency_128,  ///< LL128: 128-byte stores with 120 bytes of payload
  simple,           ///< whole chunks with a fence
  in_switch,        ///< NVLS: the switch adds and multicasts
};

std::string_view to_text(Protocol protocol);

/// Kind of wire inside a domain, which selects the library's constants.
enum class LinkClass { nvlink_ampere, nvlink_hopper, nvlink_blackwell, pcie };

std::string_view to_text(LinkClass link);

/// The protocol that the library chooses for a message inside one domain. The library does not try them out:
/// it compares latencies and rates from a table of its own, and this is that comparison with its constants
/// (NCCL, src/graph/tuning.cc, base and per-hop latencies by protocol, rate caps by generation;
/// src/graph/topo.h, link rates), so the measured time jumps where the table is wrong about the faster one.
/// Three facts are from the measurements: the ring rate that the search settles on (240, 360, 720 and 24
/// GB/s), that LL128 is not taken on Blackwell and PCIe, and that Blackwell reduces one-byte elements in the
/// switch as well. `multi_node` is a domain of several nodes (a rack), where the library has no in-switch
/// reduction.
Protocol library_choice(LinkClass link, const Message& message, bool multi_node = false);

}  // namespace roofplan::model
