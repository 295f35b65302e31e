#pragma once

#include "model/catalog/catalog.hpp"
#include "model/catalog/scenario.hpp"
#include "model/memory/fit.hpp"
#include "model/serving/speed.hpp"
#include "model/calibration/speed_data.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// A number of systems to hold models against.
struct SystemOffer {
  std::string system;  ///< id or alias
  std::int64_t count = 1;

  /// "gb10" or "gb10 x2".
  std::string to_string() const;
};

/// Reads "gb10" or "gb10x2": a name of the catalogue, or one with a count behind it. Throws InputError
/// (usage) with the nearest names.
SystemOffer parse_system_offer(const std::string& text, const SystemCatalog& systems);

/// One model on one offer.
struct OverviewEntry {
  std::string model;
  SystemOffer offer;
  FitAnswer fit;                      ///< one sequence of the context asked
  std::optional<SpeedAnswer> alone;   ///< one user; nothing where it does not fit
  std::optional<SpeedAnswer> shared;  ///< the load asked, or nothing where that many do not fit
};

/// What an overview asks of every pair.
struct OverviewRequest {
  std::vector<std::string> models;  ///< MODEL arguments
  std::vector<SystemOffer> offers;
  Scenario settings;                       ///< formats, engine, limits; its model and system are not used
  std::int64_t context = kDefaultContext;  ///< tokens of one sequence, at most the model's own limit
  std::int64_t concurrency = 16;           ///< of the load whose speed is told beside that of one user
};

/// Every model on every offer, in order. Errors as find_model and fit.
std::vector<OverviewEntry> overview(const OverviewRequest& request, const SpeedData& data);

}  // namespace roofplan::model
