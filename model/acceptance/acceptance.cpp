#include "model/acceptance/acceptance.hpp"

#include "model/acceptance/checks.hpp"
#include "model/acceptance/scaling.hpp"

#include <algorithm>

namespace roofplan::model {

std::size_t Acceptance::failed_checks() const {
  return static_cast<std::size_t>(
      std::count_if(checks.begin(), checks.end(), [](const Check& c) { return c.pass == false; }));
}

std::size_t Acceptance::failed() const {
  return failed_checks() +
         static_cast<std::size_t>(std::count_if(scaling.begin(), scaling.end(), [](const ScalingVerdict& s) {
           return s.state != ScalingVerdict::State::ok;
         }));
}

std::size_t Acceptance::judged() const {
  return scaling.size() +
         static_cast<std::size_t>(
             std::count_if(checks.begin(), checks.end(), [](const Check& c) { return c.pass.has_value(); }));
}

std::string_view to_text(Acceptance::Verdict verdict) {
  switch (verdict) {
    case Acceptance::Verdict::pass:
      return "pass";
    case Acceptance::Verdict::fail:
      return "fail";
    case Acceptance::Verdict::incomplete:
      return "incomplete";
  }
  return {};
}

std::string_view to_text(ScalingVerdict::State state) {
  switch (state) {
    case ScalingVerdict::State::ok:
      return "ok";
    case ScalingVerdict::State::slow_node:
      return "slow-node";
    case ScalingVerdict::State::slow_fabric:
      return "slow-fabric";
  }
  return {};
}

Acceptance judge(const Evidence& evidence, const Promise& promise) {
  Acceptance acceptance;
  check_collectives(evidence, promise, acceptance);
  compare_collectives(evidence, promise, acceptance);
  check_scaling(evidence, promise, acceptance);
  return acceptance;
}

Acceptance::Verdict verdict_of(const Acceptance& acceptance, const Evidence& evidence) {
  if (acceptance.failed() > 0 || !acceptance.outliers.empty()) return Acceptance::Verdict::fail;
  const bool damaged =
      std::any_of(evidence.files.begin(), evidence.files.end(), [](const LogFile& f) { return f.damaged(); });
  return damaged || acceptance.judged() == 0 ? Acceptance::Verdict::incomplete : Acceptance::Verdict::pass;
}

}  // namespace roofplan::model
