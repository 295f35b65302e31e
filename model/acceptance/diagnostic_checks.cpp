#include "model/acceptance/checks.hpp"
#include "model/units/lower_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace roofplan::model {
namespace {

/// Passed, failed, or neither where the test did not run. A warning is no pass.
std::optional<bool> passed(const std::string& status) {
  const std::string word = lower_case(status);
  if (word == "pass") return true;
  if (word.starts_with("skip") || word.starts_with("not")) return std::nullopt;
  return false;
}

/// Tests that passed are one check a node and test; others one each.
void check_diag(const Evidence& evidence, Acceptance& acceptance) {
  std::map<std::pair<std::string, std::string>, std::size_t> passes;
  for (const DiagnosticResult& result : evidence.diagnostics) {
    const auto pass = passed(result.status);
    if (pass == true) {
      ++passes[{result.place.node, result.test}];
      continue;
    }
    Check check;
    check.name = "diagnostic." + lower_case(result.test);
    check.node = result.place.node;
    if (!result.gpu.empty()) check.part = "GPU " + result.gpu;
    check.measured = result.status;
    check.expected = std::string("Pass");
    check.pass = pass;
    check.reason = pass ? (result.warning.empty() ? Text("accept.diagnostic.failed") : as_is(result.warning))
                        : Text("accept.diagnostic.not_run");
    acceptance.checks.push_back(std::move(check));
  }
  for (const auto& [key, count] : passes) {
    Check check;
    check.name = "diagnostic." + lower_case(key.second);
    check.node = key.first;
    check.detail = fmt::format("{} results", count);
    check.measured = check.expected = std::string("Pass");
    check.pass = true;
    acceptance.checks.push_back(std::move(check));
  }
}

Text fault_reason(const DeviceFault& fault) {
  if (fault.of_switch) return Text("accept.fault.switch");
  static const std::set<int> kKnown{48, 63, 64, 74, 79, 92, 94, 95, 119, 120};
  if (kKnown.contains(fault.code)) return Text(fmt::format("accept.fault.xid{}", fault.code));
  return Text("accept.fault.hardware");
}

void check_faults(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::set<std::tuple<std::string, std::string, int, bool>> seen;
  for (const DeviceFault& fault : evidence.faults) {
    if (!seen.insert({fault.place.node, fault.gpu, fault.code, fault.of_switch}).second) continue;
    const std::vector<int>& application = promise.limits->application_xids;
    const bool of_program = !fault.of_switch && std::find(application.begin(), application.end(),
                                                          fault.code) != application.end();
    Check check;
    check.name = fault.of_switch ? "fault.sxid" : "fault.xid";
    check.detail = fmt::format("{} {}", fault.of_switch ? "SXid" : "Xid", fault.code);
    check.node = fault.place.node;
    if (!fault.gpu.empty()) check.part = (fault.of_switch ? "NVSwitch " : "GPU ") + fault.gpu;
    check.measured = static_cast<double>(fault.code);
    check.expected = 0.0;
    if (of_program || !fault.fatal) {
      check.reason = Text(of_program ? "accept.fault.program" : "accept.fault.not_fatal");
    } else {
      check.pass = false;
      check.reason = fault_reason(fault);
    }
    acceptance.checks.push_back(std::move(check));
  }
}

}  // namespace

void check_diagnostics(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  check_diag(evidence, acceptance);
  check_faults(evidence, promise, acceptance);
}

}  // namespace roofplan::model
