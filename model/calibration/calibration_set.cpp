#include "model/calibration/calibration_set.hpp"

namespace roofplan::model {

void CalibrationSet::add(Calibration calibration) {
  const std::string system = calibration.device.system;
  known_[system] = std::make_shared<const Calibration>(std::move(calibration));
}

const Calibration* CalibrationSet::find(std::string_view system) const {
  if (const auto it = known_.find(system); it != known_.end()) return it->second.get();
  if (!catalogue_) return nullptr;
  std::shared_ptr<const Calibration> loaded;
  if (auto found = catalogue_calibration(system))
    loaded = std::make_shared<const Calibration>(std::move(*found));
  return known_.emplace(std::string(system), std::move(loaded)).first->second.get();
}

}  // namespace roofplan::model
