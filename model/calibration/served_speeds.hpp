#pragma once

#include "model/calibration/calibration_set.hpp"
#include "model/catalog/catalog.hpp"
#include "model/catalog/link_catalog.hpp"
#include "model/roofline/efficiency.hpp"
#include "model/roofline/routing.hpp"
#include "model/serving/speed.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace roofplan::model {

/// What one row of a table says of an engine that serves.
struct ServedLoad {
  std::string system, model, engine;  ///< names that the catalogue knows
  std::string version;                ///< of the engine, its family ("1.2"); empty where none is stated
  std::string weights;                ///< format id; the cache has the engine's format on that chip
  ParallelWish parallel;
  std::int64_t gpus = 1;
  std::int64_t prompt = 0, output = 0;
  std::optional<double> concurrency;  ///< nothing: more requests are queued than can run
};

/// Answers to rows of tables by speed(), the same path as the verb: memory first, which limits how many
/// requests run at once, then the closed loop. Requests choose experts as random tokens do.
class ServedSpeeds {
 public:
  /// Both must outlive it.
  ServedSpeeds(const Catalog& catalog, const CalibrationSet& calibrations);

  /// Throws InputError (usage) for names and formats that the catalogue has not.
  SpeedAnswer answer(const ServedLoad& load);

 private:
  const Catalog& catalog_;
  const CalibrationSet& calibrations_;
  EfficiencyCatalog efficiencies_;
  RoutingExponents routing_;
  LinkCatalog links_;
  ErrorRanges ranges_;
  std::map<std::string, Architecture> models_;
  std::map<std::string, EngineSpeed> engines_;
};

}  // namespace roofplan::model
