#include "model/calibration/served_speeds.hpp"

#include "model/calibration/collective_fit.hpp"
#include "model/calibration/fabric_path.hpp"
#include "model/calibration/kernels/chip_laws.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// More requests than any engine runs at once.
constexpr std::int64_t kQueued = 100'000;

}  // namespace

ServedSpeeds::ServedSpeeds(const Catalog& catalog, const CalibrationSet& calibrations)
    : catalog_(catalog),
      calibrations_(calibrations),
      efficiencies_(catalog.files(), catalog.sources()),
      routing_(load_routing(catalog.files(), catalog.sources())),
      links_(catalog.files(), catalog.sources()),
      ranges_(catalog.files(), catalog.sources()) {}

SpeedAnswer ServedSpeeds::answer(const ServedLoad& load) {
  auto model = models_.find(load.model);
  if (model == models_.end()) model = models_.emplace(load.model, catalog_.models().find(load.model)).first;
  auto speeds = engines_.find(load.engine);
  if (speeds == engines_.end()) {
    speeds =
        engines_.emplace(load.engine, load_engine_speed(catalog_.files(), catalog_.sources(), load.engine))
            .first;
  }
  const EngineProfile profile = catalog_.engines().find(load.engine, load.version);
  const System& system = *catalog_.systems().recognise(load.system);
  SpeedRequest request;
  request.fit.model = &model->second;
  request.fit.system = &system;
  request.fit.engine = &profile;
  request.fit.formats = &catalog_.formats();
  request.fit.weights = load.weights;
  request.fit.cache = speeds->second.cache_on(system.chip);
  request.fit.count = ceil_div(load.gpus, system.accelerators);
  request.fit.gpus = load.gpus;
  request.fit.parallel = load.parallel;
  const DeviceDefault& most = profile.memory.max_batch;
  request.fit.max_batch = static_cast<std::int64_t>(*most.usual) * load.parallel.attention_dp;
  request.fit.concurrency = load.concurrency ? static_cast<std::int64_t>(*load.concurrency) : kQueued;
  request.engine = &speeds->second;
  request.efficiencies = &efficiencies_;
  const ChipLaws laws(calibrations_, system.chip.id);
  request.laws = &laws;
  request.ranges = &ranges_;
  request.path = fabric_path(system, calibrations_, links_);
  std::string chip = system.chip.id;
  std::replace(chip.begin(), chip.end(), '-', '_');
  if (const Calibration* calibration = calibrations_.find(chip))
    request.all_reduce = engine_all_reduce_law(*calibration);
  request.prompt = load.prompt;
  request.output = load.output;
  request.routing_exponent = *routing_.random;
  return speed(request);
}

}  // namespace roofplan::model
