#pragma once

#include "model/calibration/calibration_set.hpp"
#include "model/calibration/kernels/chip_laws.hpp"
#include "model/catalog/catalog.hpp"
#include "model/fabric/scale_out_law.hpp"
#include "model/roofline/efficiency.hpp"
#include "model/roofline/engine_speed.hpp"
#include "model/roofline/error_ranges.hpp"
#include "model/roofline/kernel_time_store.hpp"
#include "model/roofline/routing.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace roofplan::model {

struct SpeedRequest;

/// What the question "how fast" rests on beside the catalogue, each part read and checked on first use, so
/// that thousands of questions read it once. Not to be shared between threads before `load_all`. Parts throw
/// InputError (content) when bad.
class SpeedData {
 public:
  /// `catalog` must outlive it.
  explicit SpeedData(const Catalog& catalog) : SpeedData(catalog, CalibrationSet(catalog.files())) {}
  SpeedData(const Catalog& catalog, CalibrationSet calibrations)
      : catalog_(&catalog), calibrations_(std::move(calibrations)) {}
  SpeedData(const SpeedData&) = delete;
  SpeedData& operator=(const SpeedData&) = delete;

  const Catalog& catalog() const { return *catalog_; }
  const CalibrationSet& calibrations() const { return calibrations_; }
  const EfficiencyCatalog& efficiencies() const;
  const RoutingExponents& routing() const;
  const ErrorRanges& ranges() const;
  /// What the engine's software does to the time of a step. Throws InputError (usage) with the nearest ids.
  const EngineSpeed& engine_speed(std::string_view engine) const;

  /// The kernel laws of a chip of data/chips, its own or those of its family.
  const KernelLaws& kernel_laws(std::string_view chip) const;
  /// What those laws gave so far, for all questions.
  KernelTimeStore& kernel_times(std::string_view chip) const;

  /// Points a request at all of this, for its system (`fit.system`), an engine and the state of the links
  /// between domains. Throws InputError (usage) for an unknown engine.
  void supply(SpeedRequest& request, std::string_view engine, LinkState state = LinkState::nominal) const;

  /// A calibration that takes precedence for its system.
  void add_calibration(Calibration calibration) { calibrations_.add(std::move(calibration)); }
  /// Reads everything, the catalogue too, so that threads may share it.
  void load_all() const;

 private:
  const Catalog* catalog_;
  CalibrationSet calibrations_;
  mutable std::optional<EfficiencyCatalog> efficiencies_;
  mutable std::optional<RoutingExponents> routing_;
  mutable std::optional<ErrorRanges> ranges_;
  mutable std::map<std::string, EngineSpeed, std::less<>> engines_;
  mutable std::map<std::string, ChipLaws, std::less<>> laws_;
  mutable std::map<std::string, KernelTimeStore, std::less<>> kernel_times_;
};

}  // namespace roofplan::model
