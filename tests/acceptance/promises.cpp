#include "tests/acceptance/promises.hpp"

#include "model/acceptance/log_reader.hpp"
#include "model/calibration/fabric_path.hpp"
#include "model/catalog/catalog.hpp"

namespace roofplan::test {
namespace {

const model::Catalog& catalog() {
  static const model::Catalog kCatalog;
  return kCatalog;
}

const model::AcceptanceLimits& limits() {
  static const model::AcceptanceLimits kLimits =
      model::load_acceptance_limits(catalog().files(), catalog().sources());
  return kLimits;
}

const model::ErrorRanges& ranges() {
  static const model::ErrorRanges kRanges(catalog().files(), catalog().sources());
  return kRanges;
}

}  // namespace

model::Promise promise_of(const std::string& system) {
  static const model::CalibrationSet kCalibrations;
  model::Promise promise;
  promise.system = &catalog().systems().find(system);
  promise.limits = &limits();
  promise.phases = &catalog().phase_power();
  promise.models = &catalog().models();
  promise.calibrations = &kCalibrations;
  promise.ranges = &ranges();
  promise.path =
      model::fabric_path(*promise.system, kCalibrations, catalog().links(), model::LinkState::measured);
  return promise;
}

double expected_busbw(const std::string& system, model::Collective op, double bytes, int ranks,
                      model::LinkState state) {
  model::FabricPath path = promise_of(system).path;
  path.state = state;
  const model::Message message{op, bytes * model::unit::B, ranks, 4};
  return model::bus_bandwidth(message, model::fabric_time(path, message)) / model::unit::GB_s;
}

model::Evidence evidence_of(const std::vector<std::pair<std::string, std::string>>& named_texts) {
  model::Evidence evidence;
  for (const auto& [name, text] : named_texts) model::read_log_text(text, name, evidence);
  return evidence;
}

std::vector<model::Check> checks_named(const model::Acceptance& acceptance, const std::string& name) {
  std::vector<model::Check> found;
  for (const model::Check& check : acceptance.checks) {
    if (check.name == name) found.push_back(check);
  }
  return found;
}

double number_in(const model::Check::Reading& reading) {
  return std::get<double>(reading);
}

}  // namespace roofplan::test
