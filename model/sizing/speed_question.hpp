#pragma once

#include "model/serving/speed.hpp"
#include "model/sizing/fit_question.hpp"
#include "model/calibration/speed_data.hpp"

namespace roofplan::model {

/// The question "how fast" that a scenario asks. Owns what the request points to beside model, system and
/// catalogue, which must outlive it.
class SpeedQuestion {
 public:
  /// Throws InputError (usage) as FitQuestion, and for a link state that is not known.
  SpeedQuestion(const Scenario& scenario, const SpeedData& data, const Architecture& model,
                const System& system);
  SpeedQuestion(const SpeedQuestion&) = delete;
  SpeedQuestion& operator=(const SpeedQuestion&) = delete;

  SpeedRequest& request() { return request_; }
  const SpeedRequest& request() const { return request_; }

 private:
  FitQuestion fit_;
  SpeedRequest request_;
};

}  // namespace roofplan::model
