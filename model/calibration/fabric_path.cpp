#include "model/calibration/fabric_path.hpp"

#include "model/calibration/collective_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

constexpr std::string_view kPcieCards = "rtx_pro_6000_server";
constexpr int kCardsInServer = 8;

/// The name under which a chip is calibrated.
std::string calibrated_name(const System& system) {
  std::string name = system.chip.id;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

FabricPath fabric_path(const System& system, const CalibrationSet& calibrations, const LinkCatalog& links,
                       LinkState state) {
  FabricPath path;
  path.state = state;
  path.outside = links.of(system);
  const auto& provenance = links.record_of(system).provenance;
  if (const auto share = provenance.find("payload_share"); share != provenance.end())
    path.outside_source = share->second.source;
  const bool cards = system.system_class == System::Class::card;
  if (system.scale_up_size <= 1 && !cards) return path;
  const Calibration* calibration = calibrations.find(calibrated_name(system));
  const bool fitted = calibration && domain_law(*calibration);
  if (!fitted && cards) calibration = calibrations.find(kPcieCards);
  if (calibration) {
    path.inside = domain_law(*calibration);
    if (!calibration->sources.empty()) path.inside_source = calibration->sources.front();
  }
  if (!path.inside) {
    throw InputError(InputError::Kind::content,
                     fmt::format("no collectives are calibrated for {}", calibrated_name(system)),
                     "a calibration with collective/ring");
  }
  path.domain_ranks = cards ? kCardsInServer : static_cast<int>(system.scale_up_size);
  return path;
}

std::optional<EngineAllReduceLaw> engine_all_reduce_of(const System& system,
                                                       const CalibrationSet& calibrations) {
  const Calibration* calibration = calibrations.find(calibrated_name(system));
  return calibration != nullptr ? engine_all_reduce_law(*calibration) : std::nullopt;
}

}  // namespace roofplan::model
