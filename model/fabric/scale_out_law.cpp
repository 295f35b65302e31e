#include "model/fabric/scale_out_law.hpp"

#include "model/fabric/joined.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

constexpr Bytes kFillHalf = 256 * unit::MiB;
constexpr double kSmallOverlap = 3.0, kDomainOverlap = 4.0;

/// A message over N domains of g ranks each.
struct Layout {
  double ranks, domain, domains;
};

Layout layout(const FabricPath& path, int ranks) {
  const double domains = std::ceil(static_cast<double>(ranks) / path.domain_ranks);
  return {static_cast<double>(ranks), ranks / domains, domains};
}

Seconds inside_time(const FabricPath& path, Message m, double ranks) {
  m.ranks = static_cast<int>(std::lround(std::ceil(ranks)));
  return path.inside && m.ranks > 1 ? domain_time(*path.inside, m) : Seconds{};
}

Seconds small_time(const FabricPath& path, const Message& m, const Layout& l) {
  const ScaleOutLaw& out = path.outside;
  const double depth = std::ceil(std::log2(l.domains));
  Seconds latency = path.inside && l.domain > 1 ? inside_time(path, m, l.domain) : out.launch;
  double wire = 1.0;
  switch (m.op) {
    case Collective::all_reduce:
      latency += 2.0 * depth * out.hop;
      break;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
      wire = (l.domains - 1.0) / l.domains;
      [[fallthrough]];
    case Collective::broadcast:
      latency += depth * out.hop;
      break;
    case Collective::send_recv:
      return out.launch + out.hop + m.bytes / out.ll_rate;
  }
  return joined(latency, wire * m.bytes / (l.domain * out.ll_rate), kSmallOverlap);
}

/// More than two racks: chains along each rack below a tree of racks.
Seconds chain_time(const FabricPath& path, const Message& m, const Layout& l) {
  return bus_factor(m.op, m.ranks) * m.bytes / path.outside.chain_rate +
         2.0 * (l.domain - 1.0) * path.outside.chain_hop;
}

Seconds large_all_reduce(const FabricPath& path, const Message& m, const Layout& l, BytesPerSecond rate) {
  const bool pair = l.domains <= 2.0;
  double passes = pair ? 1.0 : 2.0;
  if (path.in_network_reduction) passes = std::min(passes, 1.0 / path.outside.reduction_share);
  const bool rack = path.inside && path.domain_ranks > path.inside->node_ranks;
  Seconds inside = inside_time(path, m, rack ? l.ranks : l.domain);
  if (rack && !pair && path.outside.chain_rate.base() > 0.0) inside = chain_time(path, m, l);
  const Seconds network = passes * m.bytes / l.domain / rate;
  return joined(inside, network, kDomainOverlap) +
         2.0 * std::ceil(std::log2(l.domains)) * path.outside.chunk_hop;
}

Seconds large_time(const FabricPath& path, const Message& m, const Layout& l, BytesPerSecond rate) {
  const ScaleOutLaw& out = path.outside;
  switch (m.op) {
    case Collective::all_reduce:
      return large_all_reduce(path, m, l, rate);
    case Collective::all_gather:
    case Collective::reduce_scatter: {
      const Seconds network = bus_factor(m.op, m.ranks) * m.bytes / l.domain / rate;
      return joined(inside_time(path, m, l.ranks), network, kDomainOverlap) +
             (l.domains - 1.0) * out.chunk_hop;
    }
    case Collective::all_to_all: {
      Message own = m;
      own.bytes = m.bytes * (l.domain / l.ranks);
      const Seconds network = m.bytes * ((l.ranks - l.domain) / l.ranks) / (out.exchange_share * rate);
      return joined(inside_time(path, own, l.domain), network, kDomainOverlap) + out.chunk_hop;
    }
    case Collective::broadcast:
      return joined(inside_time(path, m, l.domain), m.bytes / l.domain / rate, kDomainOverlap) +
             std::ceil(std::log2(l.domains)) * out.chunk_hop;
    case Collective::send_recv:
      return out.launch + out.chunk_hop + m.bytes / rate;
  }
  return Seconds{};
}

}  // namespace

std::string_view to_text(LinkState state) {
  switch (state) {
    case LinkState::nominal:
      return "nominal";
    case LinkState::measured:
      return "measured";
    case LinkState::half:
      return "half";
    case LinkState::tcp:
      return "tcp";
    case LinkState::fault:
      return "fault";
  }
  return {};
}

std::optional<LinkState> link_state_from(std::string_view word) {
  for (const LinkState s :
       {LinkState::nominal, LinkState::measured, LinkState::half, LinkState::tcp, LinkState::fault}) {
    if (word == to_text(s)) return s;
  }
  return std::nullopt;
}

BytesPerSecond payload_rate(const ScaleOutLaw& law, LinkState state) {
  switch (state) {
    case LinkState::nominal:
      return law.line_rate;
    case LinkState::measured:
      return law.payload_share * law.line_rate;
    case LinkState::half:
      return law.half_share * law.line_rate;
    case LinkState::tcp:
      return law.tcp_share * law.line_rate;
    case LinkState::fault:
      return law.fault_share * law.line_rate;
  }
  return law.line_rate;
}

BytesPerSecond flapping_rate(const ScaleOutLaw& law, double up_share) {
  return up_share * payload_rate(law, LinkState::measured);
}

Seconds fabric_time(const FabricPath& path, const Message& m) {
  if (m.ranks <= 1) return Seconds{};
  const bool pairwise = m.op == Collective::send_recv;
  if (path.inside && m.ranks <= path.domain_ranks) return domain_time(*path.inside, m);
  const BytesPerSecond rate = payload_rate(path.outside, path.state);
  if (rate.base() <= 0.0) {
    throw InputError(InputError::Kind::usage,
                     fmt::format("{} accelerators are more than one domain", m.ranks),
                     fmt::format("at most {}, or a network between the domains", path.domain_ranks));
  }
  const Layout l = layout(path, m.ranks);
  // A transfer between two accelerators uses one accelerator's ports, however many the domain has.
  const double ports = pairwise ? 1.0 : l.domain;
  if (m.bytes <= ports * path.outside.ll_limit) return small_time(path, m, l);
  Seconds time = large_time(path, m, l, rate);
  if (path.state != LinkState::nominal) time += m.bytes / (m.bytes + kFillHalf) * path.outside.fill;
  return time;
}

}  // namespace roofplan::model
