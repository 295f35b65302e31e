#include "model/fabric/collective.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("bus bandwidth relates to algorithm bandwidth as nccl-tests defines it", "[fabric]") {
  CHECK(bus_factor(Collective::all_reduce, 32) == Approx(2.0 * 31 / 32));
  CHECK(bus_factor(Collective::all_gather, 8) == Approx(7.0 / 8));
  CHECK(bus_factor(Collective::reduce_scatter, 2) == Approx(0.5));
  CHECK(bus_factor(Collective::all_to_all, 4) == Approx(0.75));
  CHECK(bus_factor(Collective::broadcast, 72) == 1.0);
  CHECK(bus_factor(Collective::send_recv, 2) == 1.0);
}

TEST_CASE("a published run gives its published bandwidths", "[fabric]") {
  // ml-engineering, network: 32 ranks, all-reduce of 16 GiB in 0.363057 s: algbw 47.32, busbw 91.69 GB/s.
  const Message m{Collective::all_reduce, 16 * unit::GiB, 32, 4};
  const Seconds t = 0.363057 * unit::s;
  CHECK(algorithm_bandwidth(m, t) / unit::GB_s == Approx(47.32).epsilon(1e-4));
  CHECK(bus_bandwidth(m, t) / unit::GB_s == Approx(91.69).epsilon(1e-4));
}

TEST_CASE("bandwidths are bytes, an eighth of what link rates in bits suggest", "[fabric]") {
  // 200 Gb/s is 25 GB/s: 25 GB sent in one second fill such a link.
  const Message m{Collective::send_recv, 25 * unit::GB, 2, 1};
  CHECK(bus_bandwidth(m, 1 * unit::s) / unit::Gb_s == Approx(200));
}

TEST_CASE("names of collectives read back", "[fabric]") {
  for (const Collective op : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                              Collective::all_to_all, Collective::broadcast, Collective::send_recv}) {
    CHECK(collective_from(to_text(op)) == op);
  }
  CHECK(collective_from("alltoall") == Collective::all_to_all);
  CHECK_FALSE(collective_from("all-reduce-ish"));
}
