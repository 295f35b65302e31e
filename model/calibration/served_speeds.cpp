#include "model/calibration/served_speeds.hpp"

namespace roofplan::model {
namespace {

/// More requests than any engine runs at once.
constexpr std::int64_t kQueued = 100'000;

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
  request.fit.concurrency = load.concurrency ? static_cast<std::int64_t>(*load.concurrency) : kQueued;
  data_.supply(request, load.engine);
  request.fit.cache = request.engine->cache_on(system.chip);
  request.prompt = load.prompt;
  request.output = load.output;
  request.routing_exponent = *data_.routing().random;
  SpeedAnswer answer = speed(request);
  if (!answer.fits) {
    row.reason = "does not fit as stated";
    return std::nullopt;
  }
  row.state = RowPrediction::State::predicted;
  row.subject = load.engine;
  row.basis = answer.basis;
  return answer;
}

}  // namespace roofplan::model
