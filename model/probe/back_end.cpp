#include "model/probe/back_end.hpp"

#include "model/probe/cpu/cpu_back_end.hpp"
#include "model/probe/cpu/cpu_device.hpp"
#include "model/probe/fit_machine.hpp"
#include "model/probe/gpu/gpu_back_end.hpp"

namespace roofplan::probe {

void BackEnd::fit(model::Calibration& calibration, const model::Chip*) const {
  fit_machine(calibration);
}

std::unique_ptr<BackEnd> open_back_end(std::string_view kind, const BackEndWish& wish) {
  if (kind == "cpu") return std::make_unique<CpuBackEnd>(wish);
  if (kind == "cuda" && gpu_obstacle().empty()) return std::make_unique<GpuBackEnd>(open_gpu(0), wish);
  return nullptr;
}

std::optional<DeviceIdentity> device_here(std::string_view kind) {
  if (kind == "cpu") return CpuDevice().identity();
  if (kind == "cuda") return gpu_identity(0);
  return std::nullopt;
}

}  // namespace roofplan::probe
