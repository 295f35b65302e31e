#include "model/probe/verdict.hpp"

#include "model/probe/fit_machine.hpp"
#include "model/roofline/efficiency.hpp"
#include "model/units/lower_case.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace roofplan::probe {
namespace {

constexpr double kMemoryTolerance = 0.06;
constexpr double kHealthy = 0.95;
constexpr std::string_view kProduct = "machine/product/";
constexpr const char* kNoChip = "no datasheet of this device is in the catalogue";
constexpr const char* kNoFigure = "the datasheet states none";

bool is_chip(const model::Chip& chip, const DeviceIdentity& identity) {
  if (!chip.compute_capability.known() || chip.compute_capability.text != identity.compute_capability)
    return false;
  if (!chip.sm_count.known() || *chip.sm_count != identity.units || !chip.memory_visible.known())
    return false;
  const auto told = static_cast<double>(chip.memory_visible->count());
  return std::abs(static_cast<double>(identity.memory.count()) / told - 1) <= kMemoryTolerance;
}

/// Words of the chip's name that stand in the device's, less those that do not.
int likeness(const model::Chip& chip, const DeviceIdentity& identity) {
  const std::string name = model::lower_case(identity.name);
  std::istringstream words(model::lower_case(chip.name));
  int out = 0;
  for (std::string word; words >> word;) out += name.find(word) != std::string::npos ? 1 : -1;
  return out;
}

model::CalibrationVerdict judge(std::string name, double measured, std::optional<double> datasheet,
                                double healthy_share, const char* reason) {
  model::CalibrationVerdict out{.name = std::move(name), .measured = measured, .datasheet = datasheet};
  if (datasheet) {
    out.reached = measured >= kHealthy * healthy_share * *datasheet;
  } else {
    out.reason = reason;
  }
  return out;
}

template <class T>
std::optional<double> base_of(const model::Figure<T>& figure) {
  return figure.known() ? std::optional(figure->base()) : std::nullopt;
}

}  // namespace

const model::Chip* chip_of(const DeviceIdentity& identity, const model::Catalog& catalog) {
  const model::Chip* best = nullptr;
  for (const std::string& id : catalog.systems().ids()) {
    const model::Chip& chip = catalog.systems().find(id).chip;
    if (!is_chip(chip, identity)) continue;
    if (best == nullptr || likeness(chip, identity) > likeness(*best, identity)) best = &chip;
  }
  return best;
}

std::vector<model::CalibrationVerdict> verdict(const model::Calibration& calibration, const model::Chip* chip,
                                               const model::Catalog& catalog) {
  std::vector<model::CalibrationVerdict> out;
  const model::EfficiencyCatalog efficiencies(catalog.files(), catalog.sources());
  const model::ChipEfficiency* healthy = chip != nullptr ? &efficiencies.of(*chip) : nullptr;
  const char* reason = chip == nullptr ? kNoChip : kNoFigure;
  if (const auto stream = stream_law(calibration)) {
    out.push_back(judge("bandwidth_bytes_s", stream->memory_rate.base(),
                        chip != nullptr ? base_of(chip->memory_bandwidth) : std::nullopt,
                        healthy != nullptr ? *healthy->gemm.memory : 0, reason));
  }
  for (const model::CalibratedLaw& law : calibration.fit) {
    if (!law.law.starts_with(kProduct)) continue;
    const std::string format = law.law.substr(kProduct.size());
    std::optional<double> datasheet;
    double share = 1;
    if (chip != nullptr && chip->dense_rate.contains(format))
      datasheet = base_of(chip->dense_rate.at(format));
    if (healthy != nullptr && healthy->gemm.compute.contains(format))
      share = *healthy->gemm.compute.at(format);
    out.push_back(judge(format + "_flop_s", product_law(calibration, format)->compute_rate.base(), datasheet,
                        share, reason));
  }
  return out;
}

}  // namespace roofplan::probe
