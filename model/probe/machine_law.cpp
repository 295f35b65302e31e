#include "model/probe/machine_law.hpp"

#include <cmath>

namespace roofplan::probe {

BytesPerSecond StreamLaw::rate(Bytes size) const {
  const double cached = 1.0 / (1.0 + std::pow(size / cache, 4));
  return 1.0 * model::unit::B /
         (cached * model::unit::B / cache_rate + (1.0 - cached) * model::unit::B / memory_rate);
}

BytesPerSecond ThreadLaw::rate(double threads) const {
  return std::pow(std::pow(threads * one.base(), -4) + std::pow(all.base(), -4), -0.25) * model::unit::B_s;
}

Seconds RooflineLaw::time(Bytes bytes, Flop flop) const {
  const Seconds memory = bytes / rate, compute = flop / compute_rate;
  if (!overlaps) return launch + memory + compute;
  return launch + std::hypot(memory.base(), compute.base()) * model::unit::s;
}

Seconds CopyLaw::time(Bytes bytes) const {
  return latency + bytes / rate;
}

Bytes product_bytes(double m, double n, double k, Bytes weights) {
  return weights + 2 * m * (n + k) * model::unit::B;
}

}  // namespace roofplan::probe
