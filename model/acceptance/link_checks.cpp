#include "model/acceptance/checks.hpp"
#include "model/acceptance/outlier_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace roofplan::model {
namespace {

bool between_devices(const std::string& test) {
  return test.starts_with("device_to_device_memcpy_");
}

/// What a copy of that test is expected to reach between two healthy ends; nothing where the model says
/// nothing: copies of both directions at once, of many ends, by kernels from the host.
std::optional<BytesPerSecond> expected_copy(const std::string& test, const Promise& promise) {
  const Chip& chip = promise.system->chip;
  const AcceptanceLimits& limits = *promise.limits;
  if (test == "host_to_device_memcpy_ce" || test == "device_to_host_memcpy_ce") {
    if (!chip.host_link.known()) return std::nullopt;
    return *limits.host_copy_share * *chip.host_link;
  }
  if (!between_devices(test)) return std::nullopt;
  if (chip.scale_up_link.known()) return *limits.device_copy_share * *chip.scale_up_link;
  if (chip.host_link.known()) return *limits.host_copy_share * *chip.host_link;
  return std::nullopt;
}

std::string ends_of(const CopyRate& copy) {
  if (between_devices(copy.test)) return fmt::format("GPU {}, GPU {}", copy.row, copy.column);
  return fmt::format("GPU {}", copy.column);
}

struct CopyExtremes {
  const CopyRate *slowest = nullptr, *fastest = nullptr;
};

void check_slowest(const CopyRate& copy, const Promise& promise, Acceptance& acceptance) {
  const auto expected = expected_copy(copy.test, promise);
  if (!expected) return;
  Check check = at_least("copy." + copy.test, copy.rate / unit::GB_s, *expected / unit::GB_s,
                         *promise.limits->copy_shortfall, "GB/s");
  check.node = copy.place.node;
  check.part = ends_of(copy);
  acceptance.checks.push_back(std::move(check));
}

void check_fastest(const CopyRate& copy, const Promise& promise, Acceptance& acceptance) {
  const Figure<BytesPerSecond>& link = promise.system->chip.scale_up_link;
  if (!between_devices(copy.test) || !link.known()) return;
  auto check = above_line("copy.line_rate", copy.rate, *link);
  if (!check) return;
  check->detail = copy.test;
  check->node = copy.place.node;
  check->part = ends_of(copy);
  check->reason = Text("accept.copy.above");
  acceptance.checks.push_back(std::move(*check));
}

/// The slowest cell of each test and node against what is expected, the fastest against the link.
void check_copies(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::map<std::pair<std::string, std::string>, CopyExtremes> cells;
  for (const CopyRate& copy : evidence.copies) {
    CopyExtremes& of = cells[{copy.place.node, copy.test}];
    if (of.slowest == nullptr || copy.rate < of.slowest->rate) of.slowest = &copy;
    if (of.fastest == nullptr || copy.rate > of.fastest->rate) of.fastest = &copy;
  }
  for (const auto& [key, of] : cells) {
    check_slowest(*of.slowest, promise, acceptance);
    check_fastest(*of.fastest, promise, acceptance);
  }
  for (const CopyFailure& failure : evidence.copy_failures) {
    Check check;
    check.name = "copy." + failure.test;
    check.node = failure.place.node;
    check.measured = failure.message;
    check.pass = false;
    check.reason = Text("accept.copy.failed");
    acceptance.checks.push_back(std::move(check));
  }
}

Outlier slow_copy(const std::string& kind, const std::string& test, std::string node, std::string part,
                  double share, double usual) {
  Outlier outlier;
  outlier.kind = kind;
  outlier.name = "copy." + test;
  outlier.node = std::move(node);
  outlier.part = std::move(part);
  outlier.measured = share * usual;
  outlier.usual = usual;
  outlier.unit = "GB/s";
  outlier.reason = Text(kind == "link" ? "accept.outlier.link" : "accept.outlier.copies");
  return outlier;
}

/// The cells of one test of all nodes as shares of what is usual: with three nodes or more, of the same cell
/// on the others, so that halves of a board that differ by design raise no alarm; else, where every pair has
/// the same link, of all cells.
struct CopyShares {
  std::vector<const CopyRate*> copies;
  std::vector<double> shares;
  double usual = 0;
};

CopyShares shares_of(const std::vector<const CopyRate*>& copies, const Promise& promise) {
  std::map<std::pair<int, int>, std::vector<double>> cells;
  std::set<std::string> nodes;
  std::vector<double> all;
  for (const CopyRate* copy : copies) {
    cells[{copy->row, copy->column}].push_back(copy->rate / unit::GB_s);
    all.push_back(copy->rate / unit::GB_s);
    nodes.insert(copy->place.node);
  }
  CopyShares out;
  out.usual = robust_spread(all).median;
  const bool by_cell = nodes.size() >= 3;
  if (!by_cell && !promise.system->chip.scale_up_link.known()) return out;
  for (const CopyRate* copy : copies) {
    const double usual = by_cell ? robust_spread(cells[{copy->row, copy->column}]).median : out.usual;
    if (usual <= 0) continue;
    out.copies.push_back(copy);
    out.shares.push_back(copy->rate / unit::GB_s / usual);
  }
  return out;
}

void compare_device_copies(const std::string& test, const CopyShares& shares, const Promise& promise,
                           Acceptance& acceptance) {
  const auto end = [](const CopyRate& copy, int gpu) { return fmt::format("{}\n{}", copy.place.node, gpu); };
  std::vector<PairRate> pairs;
  for (std::size_t i = 0; i < shares.copies.size(); ++i) {
    const CopyRate& copy = *shares.copies[i];
    pairs.push_back({end(copy, copy.row), end(copy, copy.column), shares.shares[i]});
  }
  const PairFaults faults = locate_faults(pairs, *promise.limits);
  for (const std::string& name : faults.ends) {
    std::vector<double> of_end;
    for (const PairRate& pair : pairs) {
      if (pair.a == name || pair.b == name) of_end.push_back(pair.rate);
    }
    const std::size_t cut = name.find('\n');
    acceptance.outliers.push_back(slow_copy("gpu", test, name.substr(0, cut), "GPU " + name.substr(cut + 1),
                                            robust_spread(of_end).median, shares.usual));
  }
  std::set<std::tuple<std::string, int, int>> named;
  for (const std::size_t i : faults.pairs) {
    const CopyRate& copy = *shares.copies[i];
    if (!named.insert({copy.place.node, std::min(copy.row, copy.column), std::max(copy.row, copy.column)})
             .second)
      continue;
    acceptance.outliers.push_back(
        slow_copy("link", test, copy.place.node, ends_of(copy), shares.shares[i], shares.usual));
  }
}

void compare_copies(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::map<std::string, std::vector<const CopyRate*>> tests;
  for (const CopyRate& copy : evidence.copies) tests[copy.test].push_back(&copy);
  for (const auto& [test, copies] : tests) {
    const CopyShares shares = shares_of(copies, promise);
    if (test.starts_with("device_to_device")) {
      compare_device_copies(test, shares, promise, acceptance);
      continue;
    }
    for (const std::size_t i : outliers_among(shares.shares, BadSide::low, *promise.limits))
      acceptance.outliers.push_back(slow_copy("gpu", test, shares.copies[i]->place.node,
                                              ends_of(*shares.copies[i]), shares.shares[i], shares.usual));
  }
}

void check_ports(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  const Figure<BytesPerSecond>& line = promise.system->nic_rate;
  std::vector<double> rates;
  for (const PortRate& port : evidence.ports) {
    const double gbit = port.rate / unit::Gb_s;
    rates.push_back(gbit);
    Check check;
    check.name = "port.bandwidth";
    check.unit = "Gb/s";
    check.measured = gbit;
    if (line.known()) {
      check = at_least("port.bandwidth", gbit, promise.path.outside.payload_share * (*line / unit::Gb_s),
                       *promise.limits->port_shortfall, "Gb/s");
    } else {
      check.reason = Text("accept.no_expectation");
    }
    check.node = port.place.node;
    check.part = port.device;
    check.detail = to_text(ceil_bytes(port.bytes));
    acceptance.checks.push_back(std::move(check));
  }
  const double usual = robust_spread(rates).median;
  for (const std::size_t i : outliers_among(rates, BadSide::low, *promise.limits)) {
    Outlier outlier;
    outlier.kind = "port";
    outlier.name = "port.bandwidth";
    outlier.node = evidence.ports[i].place.node;
    outlier.part = evidence.ports[i].device;
    outlier.measured = rates[i];
    outlier.usual = usual;
    outlier.unit = "Gb/s";
    outlier.reason = Text("accept.outlier.port");
    acceptance.outliers.push_back(std::move(outlier));
  }
}

}  // namespace

void check_links(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  check_copies(evidence, promise, acceptance);
  compare_copies(evidence, promise, acceptance);
  check_ports(evidence, promise, acceptance);
}

}  // namespace roofplan::model
