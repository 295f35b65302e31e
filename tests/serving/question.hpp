#pragma once

#include "model/calibration/fabric_path.hpp"
#include "model/catalog/catalog.hpp"
#include "model/catalog/link_catalog.hpp"
#include "model/roofline/routing.hpp"
#include "model/serving/speed.hpp"

#include <string>

namespace roofplan::model {

inline const Catalog& shipped_catalog() {
  static const Catalog catalog;
  return catalog;
}

/// A speed request with all that it refers to.
struct Question {
  Architecture model;
  EngineProfile profile;
  EngineSpeed engine;
  SpeedRequest request;

  Question(const std::string& model_name, const std::string& system_name, const std::string& engine_name,
           const std::string& weights = "native")
      : model(shipped_catalog().models().find(model_name)),
        profile(shipped_catalog().engines().find(engine_name)),
        engine(load_engine_speed(shipped_catalog().files(), shipped_catalog().sources(), engine_name)) {
    static const EfficiencyCatalog efficiencies(shipped_catalog().files(), shipped_catalog().sources());
    static const ErrorRanges ranges(shipped_catalog().files(), shipped_catalog().sources());
    static const LinkCatalog links(shipped_catalog().files(), shipped_catalog().sources());
    static const CalibrationSet calibrations(shipped_catalog().files());
    const System& system = shipped_catalog().systems().find(system_name);
    request.fit.model = &model;
    request.fit.system = &system;
    request.fit.engine = &profile;
    request.fit.formats = &shipped_catalog().formats();
    request.fit.weights = weights;
    request.engine = &engine;
    request.efficiencies = &efficiencies;
    request.ranges = &ranges;
    request.path = fabric_path(system, calibrations, links);
    request.routing_exponent =
        load_routing(shipped_catalog().files(), shipped_catalog().sources()).of("text");
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  Question& load(std::int64_t prompt, std::int64_t output, std::int64_t concurrency = 1) {
    request.prompt = prompt;
    request.output = output;
    request.fit.concurrency = concurrency;
    return *this;
  }
  Question& boxes(std::int64_t count) {
    request.fit.count = count;
    return *this;
  }
  Question& plan(std::int64_t tp, std::int64_t pp = 1, std::int64_t dp = 1) {
    request.fit.parallel.tp = tp;
    request.fit.parallel.pp = pp;
    request.fit.parallel.dp = dp;
    return *this;
  }
  SpeedAnswer answer() const { return speed(request); }
};

/// Output tokens a second that one user sees.
inline double per_user(const SpeedAnswer& answer) {
  return 1.0 / (*answer.state.tpot / unit::s);
}

}  // namespace roofplan::model
