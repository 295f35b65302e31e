#include "model/fabric/library_table.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// Latencies in us, rates in GB/s, as the library keeps them.
struct Table {
  double ring_rate;
  double ll_cap;
  bool has_ll128;
  double in_switch_rate;  ///< zero: none
  bool in_switch_bytes;   ///< also for one-byte elements
  double ll_hop, ll128_hop, simple_hop;
};

constexpr double kLowLatencyBase = 6.6, kLl128Base = 14.0, kSimpleBase = 8.4, kInSwitchBase = 25.0;
constexpr double kLowLatencyShare = 0.5, kLl128Share = 0.92;
constexpr int kInSwitchMinRanks = 5;

constexpr Table kAmpere{240, 87.7, true, 0, false, 0.6, 1.9, 3.4};
constexpr Table kHopper{360, 141, true, 480, false, 0.6, 1.9, 3.4};
constexpr Table kBlackwell{720, 282, false, 750, true, 0.6, 1.9, 3.4};
constexpr Table kPcie{24, 12, false, 0, false, 1.0, 2.5, 5.7};

const Table& table(LinkClass link) {
  switch (link) {
    case LinkClass::nvlink_ampere:
      return kAmpere;
    case LinkClass::nvlink_hopper:
      return kHopper;
    case LinkClass::nvlink_blackwell:
      return kBlackwell;
    case LinkClass::pcie:
      return kPcie;
  }
  return kPcie;
}

/// The library's own bound between the two ways of sending to a peer (NCCL_P2P_LL_THRESHOLD).
constexpr double kPeerLowLatencyBytes = 16384;

}  // namespace

std::string_view to_text(Protocol protocol) {
  switch (protocol) {
    case Protocol::low_latency:
      return "LL";
    case Protocol::low_latency_128:
      return "LL128";
    case Protocol::simple:
      return "Simple";
    case Protocol::in_switch:
      return "NVLS";
  }
  return {};
}

std::string_view to_text(LinkClass link) {
  switch (link) {
    case LinkClass::nvlink_ampere:
      return "nvlink_ampere";
    case LinkClass::nvlink_hopper:
      return "nvlink_hopper";
    case LinkClass::nvlink_blackwell:
      return "nvlink_blackwell";
    case LinkClass::pcie:
      return "pcie";
  }
  return {};
}

Protocol library_choice(LinkClass link, const Message& message, bool multi_node) {
  const double n = message.ranks;
  const double bytes = message.bytes / unit::B;
  if (message.op == Collective::all_to_all || message.op == Collective::send_recv) {
    const double peer = message.op == Collective::all_to_all ? bytes / n : bytes;
    return peer <= kPeerLowLatencyBytes ? Protocol::low_latency : Protocol::simple;
  }
  const Table& t = table(link);
  const double steps = (message.op == Collective::all_reduce ? 2.0 : 1.0) * (n - 1.0);
  const double kilobytes = bus_factor(message.op, message.ranks) * bytes / 1e3;  // over GB/s: us
  Protocol choice = Protocol::low_latency;
  double best =
      kLowLatencyBase + steps * t.ll_hop + kilobytes / std::min(t.ll_cap, kLowLatencyShare * t.ring_rate);
  const auto offer = [&](Protocol protocol, double time) {
    if (time < best) {
      best = time;
      choice = protocol;
    }
  };
  if (t.has_ll128) {
    offer(Protocol::low_latency_128,
          kLl128Base + steps * t.ll128_hop + kilobytes / (kLl128Share * t.ring_rate));
  }
  offer(Protocol::simple, kSimpleBase + steps * t.simple_hop + kilobytes / t.ring_rate);
  const bool reducible = message.element_bytes > 1 || t.in_switch_bytes;
  if (message.op == Collective::all_reduce && t.in_switch_rate > 0 && reducible && !multi_node &&
      message.ranks >= kInSwitchMinRanks) {
    offer(Protocol::in_switch, kInSwitchBase + kilobytes / t.in_switch_rate);
  }
  return choice;
}

}  // namespace roofplan::model
