#pragma once

#include "model/units/quantity.hpp"

namespace roofplan::model {

/// What an accelerator was measured to draw: a floor, and an energy for every byte from its memory and every
/// FLOP of its products. Without host, fans and the losses of power supplies.
struct DeviceEnergy {
  using PerByte = decltype(Joules{} / Bytes{});
  using PerFlop = decltype(Joules{} / Flop{});

  Watts idle;
  PerByte per_byte;
  PerFlop per_flop;
  double spread = 0;  ///< relative error of the power of a load that was not fitted
};

/// Power at these rates: idle + bytes/s x per_byte + FLOP/s x per_flop (Hong and Kim, ISCA 2010, a power of
/// its own for each component by its rate of access; two components kept).
Watts device_power(const DeviceEnergy& energy, BytesPerSecond bytes, FlopPerSecond flop);

}  // namespace roofplan::model
