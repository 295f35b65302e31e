#include "model/fabric/engine_all_reduce.hpp"

#include <cmath>

namespace roofplan::model {

Bytes engine_limit(const EngineAllReduceLaw& law, int ranks) {
  return std::pow(2.0 / ranks, law.limit_falls) * law.limit;
}

Seconds engine_all_reduce_time(const EngineAllReduceLaw& engine, const DomainLaw& library,
                               const Message& message) {
  if (message.ranks <= 1) return Seconds{};
  if (message.bytes > engine_limit(engine, message.ranks)) return domain_time(library, message);
  const double n = message.ranks;
  const double ramped = message.bytes / (message.bytes + 8 * unit::KiB);
  return engine.base + std::log2(n) * engine.per_doubling + ramped * engine.ramp +
         (n - 1.0) * message.bytes / engine.rate;
}

}  // namespace roofplan::model
