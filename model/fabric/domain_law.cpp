#include "model/fabric/domain_law.hpp"

#include "model/fabric/joined.hpp"

#include <cmath>

namespace roofplan::model {
namespace {

constexpr Bytes kLowLatencyRamp = 16 * unit::KiB;
constexpr Bytes kSwitchRamp = 64 * unit::MiB;
constexpr Bytes kPeerRamp = 512 * unit::KiB;
constexpr int kHalfRanks = 4;

double saturation(Bytes bytes, Bytes half) {
  return bytes / (bytes + half);
}

bool reduces(Collective op) {
  return op == Collective::all_reduce || op == Collective::reduce_scatter;
}

double ring_steps(const Message& m) {
  return (m.op == Collective::all_reduce ? 2.0 : 1.0) * (m.ranks - 1.0);
}

Seconds exchange_time(const DomainLaw& law, const Message& m, Protocol protocol) {
  const ExchangeLaw& x = law.exchange;
  const double gain = m.ranks == 2 ? x.pair_gain : 1.0;
  const double doublings = std::log2(static_cast<double>(m.ranks));
  const Bytes wire = bus_factor(m.op, m.ranks) * m.bytes;
  if (protocol == Protocol::low_latency) return x.base + doublings * x.fan_out + wire / (gain * x.ll_rate);
  const bool all = m.op == Collective::all_to_all;
  const Bytes peer = all ? m.bytes / m.ranks : m.bytes;
  Seconds transfer = wire / (gain * x.rate);
  if (all) transfer += peer / x.copy_rate;
  if (all && m.ranks > kHalfRanks && x.crossing_rate.base() > 0.0) {
    // Every rank of one half sends half of its message to the other half, over one connection.
    const Seconds crossing = 0.25 * m.ranks * m.bytes / x.crossing_rate;
    if (crossing > transfer) transfer = crossing;
  }
  return x.simple_base + doublings * x.simple_fan_out + saturation(peer, kPeerRamp) * x.ramp + transfer;
}

Seconds simple_time(const DomainLaw& law, const Message& m, Bytes wire, double gain) {
  Seconds transfer = wire / (gain * law.bus_rate) + m.bytes / m.ranks / law.copy_rate;
  if (m.element_bytes == 1 && reduces(m.op)) transfer *= law.byte_reduction;
  const Seconds latency = law.simple_base + ring_steps(m) * law.simple_hop;
  return law.launch + joined(latency, transfer, law.overlap);
}

}  // namespace

Seconds domain_time(const DomainLaw& law, const Message& m, Protocol protocol) {
  if (m.ranks <= 1) return Seconds{};
  if (m.op == Collective::all_to_all || m.op == Collective::send_recv) return exchange_time(law, m, protocol);
  const double gain = m.ranks == 2 ? law.pair_gain : 1.0;
  const Bytes wire = bus_factor(m.op, m.ranks) * m.bytes;
  if (protocol == Protocol::in_switch && law.switch_rate.base() <= 0.0) protocol = Protocol::simple;
  if (protocol == Protocol::low_latency_128 && law.ll128_rate.base() <= 0.0) protocol = Protocol::simple;
  switch (protocol) {
    case Protocol::low_latency:
      return law.launch + ring_steps(m) * law.ll_hop + saturation(m.bytes, kLowLatencyRamp) * law.ll_ramp +
             wire / (gain * law.ll_rate);
    case Protocol::low_latency_128:
      return law.ll128_base + ring_steps(m) * law.ll128_hop + wire / (gain * law.ll128_rate);
    case Protocol::simple:
      return simple_time(law, m, wire, gain);
    case Protocol::in_switch:
      return law.switch_base + saturation(m.bytes, kSwitchRamp) * law.switch_ramp + wire / law.switch_rate;
  }
  return Seconds{};
}

Protocol domain_protocol(const DomainLaw& law, const Message& message) {
  return library_choice(law.link, message, message.ranks > law.node_ranks);
}

Seconds domain_time(const DomainLaw& law, const Message& message) {
  if (message.ranks <= 1) return Seconds{};
  return domain_time(law, message, domain_protocol(law, message));
}

}  // namespace roofplan::model
