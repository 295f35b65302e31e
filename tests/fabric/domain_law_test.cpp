#include "model/fabric/domain_law.hpp"

#include "model/calibration/collective_fit.hpp"
#include "model/fabric/engine_all_reduce.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace roofplan::model;

namespace {

/// A ring of pure bandwidth: no latency, no local copy.
DomainLaw pure_ring(BytesPerSecond rate) {
  DomainLaw law;
  law.bus_rate = rate;
  law.copy_rate = 1e9 * unit::GB_s;
  return law;
}

double ms(const DomainLaw& law, Collective op, Bytes bytes, int ranks) {
  return domain_time(law, {op, bytes, ranks, 2}, Protocol::simple) / unit::ms;
}

DomainLaw catalogue_law(std::string_view system) {
  const auto calibration = catalogue_calibration(system);
  REQUIRE(calibration);
  const auto law = domain_law(*calibration);
  REQUIRE(law);
  return *law;
}

double busbw(const DomainLaw& law, const Message& m) {
  return bus_bandwidth(m, domain_time(law, m)) / unit::GB_s;
}

const char* const kSystems[] = {"a100_sxm", "h100_sxm", "h200_sxm", "b200_sxm",
                                "b300_sxm", "gb200",    "gb300",    "rtx_pro_6000_server"};

}  // namespace

TEST_CASE("without latency a ring moves 2(n-1)/n of the message at the bus rate", "[fabric]") {
  // 1 GiB among 8 at 450 GB/s: 1.75 x 1073741824 / 450e9 = 4.175663 ms; among 72 at 900 GB/s 2.352953 ms.
  CHECK(ms(pure_ring(450 * unit::GB_s), Collective::all_reduce, 1 * unit::GiB, 8) ==
        Approx(4.175663).epsilon(1e-6));
  CHECK(ms(pure_ring(900 * unit::GB_s), Collective::all_reduce, 1 * unit::GiB, 72) ==
        Approx(2.352953).epsilon(1e-6));
  CHECK(ms(pure_ring(900 * unit::GB_s), Collective::all_gather, 1 * unit::GiB, 72) ==
        Approx(1.176476).epsilon(1e-6));
}

TEST_CASE("ring latency grows with the steps: twice as many for all-reduce as for all-gather", "[fabric]") {
  DomainLaw law = pure_ring(450 * unit::GB_s);
  law.ll_rate = 1e9 * unit::GB_s;
  law.launch = 5 * unit::us;
  law.ll_hop = 1 * unit::us;
  const auto us = [&](Collective op, int n) {
    return domain_time(law, {op, 512 * unit::B, n, 2}, Protocol::low_latency) / unit::us;
  };
  CHECK(us(Collective::all_reduce, 8) == Approx(5 + 14));
  CHECK(us(Collective::all_gather, 8) == Approx(5 + 7));
  CHECK(us(Collective::all_reduce, 2) == Approx(5 + 2));
  CHECK(domain_time(law, {Collective::all_reduce, 1 * unit::GiB, 1, 2}).base() == 0.0);
}

TEST_CASE("overlap hides the shorter of latency and transfer", "[fabric]") {
  DomainLaw law = pure_ring(100 * unit::GB_s);
  law.simple_hop = 50 * unit::us;  // 2 ranks: 2 steps, 100 us; 10 MB at 100 GB/s: 100 us
  const Message m{Collective::all_reduce, 10 * unit::MB, 2, 2};
  law.overlap = 1.0;
  CHECK(domain_time(law, m, Protocol::simple) / unit::us == Approx(200).epsilon(1e-3));
  law.overlap = 2.0;
  CHECK(domain_time(law, m, Protocol::simple) / unit::us == Approx(100 * std::sqrt(2.0)).epsilon(1e-3));
}

TEST_CASE("eight PCIe ranks in two halves are limited by the connection between the halves", "[fabric]") {
  DomainLaw law;
  law.link = LinkClass::pcie;
  law.exchange.rate = 25 * unit::GB_s;
  law.exchange.copy_rate = 1e9 * unit::GB_s;
  law.exchange.crossing_rate = 40 * unit::GB_s;
  const Message m{Collective::all_to_all, 800 * unit::MB, 8, 2};
  // Four ranks each send half of 800 MB across: 1.6 GB at 40 GB/s = 40 ms; a rank's own 700 MB take 28 ms.
  CHECK(domain_time(law, m) / unit::ms == Approx(40));
  law.exchange.crossing_rate = BytesPerSecond{};
  CHECK(domain_time(law, m) / unit::ms == Approx(28));
}

TEST_CASE("the engine reduces small messages itself and leaves large ones to the library", "[fabric]") {
  EngineAllReduceLaw engine;
  engine.base = 3 * unit::us;
  engine.per_doubling = 0.5 * unit::us;
  engine.rate = 100 * unit::GB_s;
  engine.limit = 8 * unit::MiB;
  engine.limit_falls = 1.0;
  CHECK(engine_limit(engine, 8) / unit::MiB == Approx(2));
  const DomainLaw library = pure_ring(450 * unit::GB_s);
  // One-shot on 8 ranks reads 7 x 1 MB at 100 GB/s = 70 us after 3 + 3 x 0.5 us.
  const Message small{Collective::all_reduce, 1 * unit::MB, 8, 2};
  CHECK(engine_all_reduce_time(engine, library, small) / unit::us == Approx(74.5));
  const Message large{Collective::all_reduce, 64 * unit::MiB, 8, 2};
  CHECK(engine_all_reduce_time(engine, library, large).base() == domain_time(library, large).base());
}

TEST_CASE("a GB200 rack reaches 835 to 847 GB/s in an all-reduce of 8 GiB", "[fabric][validation]") {
  // CoreWeave nccl-tests, 72 GPUs, NCCL 2.26: 834.57 out of place, 846.82 in place.
  CHECK(busbw(catalogue_law("gb200"), {Collective::all_reduce, 8 * unit::GiB, 72, 4}) ==
        Approx(841).epsilon(0.10));
}

TEST_CASE("eight GPUs behind NVSwitch reach the published large-message rates", "[fabric][validation]") {
  const Message m{Collective::all_reduce, 8 * unit::GiB, 8, 4};
  CHECK(busbw(catalogue_law("h100_sxm"), m) == Approx(478.87).epsilon(0.10));  // Azure ND H100 v5
  CHECK(busbw(catalogue_law("a100_sxm"), m) == Approx(231.58).epsilon(0.10));  // Azure ND A100 v4
  CHECK(busbw(catalogue_law("b200_sxm"), m) == Approx(839.07).epsilon(0.10));  // ml-engineering, AWS p6-b200
}

TEST_CASE("a ring reaches 70 to 95 % of the wire in one direction, never the two-way figure", "[fabric]") {
  // NVLink 4 is 450 GB/s a direction; 380 (84 %) measured for copies, and the library plans on about 80 %.
  CHECK(catalogue_law("h100_sxm").bus_rate / (450 * unit::GB_s) == Approx(0.82).margin(0.12));
  CHECK(catalogue_law("a100_sxm").bus_rate / (300 * unit::GB_s) == Approx(0.80).margin(0.12));
  CHECK(catalogue_law("b200_sxm").bus_rate / (900 * unit::GB_s) == Approx(0.82).margin(0.12));
}

TEST_CASE("every time is positive and finite, and grows with size within a protocol and with the ranks",
          "[fabric]") {
  for (const char* system : kSystems) {
    const DomainLaw law = catalogue_law(system);
    for (const Collective op : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                                Collective::all_to_all, Collective::broadcast, Collective::send_recv}) {
      double last = 0.0;
      Protocol last_protocol = Protocol::low_latency;
      for (Bytes bytes = 8 * unit::B; bytes < 64 * unit::GiB; bytes *= 2) {
        const Message m{op, bytes, 4, 2};
        const double t = domain_time(law, m).base();
        INFO(system << " " << to_text(op) << " " << bytes / unit::KiB << " KiB");
        REQUIRE(std::isfinite(t));
        REQUIRE(t > 0.0);
        const Protocol protocol = domain_protocol(law, m);
        if (protocol == last_protocol) CHECK(t >= last);
        last = t;
        last_protocol = protocol;
      }
    }
    // 32 and 64 ranks do not cost the same.
    const auto at = [&](int ranks) {
      return domain_time(law, {Collective::all_reduce, 64 * unit::KiB, ranks, 2}, Protocol::low_latency)
          .base();
    };
    CHECK(at(64) > at(32));
  }
}
