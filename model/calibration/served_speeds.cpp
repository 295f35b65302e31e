#include "model/calibration/served_speeds.hpp"

#include <cmath>

namespace roofplan::model {
namespace {

/// More requests than any engine runs at once.
constexpr std::int64_t kQueued = 100'000;

/// Output of a run of `requests`, of which `full` runs as many as it can.
TokensPerSecond run_output(SpeedRequest request, double requests, const SpeedAnswer& full) {
  const double at_once = (full.state.others + 1) * static_cast<double>(full.replicas);
  const double rounds = std::floor(requests / at_once), rest = std::floor(requests - rounds * at_once);
  if (rounds < 1 || rest < 1) return full.output;
  request.fit.concurrency = static_cast<std::int64_t>(rest);
  return requests / (rounds * at_once / full.output + rest / speed(request).output);
}

}  // namespace

std::optional<SpeedAnswer> ServedSpeeds::answer(const ServedLoad& load, RowPrediction& row) {
  const Catalog& catalog = data_.catalog();
  auto model = models_.find(load.model);
  if (model == models_.end()) model = models_.emplace(load.model, catalog.models().find(load.model)).first;
  const EngineProfile profile = catalog.engines().find(load.engine, load.version);
  const System& system = *catalog.systems().recognise(load.system);
  SpeedRequest request;
  request.fit.model = &model->second;
  request.fit.system = &system;
  request.fit.engine = &profile;
  request.fit.formats = &catalog.formats();
  request.fit.weights = load.weights;
  request.fit.count = ceil_div(load.gpus, system.accelerators);
  request.fit.gpus = load.gpus;
  request.fit.parallel = load.parallel;
  const DeviceDefault& most = profile.memory.max_batch;
  request.fit.max_batch = static_cast<std::int64_t>(*most.usual) * load.parallel.attention_dp;
  request.fit.concurrency = load.requests      ? *load.requests
                            : load.concurrency ? static_cast<std::int64_t>(*load.concurrency)
                                               : kQueued;
  data_.supply(request, load.engine);
  request.fit.cache = load.cache.value_or(request.engine->cache_on(system.chip));
  request.prompt = load.prompt;
  request.output = load.output;
  request.routing_exponent = *data_.routing().random;
  SpeedAnswer answer = speed(request);
  if (!answer.fits) {
    row.reason = "does not fit as stated";
    return std::nullopt;
  }
  if (load.requests) answer.output = run_output(request, static_cast<double>(*load.requests), answer);
  row.state = RowPrediction::State::predicted;
  row.subject = load.engine;
  row.basis = answer.basis;
  return answer;
}

}  // namespace roofplan::model
