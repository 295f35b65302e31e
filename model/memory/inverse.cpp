#include "model/memory/fit.hpp"

#include <cmath>

namespace roofplan::model {
namespace {

/// The largest n in 0 .. limit for which `holds` is true, given that it holds for 0 and, once false, stays
/// so.
template <class Holds>
std::int64_t largest(std::int64_t limit, const Holds& holds) {
  std::int64_t good = 0, step = 1;
  while (good < limit && holds(std::min(limit, good + step))) {
    good = std::min(limit, good + step);
    step *= 2;
  }
  std::int64_t bad = std::min(limit + 1, good + step);
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

std::int64_t largest_context(const Deployment& deployment, std::int64_t concurrency, std::int64_t limit,
                             std::optional<ByteCount> reserved) {
  return largest(limit,
                 [&](std::int64_t tokens) { return deployment.place(tokens, concurrency, reserved).fits(); });
}

std::int64_t most_sequences(const Deployment& deployment, std::int64_t context,
                            std::optional<ByteCount> reserved) {
  return largest(kMostSequences, [&](std::int64_t sequences) {
    return deployment.place(context, sequences, reserved).fits();
  });
}

std::int64_t most_parameters(const Deployment& deployment, std::int64_t context, std::int64_t concurrency,
                             double bits) {
  constexpr std::int64_t kMostParameters = 1'000'000'000'000'000;
  const std::int64_t shares = deployment.settings().plan.tp * deployment.settings().plan.pp;
  const auto bytes_each = [&](std::int64_t parameters) {
    return ceil_bytes(static_cast<double>(parameters) * bits / 8 / static_cast<double>(shares) * unit::B);
  };
  return largest(kMostParameters, [&](std::int64_t parameters) {
    return deployment.place(context, concurrency, std::nullopt, bytes_each(parameters)).fits();
  });
}

}  // namespace roofplan::model
