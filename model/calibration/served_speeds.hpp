#pragma once

#include "model/calibration/speed_data.hpp"
#include "model/calibration/table_layout.hpp"
#include "model/serving/speed.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace roofplan::model {

/// What one row of a table says of an engine that serves.
struct ServedLoad {
  std::string system, model, engine;  ///< names that the catalogue knows
  std::string version;                ///< of the engine, its family ("1.2"); empty where none is stated
  std::string weights;                ///< format id; the cache has the engine's on that chip but as below
  ParallelWish parallel;
  std::int64_t gpus = 1;
  std::int64_t prompt = 0, output = 0;
  std::optional<double> concurrency;  ///< nothing: more requests are queued than can run
  std::optional<std::int64_t>
      requests;                      ///< of a run that queues them all at its start and ends with the last
  std::optional<std::string> cache;  ///< format id
};

/// Answers to rows of tables by speed(), the same path as the verb: memory first, which limits how many
/// requests run at once, then the closed loop. Requests choose experts as random tokens do. A run of so many
/// requests goes through them in rounds of as many as run at once, and through the rest with those alone.
class ServedSpeeds {
 public:
  /// `data` must outlive it.
  explicit ServedSpeeds(const SpeedData& data) : data_(data) {}

  /// The answer for a row, which takes its subject and basis; nothing, and the reason in the row, where the
  /// load does not fit. Throws InputError (usage) for names and formats that the catalogue has not.
  std::optional<SpeedAnswer> answer(const ServedLoad& load, RowPrediction& row);

 private:
  const SpeedData& data_;
  std::map<std::string, Architecture> models_;
};

}  // namespace roofplan::model
