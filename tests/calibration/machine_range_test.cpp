#include "model/calibration/machine_range.hpp"

#include "model/json/json.hpp"
#include "model/sizing/load_power.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

Calibration machine(const std::vector<double>& ratios, double p90_of_fit = 0.04) {
  Calibration c;
  c.device.system = "this";
  c.device.kind = "cpu";
  for (const double r : ratios) c.replay.push_back({"qwen3-0.6b", 1, 0, 0.01, 0.01 * r});
  CalibratedLaw law{.law = "machine/product/fp32"};
  law.residuals = {20, 0.02, 0.02, p90_of_fit, 0};
  c.fit = {law};
  return c;
}

}  // namespace

TEST_CASE("the range of a machine holds eight of ten of the layers that it replayed", "[calibration]") {
  std::vector<double> ratios;
  for (int i = 1; i <= 19; ++i) ratios.push_back(0.9 + 0.01 * i);  // 0.91 ... 1.09
  const ErrorRange range = machine_range(machine(ratios)).value();
  CHECK(range.low == Approx(0.92));  // of 19, ranks 2 and 18 have 80 % between them
  CHECK(range.high == Approx(1.08));
  CHECK(range.n == 19);
}

TEST_CASE("few layers are widened to what the fits leave, and none leave the fits alone", "[calibration]") {
  const ErrorRange three = machine_range(machine({1.01, 1.02, 1.1}, 0.05)).value();
  CHECK(three.low == Approx(1 / 1.05));
  CHECK(three.high == Approx(1.1));
  CHECK(three.n == 3);
  const ErrorRange fits = machine_range(machine({}, 0.2)).value();
  CHECK(fits.low == Approx(1 / 1.2));
  CHECK(fits.high == Approx(1 / 0.8));
  CHECK(fits.n == 0);
  Calibration table = machine({1.0});
  table.device.kind.clear();
  CHECK_FALSE(machine_range(table));  // of points measured elsewhere
}

TEST_CASE("on the machine at hand an engine adds its own errors to those of the kernels", "[calibration]") {
  using Basis = EngineSpeed::Basis;
  ErrorRanges ranges;
  ranges.add(ErrorRanges::kAnyEngine, Estimate::token, Basis::datasheet, {0.5, 2.0, 100});
  ranges.add(ErrorRanges::kAnyEngine, Estimate::token, Basis::catalogue, {0.9, 1.2, 100});
  const ErrorRange carried = ranges.of("vllm", Estimate::token, Basis::machine);
  CHECK(carried.high == Approx(2.0));
  ranges.add(ErrorRanges::kThisMachine, Estimate::token, Basis::machine, {0.95, 1.1, 6});
  const ErrorRange own = ranges.of("vllm", Estimate::token, Basis::machine);
  CHECK(own.low == Approx(0.9 * 0.95));
  CHECK(own.high == Approx(1.2 * 1.1));
  CHECK(ranges.of("ideal", Estimate::token, Basis::machine).high == Approx(1.1));
  CHECK(ranges.of("vllm", Estimate::prefill, Basis::machine).high == Approx(2.0));  // it replayed none
}

TEST_CASE("measured energy gives watts: idle, and each phase's bytes and FLOP at their price", "[power]") {
  Question q("llama-3.1-8b", "dgx-h200", "ideal");
  q.load(1024, 256, 8).plan(1, 1, 8);
  const PhasePower& phases = shipped_catalog().phase_power();
  q.request.energy = DeviceEnergy{100 * unit::W, {}, {}, 0.1};
  const SpeedAnswer answer = q.answer();
  const LoadPower idle = load_power(q.request, answer, phases);
  CHECK(idle.measured);
  CHECK(idle.mean / unit::W == Approx(800));  // eight accelerators that cost nothing to use
  CHECK(idle.high / unit::W == Approx(880));
  // 50 pJ a byte: a decode step of 16 GB is 0.8 J on each of eight, as long as they decode.
  q.request.energy->per_byte = 50e-12 * unit::J / unit::B;
  Bytes bytes[2];
  Seconds time[2];
  for (const OperatorShare& op : answer.breakdown) {
    const int at = op.phase == Phase::decode ? 1 : 0;
    bytes[at] += op.bytes;
    time[at] += op.time;
  }
  const double joule = 50e-12 * (bytes[1] / unit::B);
  CHECK(joule == Approx(0.8).epsilon(0.1));
  const double added = 8 * (answer.busy.decode * joule / (time[1] / unit::s) +
                            answer.busy.prefill * 50e-12 * (bytes[0] / unit::B) / (time[0] / unit::s));
  const LoadPower streaming = load_power(q.request, answer, phases);
  CHECK(streaming.mean / unit::W == Approx(800 + added));
  CHECK(*streaming.joule_per_token == Approx((800 + added) / (answer.output / unit::tok_s)));
}
