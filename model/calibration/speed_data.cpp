#include "model/calibration/speed_data.hpp"

#include "model/calibration/fabric_path.hpp"
#include "model/calibration/machine_range.hpp"
#include "model/serving/speed.hpp"

#include <filesystem>

namespace roofplan::model {

const EfficiencyCatalog& SpeedData::efficiencies() const {
  if (!efficiencies_) efficiencies_.emplace(catalog_->files(), catalog_->sources());
  return *efficiencies_;
}

const RoutingExponents& SpeedData::routing() const {
  if (!routing_) routing_.emplace(load_routing(catalog_->files(), catalog_->sources()));
  return *routing_;
}

const ErrorRanges& SpeedData::ranges() const {
  if (ranges_) return *ranges_;
  ranges_.emplace(catalog_->files(), catalog_->sources());
  if (const Calibration* own = calibrations_.find("this")) {
    if (const auto range = machine_range(*own))
      ranges_->add(ErrorRanges::kThisMachine, Estimate::token, EngineSpeed::Basis::machine, *range);
  }
  return *ranges_;
}

const EngineSpeed& SpeedData::engine_speed(std::string_view engine) const {
  const auto found = engines_.find(engine);
  if (found != engines_.end()) return found->second;
  return engines_.emplace(engine, load_engine_speed(catalog_->files(), catalog_->sources(), engine))
      .first->second;
}

const KernelLaws& SpeedData::kernel_laws(std::string_view chip) const {
  const auto found = laws_.find(chip);
  return found != laws_.end() ? found->second
                              : laws_.emplace(chip, ChipLaws(calibrations_, chip)).first->second;
}

KernelTimeStore& SpeedData::kernel_times(std::string_view chip) const {
  const auto found = kernel_times_.find(chip);
  return found != kernel_times_.end() ? found->second
                                      : kernel_times_.try_emplace(std::string(chip)).first->second;
}

void SpeedData::supply(SpeedRequest& request, std::string_view engine, LinkState state) const {
  const System& system = *request.fit.system;
  request.engine = &engine_speed(engine);
  request.efficiencies = &efficiencies();
  request.laws = &kernel_laws(system.chip.id);
  request.kernel_times = &kernel_times(system.chip.id);
  request.ranges = &ranges();
  request.path = fabric_path(system, calibrations_, catalog_->links(), state);
  request.all_reduce = engine_all_reduce_of(system, calibrations_);
}

void SpeedData::load_all() const {
  catalog_->load_all();
  efficiencies();
  routing();
  ranges();
  for (const std::string& id : catalog_->engines().ids()) engine_speed(id);
  for (const std::string& path : catalog_->files().in_folder("calibrations"))
    calibrations_.find(std::filesystem::path(path).stem().string());
  for (const std::string& id : catalog_->systems().ids()) {
    const std::string& chip = catalog_->systems().find(id).chip.id;
    kernel_laws(chip);
    kernel_times(chip);
  }
}

}  // namespace roofplan::model
