#include "model/acceptance/checks.hpp"
#include "model/acceptance/outlier_test.hpp"

#include <array>

namespace roofplan::model {
namespace {

using Gauge = DeviceFigure;

/// Figures in which busy accelerators under the same load are alike.
constexpr std::array<Gauge, 3> kAlike{Gauge::sm_clock, Gauge::power, Gauge::sm_active};

void compare_busy(Gauge figure, const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::vector<const DeviceReading*> readings;
  std::vector<double> values;
  for (const DeviceReading& reading : evidence.devices) {
    const auto value = reading.find(figure);
    if (!value || reading.find(Gauge::utilisation).value_or(0) < *promise.limits->busy) continue;
    readings.push_back(&reading);
    values.push_back(*value);
  }
  const double usual = robust_spread(values).median;
  for (const std::size_t i : outliers_among(values, BadSide::low, *promise.limits)) {
    Outlier outlier;
    outlier.kind = "gpu";
    outlier.name = "device." + std::string(to_text(figure));
    outlier.node = readings[i]->place.node;
    outlier.part = "GPU " + readings[i]->gpu;
    outlier.measured = values[i];
    outlier.usual = usual;
    outlier.unit = unit_of(figure);
    outlier.reason = Text("accept.outlier.gpu");
    acceptance.outliers.push_back(std::move(outlier));
  }
}

}  // namespace

void compare_devices(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  std::set<NodeWord> drivers, models;
  for (const DeviceReading& reading : evidence.devices) {
    if (!reading.driver.empty()) drivers.emplace(reading.place.node, reading.driver);
    if (!reading.name.empty()) models.emplace(reading.place.node, reading.name);
  }
  compare_words("driver", "driver.version", drivers, acceptance);
  compare_words("model", "device.model", models, acceptance);
  for (const Gauge figure : kAlike) compare_busy(figure, evidence, promise, acceptance);
}

}  // namespace roofplan::model
