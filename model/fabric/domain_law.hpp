#pragma once

#include "model/fabric/library_table.hpp"

namespace roofplan::model {

/// Time of point-to-point sends and of all-to-all, which is a send to and a receive from every other rank.
struct ExchangeLaw {
  Seconds base, fan_out;   ///< small messages: first peer, and each doubling of the ranks
  BytesPerSecond ll_rate;  ///< small messages, per rank and direction
  Seconds simple_base, simple_fan_out;
  Seconds ramp;                  ///< extra time until a peer's share fills the pipeline (512 KiB)
  BytesPerSecond rate;           ///< large messages, per rank and direction
  BytesPerSecond copy_rate;      ///< of the rank's own share, which is copied locally
  BytesPerSecond crossing_rate;  ///< PCIe: between the two halves of more than four ranks; zero: no limit
  double pair_gain = 1.0;        ///< PCIe: how much faster two ranks under one switch are

  bool operator==(const ExchangeLaw&) const = default;
};

/// Time of the library's collectives among accelerators of one domain (NVSwitch, a rack, PCIe switches),
/// after the protocol has been chosen. Few parameters, shared by all-reduce, all-gather, reduce-scatter and
/// broadcast: they differ in the number of ring steps and in the bytes on the wire only.
struct DomainLaw {
  LinkClass link = LinkClass::nvlink_hopper;
  int node_ranks = 8;  ///< ranks of one operating system; a rack joins several, without in-switch reduction

  Seconds launch;          ///< kernel launch and first synchronisation
  Seconds ll_hop;          ///< LL: per ring step
  Seconds ll_ramp;         ///< LL: extra once a message is well above 16 KiB and uses more channels
  BytesPerSecond ll_rate;  ///< LL: payload

  Seconds ll128_base, ll128_hop;
  BytesPerSecond ll128_rate;

  Seconds simple_base, simple_hop;  ///< chunk latency of the unpipelined ring: base and per ring step
  double overlap = 1.0;      ///< 1: latency and transfer add up; large: the longer of the two hides the other
  BytesPerSecond bus_rate;   ///< ring, per rank and direction
  BytesPerSecond copy_rate;  ///< of the rank's own share, which is copied locally
  double byte_reduction = 1.0;  ///< how much longer reducing one-byte elements takes

  Seconds switch_base;
  Seconds switch_ramp;  ///< in-switch: extra time until the message is well above 64 MiB
  BytesPerSecond switch_rate;

  double pair_gain = 1.0;  ///< as in ExchangeLaw

  ExchangeLaw exchange;

  bool operator==(const DomainLaw&) const = default;
};

/// Time of one call inside one domain. Zero for one rank. The transfer is bus_factor x bytes / rate plus the
/// own share, bytes / ranks / copy_rate; latencies are the library's protocol steps.
Seconds domain_time(const DomainLaw& law, const Message& message);

/// The protocol that the library takes for it.
Protocol domain_protocol(const DomainLaw& law, const Message& message);

/// The time with the protocol given instead of chosen. A protocol whose parameters the law does not have
/// (rate zero) is taken as Simple.
Seconds domain_time(const DomainLaw& law, const Message& message, Protocol protocol);

}  // namespace roofplan::model
