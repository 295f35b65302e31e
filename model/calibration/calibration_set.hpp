#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/catalog/data_files.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace roofplan::model {

/// The calibrations to predict with: those given, and behind them the catalogue's,
/// data/calibrations/<system>.json. Not to be shared by threads: catalogue files are read on first use.
class CalibrationSet {
 public:
  /// With the files compiled in.
  CalibrationSet() = default;
  /// With `files`, which must outlive the set.
  explicit CalibrationSet(const DataFiles& files) : files_(&files) {}

  /// The data behind it, for the catalogue that goes with it.
  const DataFiles& files() const;
  /// Takes precedence over the catalogue for its system.
  void add(Calibration calibration);
  /// Whether the system's calibration was added, so that the catalogue's errors are not its own.
  bool added(std::string_view system) const { return added_.contains(system); }
  /// Hides the catalogue: only what was added counts.
  void without_catalogue() { catalogue_ = false; }
  /// The calibration of the system, or nullptr. Throws InputError (content) when its file is bad.
  const Calibration* find(std::string_view system) const;

 private:
  const DataFiles* files_ = nullptr;
  bool catalogue_ = true;
  std::set<std::string, std::less<>> added_;
  mutable std::map<std::string, std::shared_ptr<const Calibration>, std::less<>> known_;
};

}  // namespace roofplan::model
