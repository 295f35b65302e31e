#include "model/probe/gpu/gpu.hpp"
#include "model/probe/team/exchange.hpp"
#include "model/units/error.hpp"

namespace roofplan::probe {

std::string gpu_obstacle() {
  return "there is no GPU to measure: this program was built without the CUDA back end";
}

std::optional<DeviceIdentity> gpu_identity(int) {
  return std::nullopt;
}

std::unique_ptr<Gpu> open_gpu(int) {
  throw model::InputError(model::InputError::Kind::missing, gpu_obstacle(), "--backend cpu");
}

std::unique_ptr<Exchange> gpu_exchange(Team&, int) {
  throw model::InputError(model::InputError::Kind::missing, gpu_obstacle(), "--backend cpu");
}

}  // namespace roofplan::probe
