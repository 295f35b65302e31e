#include "model/probe/gpu/gpu_load.hpp"

#include "model/probe/probe.hpp"
#include "tests/probe/gpu/fake_gpu.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using roofplan::test::FakeGpu;
namespace unit = roofplan::model::unit;

namespace {

/// Draws 100 W at rest, 50 pJ a byte and 0.4 pJ a FLOP of what it was last asked to run.
class DrawingGpu : public FakeGpu {
 public:
  bool prepare(std::span<const probe::GpuWork> works) override {
    double bytes = 0, flop = 0;
    probe::Seconds time;
    for (const probe::GpuWork& work : works) {
      if (const auto* m = std::get_if<probe::MemoryWork>(&work)) bytes += static_cast<double>(m->bytes);
      if (const auto* p = std::get_if<probe::ProductWork>(&work)) {
        bytes += 3 * p->weight_bytes();
        flop += p->flop();
      }
      time += std::visit([&](const auto& w) { return exact(w); }, work);
    }
    now.power = (100 + (50e-12 * bytes + 0.4e-12 * flop) / time.base()) * unit::W;
    now.clock_mhz = flop > 0 ? 1500 : 1900;
    return FakeGpu::prepare(works);
  }
};

}  // namespace

TEST_CASE("the energy of a byte and of a FLOP come back from the power of steady loads",
          "[probe][gpu_logic]") {
  DrawingGpu gpu;
  gpu.outliers = false;
  gpu.now.power = 100 * unit::W;
  gpu.now.clock_mhz = 300;
  probe::Workbench bench(gpu);
  double clock = 0;
  probe::LoadTimes times;
  times.each = 1 * unit::s;
  times.pause = [&](probe::Seconds t) { clock += t.base(); };
  times.now = [&] { return (clock += 1e-3) * unit::s; };
  model::Calibration c;
  c.probes = sustained_loads(gpu, bench, times);
  REQUIRE(c.probes.size() == 7);  // four loads in W, three of them in MHz
  probe::fit_energy(c);
  const model::CalibratedLaw& law = c.at("machine/energy");
  CHECK(law.value("idle") == Approx(100));
  // The rates are measured with noise of 1 %.
  CHECK(law.value("per_byte") == Approx(0.05).epsilon(0.05));
  CHECK(law.value("per_flop") == Approx(0.0004).epsilon(0.05));
  CHECK(law.residuals.median_ape < 0.05);  // the mixed load was not fitted
}

TEST_CASE("without a driver that tells power nothing is held under load", "[probe][gpu_logic]") {
  FakeGpu gpu;
  probe::Workbench bench(gpu);
  CHECK(sustained_loads(gpu, bench, {}).empty());
  model::Calibration c;
  probe::fit_energy(c);
  CHECK(c.fit.empty());
}
