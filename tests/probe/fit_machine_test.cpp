#include "model/probe/fit_machine.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <random>

using namespace roofplan::probe;
using roofplan::model::Calibration;
using roofplan::model::ProbeResult;
namespace unit = roofplan::model::unit;

namespace {

/// Times of a device whose laws are known, with 3 % noise and every tenth point three times too slow.
class NoisyTimes {
 public:
  Seconds operator()(Seconds t) {
    const double factor = (++points_ % 10 == 0) ? 3.0 : std::exp(noise_(random_));
    return t * factor;
  }

 private:
  std::mt19937 random_{7};
  std::normal_distribution<double> noise_{0.0, 0.03};
  int points_ = 0;
};

ProbeResult timed(std::string name, std::vector<std::pair<std::string, std::string>> params, Seconds t) {
  const double us = t / unit::us;
  return {std::move(name), std::move(params), us, "us", us, us, us, 10};
}

Calibration products(const RooflineLaw& law) {
  NoisyTimes noisy;
  Calibration out;
  for (const double size : {1024.0, 2048.0, 4096.0})
    for (const double m : {1.0, 1.0, 2.0, 4.0, 16.0, 64.0, 256.0}) {
      const double bytes = 4 * size * size;
      out.probes.push_back(timed(
          "product/fp32",
          {{"m", fmt::format("{}", m)},
           {"n", fmt::format("{}", size)},
           {"k", fmt::format("{}", size)},
           {"bytes", fmt::format("{}", bytes)}},
          noisy(law.time(product_bytes(m, size, size, bytes * unit::B), 2 * m * size * size * unit::flop))));
    }
  return out;
}

}  // namespace

TEST_CASE("a known device's products are recovered through noise and outliers", "[probe]") {
  const RooflineLaw known{10 * unit::us, 40 * unit::GB_s, 0.09 * unit::TFLOP_s};
  Calibration calibration = products(known);
  fit_machine(calibration);
  const auto found = product_law(calibration, "fp32");
  REQUIRE(found);
  CHECK(found->rate / unit::GB_s == Approx(40).epsilon(0.05));
  CHECK(found->compute_rate / unit::TFLOP_s == Approx(0.09).epsilon(0.05));
}

TEST_CASE("the rates of cache and memory and the size between them are recovered", "[probe]") {
  const StreamLaw known{30 * unit::GB_s, 120 * unit::GB_s, 16 * unit::MB};
  NoisyTimes noisy;
  Calibration calibration;
  for (double bytes = 250e3; bytes < 1e9; bytes *= 2) {
    const double rate = bytes / noisy(bytes * unit::B / known.rate(bytes * unit::B)).base() / 1e9;
    calibration.probes.push_back(
        {"memory/read", {{"bytes", fmt::format("{}", bytes)}}, rate, "GB/s", rate, rate, rate, 10});
  }
  fit_machine(calibration);
  const auto found = stream_law(calibration);
  REQUIRE(found);
  CHECK(found->memory_rate / unit::GB_s == Approx(30).epsilon(0.08));
  CHECK(found->cache_rate / unit::GB_s == Approx(120).epsilon(0.08));
  CHECK(found->cache / unit::MB == Approx(16).epsilon(0.2));
}

TEST_CASE("a set at the size of the cache comes half from it", "[probe]") {
  // Half at 10, half at 40 GB/s: 1 / (0.5 / 10 + 0.5 / 40) = 16.
  const StreamLaw law{10 * unit::GB_s, 40 * unit::GB_s, 1 * unit::MB};
  CHECK(law.rate(1 * unit::MB) / unit::GB_s == Approx(16));
  CHECK(law.rate(100 * unit::MB) / unit::GB_s == Approx(10).epsilon(1e-6));
  // At twice the size 1 / (1 + 2^4) of it: 1 / (16 / 17 / 10 + 1 / 17 / 40) = 680 / 65.
  CHECK(law.rate(2 * unit::MB) / unit::GB_s == Approx(680.0 / 65));
}

TEST_CASE("too few points leave a law out", "[probe]") {
  Calibration calibration;
  calibration.probes.push_back(timed("copy/process", {{"bytes", "8"}}, 5 * unit::us));
  fit_machine(calibration);
  CHECK(calibration.fit.empty());
}
