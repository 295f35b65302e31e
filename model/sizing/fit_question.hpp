#pragma once

#include "model/catalog/catalog.hpp"
#include "model/catalog/scenario.hpp"
#include "model/memory/fit.hpp"

namespace roofplan::model {

/// The question "does it fit" that a scenario asks. Owns the engine that the request points to; model, system
/// and catalogue must outlive it.
class FitQuestion {
 public:
  /// Throws InputError (usage) for an engine that is not known or does not run on the system.
  FitQuestion(const Scenario& scenario, const Catalog& catalog, const Architecture& model,
              const System& system);
  FitQuestion(const FitQuestion&) = delete;
  FitQuestion& operator=(const FitQuestion&) = delete;

  FitRequest& request() { return request_; }
  const FitRequest& request() const { return request_; }

 private:
  EngineProfile engine_, fallback_;
  FitRequest request_;
};

/// Tokens that one sequence of the load holds at its end: prompt and output, or the stated depth where that
/// is more.
std::int64_t sequence_tokens(const Load& load);

}  // namespace roofplan::model
