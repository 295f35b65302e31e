#include "model/calibration/calibration_set.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

std::optional<Calibration> from_files(const DataFiles* files, std::string_view system) {
  if (!files) return catalogue_calibration(system);
  const std::string path = fmt::format("calibrations/{}.json", system);
  if (!files->contains(path)) return std::nullopt;
  return parse_calibration(files->text(path), files->shown_path(path));
}

}  // namespace

const DataFiles& CalibrationSet::files() const {
  static const DataFiles kCompiledIn;
  return files_ != nullptr ? *files_ : kCompiledIn;
}

void CalibrationSet::add(Calibration calibration) {
  const std::string system = calibration.device.system;
  added_.insert(system);
  known_[system] = std::make_shared<const Calibration>(std::move(calibration));
}

const Calibration* CalibrationSet::find(std::string_view system) const {
  if (const auto it = known_.find(system); it != known_.end()) return it->second.get();
  if (!catalogue_) return nullptr;
  std::shared_ptr<const Calibration> loaded;
  if (auto found = from_files(files_, system))
    loaded = std::make_shared<const Calibration>(std::move(*found));
  return known_.emplace(std::string(system), std::move(loaded)).first->second.get();
}

}  // namespace roofplan::model
