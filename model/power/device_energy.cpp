#include "model/power/device_energy.hpp"

namespace roofplan::model {

Watts device_power(const DeviceEnergy& energy, BytesPerSecond bytes, FlopPerSecond flop) {
  return energy.idle + bytes * energy.per_byte + flop * energy.per_flop;
}

}  // namespace roofplan::model
