#include "model/calibration/collective_fit.hpp"

#include "model/units/error.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

DomainLaw truth() {
  DomainLaw law = unfitted_domain_law("a100_sxm");
  law.launch = 7 * unit::us;
  law.ll_hop = 0.9 * unit::us;
  law.ll_ramp = 2 * unit::us;
  law.ll_rate = 100 * unit::GB_s;
  law.ll128_base = 20 * unit::us;
  law.ll128_hop = 0.7 * unit::us;
  law.ll128_rate = 160 * unit::GB_s;
  law.simple_base = 15 * unit::us;
  law.simple_hop = 6 * unit::us;
  law.overlap = 1.5;
  law.bus_rate = 220 * unit::GB_s;
  law.copy_rate = 600 * unit::GB_s;
  law.byte_reduction = 1.1;
  law.exchange = {10 * unit::us, 1.5 * unit::us,   40 * unit::GB_s,  8 * unit::us,     3 * unit::us,
                  15 * unit::us, 200 * unit::GB_s, 800 * unit::GB_s, BytesPerSecond{}, 1.0};
  return law;
}

std::vector<CollectivePoint> measured(const DomainLaw& law) {
  std::vector<CollectivePoint> out;
  for (const Collective op :
       {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter, Collective::all_to_all}) {
    for (const int ranks : {2, 4, 8}) {
      for (const int element : {1, 2}) {
        for (Bytes bytes = 512 * unit::B; bytes < 1 * unit::GiB; bytes *= 4) {
          const Message m{op, bytes, ranks, element};
          out.push_back({m, domain_time(law, m)});
        }
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE("parameters of a known domain are found again from its own times", "[calibration]") {
  const DomainLaw law = truth();
  Calibration calibration;
  for (CalibratedLaw& fitted : fit_domain_law(unfitted_domain_law("a100_sxm"), measured(law))) {
    CHECK(fitted.residuals.p90_ape < 0.01);
    calibration.set(std::move(fitted));
  }
  const DomainLaw found = *domain_law(calibration);
  CHECK(found.link == LinkClass::nvlink_ampere);
  CHECK(found.bus_rate / law.bus_rate == Approx(1).epsilon(0.02));
  CHECK(found.ll_hop / law.ll_hop == Approx(1).epsilon(0.02));
  CHECK(found.overlap == Approx(1.5).epsilon(0.05));
  CHECK(found.byte_reduction == Approx(1.1).epsilon(0.02));
  CHECK(found.exchange.rate / law.exchange.rate == Approx(1).epsilon(0.02));
}

TEST_CASE("a law fitted to two and four ranks predicts eight", "[calibration]") {
  const DomainLaw law = truth();
  std::vector<CollectivePoint> few;
  for (const CollectivePoint& p : measured(law)) {
    if (p.message.ranks < 8) few.push_back(p);
  }
  Calibration calibration;
  for (CalibratedLaw& fitted : fit_domain_law(unfitted_domain_law("a100_sxm"), few))
    calibration.set(std::move(fitted));
  const DomainLaw found = *domain_law(calibration);
  const Message m{Collective::all_gather, 256 * unit::MiB, 8, 2};
  CHECK(domain_time(found, m) / domain_time(law, m) == Approx(1).epsilon(0.03));
}

TEST_CASE("the engine's limit is found where its times turn into the library's", "[calibration]") {
  const DomainLaw library = truth();
  EngineAllReduceLaw engine;
  engine.base = 3 * unit::us;
  engine.per_doubling = 0.5 * unit::us;
  engine.ramp = 1 * unit::us;
  engine.rate = 180 * unit::GB_s;
  engine.limit = 1 * unit::MiB;
  engine.limit_falls = 0.0;
  std::vector<CollectivePoint> points;
  for (const int ranks : {2, 4, 8}) {
    for (Bytes bytes = 256 * unit::B; bytes < 256 * unit::MiB; bytes *= 2) {
      const Message m{Collective::all_reduce, bytes, ranks, 2};
      points.push_back({m, engine_all_reduce_time(engine, library, m)});
    }
  }
  Calibration calibration;
  calibration.set(fit_engine_all_reduce(library, points));
  const EngineAllReduceLaw found = *engine_all_reduce_law(calibration);
  CHECK(found.limit >= 1 * unit::MiB);
  CHECK(found.limit < 2 * unit::MiB);
  CHECK(found.rate / engine.rate == Approx(1).epsilon(0.02));
}

TEST_CASE("a machine of two ranks is calibrated without what it cannot show", "[calibration]") {
  std::vector<CollectivePoint> pair;
  for (const CollectivePoint& p : measured(truth())) {
    if (p.message.ranks == 2 && p.message.op != Collective::all_to_all) pair.push_back(p);
  }
  const auto laws = fit_domain_law(unfitted_domain_law("a100_sxm"), pair);
  REQUIRE(laws.size() == 1);
  CHECK(laws[0].law == "collective/ring");
  CHECK_FALSE(laws[0].has("ll128_rate"));  // two ranks never take LL128
}

TEST_CASE("an unknown system and impossible points are refused", "[calibration]") {
  CHECK_THROWS_WITH(unfitted_domain_law("b20_sxm"), Catch::Contains("b200_sxm"));
  CHECK_THROWS_AS(fit_domain_law(truth(), {{{Collective::all_reduce, 0 * unit::B, 2, 2}, 1 * unit::us}}),
                  InputError);
}
