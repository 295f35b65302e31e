#include "model/report/calibration_drift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model::report {
namespace {

constexpr double kLeastNoise = 0.02;

const CalibratedValue* value_of(const Calibration* calibration, const std::string& law,
                                const std::string& name) {
  const CalibratedLaw* found = calibration != nullptr ? calibration->find(law) : nullptr;
  if (found == nullptr) return nullptr;
  const auto at = std::find_if(found->values.begin(), found->values.end(),
                               [&](const CalibratedValue& v) { return v.name == name; });
  return at == found->values.end() ? nullptr : &*at;
}

bool within_noise(double earlier, double later, double deviation) {
  if (!(earlier > 0) || !(later > 0)) return earlier == later;
  return std::abs(std::log(later / earlier)) <= std::max(2 * deviation, kLeastNoise);
}

double settled(const CalibratedValue& later, const CalibratedValue* earlier) {
  if (earlier == nullptr || !earlier->determined || earlier->unit != later.unit) return later.value;
  const double deviation = std::hypot(earlier->relative_std, later.relative_std);
  return within_noise(earlier->value, later.value, deviation) ? earlier->value : later.value;
}

Value law_value(const CalibratedLaw& law, const Calibration* earlier) {
  Value out = Value::object();
  for (const CalibratedValue& v : law.values) {
    if (!v.determined) continue;
    const std::string key = v.unit == "1" ? v.name : fmt::format("{} ({})", v.name, v.unit);
    out.add(key, settled(v, value_of(earlier, law.law, v.name)));
  }
  for (const auto& [name, choice] : law.choices) out.add(name, choice);
  return out;
}

double settled_verdict(const CalibrationVerdict& later, const Calibration* earlier) {
  if (earlier == nullptr) return later.measured;
  for (const CalibrationVerdict& v : earlier->verdict) {
    if (v.name == later.name && within_noise(v.measured, later.measured, 0)) return v.measured;
  }
  return later.measured;
}

}  // namespace

Value drift_view(const Calibration& calibration, const Calibration* earlier) {
  const CalibratedDevice& d = calibration.device;
  Value device = Value::object();
  device.add("system", d.system)
      .add("name", d.name)
      .add("fingerprint", d.fingerprint)
      .add("driver", d.driver)
      .add("software", d.software);
  Value fit = Value::object(), verdict = Value::object();
  for (const CalibratedLaw& law : calibration.fit) fit.add(law.law, law_value(law, earlier));
  for (const CalibrationVerdict& v : calibration.verdict) {
    Value judged = Value::object();
    judged.add("measured", settled_verdict(v, earlier));
    if (v.reached) judged.add("reached", *v.reached);
    verdict.add(v.name, std::move(judged));
  }
  Value out = Value::object();
  out.add("device", std::move(device)).add("fit", std::move(fit)).add("verdict", std::move(verdict));
  return out;
}

}  // namespace roofplan::model::report
