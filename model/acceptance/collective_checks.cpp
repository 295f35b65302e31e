#include "model/acceptance/checks.hpp"
#include "model/acceptance/link_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

/// The largest message, which shows the rate of the links; rows of that size may come several times, and the
/// best counts.
const CollectiveRow* judged_row(const CollectiveRun& run) {
  const CollectiveRow* best = nullptr;
  for (const CollectiveRow& row : run.rows) {
    const bool larger = best == nullptr || row.bytes > best->bytes;
    if (larger || (row.bytes == best->bytes && row.bus_rate > best->bus_rate)) best = &row;
  }
  return best;
}

std::string shown_hosts(const std::vector<std::string>& hosts) {
  return hosts.size() <= 2 ? fmt::format("{}", fmt::join(hosts, ", ")) : std::string();
}

std::string detail_of(const CollectiveRun& run, const CollectiveRow& row, std::size_t hosts) {
  std::string detail = fmt::format("{}, {} GPUs", to_text(ceil_bytes(row.bytes)), run.rank_count);
  if (hosts > 1) detail += fmt::format(", {} nodes", hosts);
  return detail;
}

BytesPerSecond expected_rate(FabricPath path, LinkState state, const Message& message) {
  path.state = state;
  return bus_bandwidth(message, fabric_time(path, message));
}

/// The damaged state of the links in which the model comes nearest to the measured rate, where it comes
/// within a fifth.
std::optional<LinkState> damaged_state(const Promise& promise, const Message& message,
                                       BytesPerSecond measured) {
  constexpr double kNear = 0.2;
  std::optional<LinkState> nearest;
  double best = std::log1p(kNear);
  for (const LinkState state : {LinkState::half, LinkState::tcp, LinkState::fault}) {
    const double off = std::abs(std::log(measured / expected_rate(promise.path, state, message)));
    if (off >= best) continue;
    best = off;
    nearest = state;
  }
  return nearest;
}

Text state_advice(LinkState state) {
  switch (state) {
    case LinkState::half:
      return Text("accept.links.half");
    case LinkState::tcp:
      return Text("accept.links.tcp");
    default:
      return Text("accept.links.fault");
  }
}

Check unjudged(Check check, Text reason) {
  check.reason = std::move(reason);
  return check;
}

void check_results(const CollectiveRun& run, Acceptance& acceptance) {
  if (run.rows.empty()) return;
  Check check;
  check.name = "collective.results";
  check.node = shown_hosts(hosts_of(run));
  check.measured = static_cast<double>(run.wrong);
  check.expected = 0.0;
  check.unit = "wrong elements";
  check.pass = run.wrong == 0;
  if (!*check.pass) check.reason = Text("accept.collective.wrong");
  acceptance.checks.push_back(std::move(check));
}

void check_transport(const CollectiveRun& run, const Promise& promise, Acceptance& acceptance) {
  if (run.network.empty() || hosts_of(run).size() < 2 || !promise.system->nic_rate.known()) return;
  Check check;
  check.name = "collective.transport";
  check.node = shown_hosts(hosts_of(run));
  check.measured = run.network;
  check.expected = std::string("IB");
  check.pass = run.network.find("Socket") == std::string::npos;
  if (!*check.pass) check.reason = Text("accept.links.tcp");
  acceptance.checks.push_back(std::move(check));
}

void check_failure(const CollectiveRun& run, Acceptance& acceptance) {
  if (run.failure.empty()) return;
  Check check;
  check.name = "collective.finished";
  check.node = shown_hosts(hosts_of(run));
  check.measured = run.failure;
  check.pass = false;
  check.reason = Text("accept.collective.failed");
  acceptance.checks.push_back(std::move(check));
}

/// Adds a failed check where the rate is more than the promised links can carry at all.
void check_bound(const CollectiveRun& run, const Promise& promise, Acceptance& acceptance) {
  const CollectiveRow* row = judged_row(run);
  if (row == nullptr || !run.op) return;
  const auto bound = link_bound(promise, *run.op, run.rank_count);
  if (!bound) return;
  auto check = above_line(fmt::format("{}.line_rate", to_text(*run.op)), row->bus_rate, *bound);
  if (!check) return;
  const auto hosts = hosts_of(run);
  check->detail = detail_of(run, *row, hosts.size());
  check->node = shown_hosts(hosts);
  check->reason = Text("accept.collective.above");
  acceptance.checks.push_back(std::move(*check));
}

}  // namespace

Check rate_check(const CollectiveRun& run, const Promise& promise) {
  const auto hosts = hosts_of(run);
  Check check;
  check.name = run.op ? fmt::format("{}.busbw", to_text(*run.op)) : "collective.busbw";
  check.node = shown_hosts(hosts);
  check.unit = "GB/s";
  const CollectiveRow* row = judged_row(run);
  if (row == nullptr) return unjudged(check, Text("accept.collective.no_rows"));
  check.detail = detail_of(run, *row, hosts.size());
  check.measured = row->bus_rate / unit::GB_s;
  if (!run.op) return unjudged(check, Text("accept.collective.which"));
  if (run.rank_count == 0) return unjudged(check, Text("accept.collective.ranks"));
  if (run.rank_count == 1) return unjudged(check, Text("accept.collective.one_rank"));
  const AcceptanceLimits& limits = *promise.limits;
  const bool across = run.rank_count > promise.path.domain_ranks;
  if (across && promise.path.outside.line_rate.base() <= 0)
    return unjudged(check, Text("accept.collective.no_network"));
  const ByteCount least = *(across ? limits.from_outside : limits.from_inside);
  const Message message{*run.op, row->bytes, run.rank_count, row->element_bytes};
  const BytesPerSecond expected = expected_rate(promise.path, LinkState::measured, message);
  check.expected = expected / unit::GB_s;
  check.tolerance = *(across ? limits.shortfall_outside : limits.shortfall_inside);
  if (row->bytes < least.quantity())
    return unjudged(check, Text("accept.collective.small", {{"least", least}}));
  check.pass = row->bus_rate >= (1 - check.tolerance) * expected;
  if (*check.pass) return check;
  const auto state = across ? damaged_state(promise, message, row->bus_rate) : std::nullopt;
  check.reason = state ? state_advice(*state) : Text("accept.below");
  return check;
}

std::vector<std::string> hosts_of(const CollectiveRun& run) {
  std::vector<std::string> hosts;
  for (const RankPlace& place : run.ranks) {
    if (std::find(hosts.begin(), hosts.end(), place.host) == hosts.end()) hosts.push_back(place.host);
  }
  if (hosts.empty() && !run.place.node.empty()) hosts.push_back(run.place.node);
  return hosts;
}

Check at_least(std::string name, double measured, double expected, double tolerance, std::string unit) {
  Check check;
  check.name = std::move(name);
  check.measured = measured;
  check.expected = expected;
  check.tolerance = tolerance;
  check.unit = std::move(unit);
  check.pass = measured >= (1 - tolerance) * expected;
  if (!*check.pass) check.reason = Text("accept.below");
  return check;
}

std::optional<Check> above_line(std::string name, BytesPerSecond measured, BytesPerSecond most) {
  constexpr double kRounding = 0.02;  // printed times and rates
  if (measured <= (1 + kRounding) * most) return std::nullopt;
  Check check;
  check.name = std::move(name);
  check.measured = measured / unit::GB_s;
  check.expected = most / unit::GB_s;
  check.unit = "GB/s";
  check.tolerance = kRounding;
  check.pass = false;
  return check;
}

void check_collectives(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  for (const CollectiveRun& run : evidence.collectives) {
    check_failure(run, acceptance);
    if (run.alone) continue;
    acceptance.checks.push_back(rate_check(run, promise));
    check_bound(run, promise, acceptance);
    check_results(run, acceptance);
    check_transport(run, promise, acceptance);
  }
}

}  // namespace roofplan::model
