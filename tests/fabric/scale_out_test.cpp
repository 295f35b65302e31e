#include "model/calibration/fabric_path.hpp"
#include "model/catalog/catalog.hpp"
#include "model/fabric/scale_out_law.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace roofplan::model;

namespace {

const Catalog& catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}

FabricPath path_of(std::string_view system, LinkState state = LinkState::measured) {
  const LinkCatalog links(catalog().files(), catalog().sources());
  return fabric_path(catalog().systems().find(system), CalibrationSet(), links, state);
}

double busbw(const FabricPath& path, Collective op, Bytes bytes, int ranks) {
  const Message m{op, bytes, ranks, 4};
  return bus_bandwidth(m, fabric_time(path, m)) / unit::GB_s;
}

double us(const FabricPath& path, Collective op, Bytes bytes, int ranks) {
  return fabric_time(path, {op, bytes, ranks, 2}) / unit::us;
}

/// Two domains of four on a network of 50 GB/s without latency; inside is infinitely fast.
FabricPath bare_network() {
  FabricPath path;
  path.inside = DomainLaw{};
  path.inside->bus_rate = path.inside->copy_rate = path.inside->ll_rate = 1e12 * unit::GB_s;
  path.inside->exchange.rate = path.inside->exchange.copy_rate = path.inside->exchange.ll_rate =
      1e12 * unit::GB_s;
  path.domain_ranks = 4;
  path.outside.line_rate = 50 * unit::GB_s;
  return path;
}

}  // namespace

TEST_CASE(
    "two DGX Spark gather at 22 to 24 GB/s from 4 to 16 GiB and slower below (seed B8, field report U12)",
    "[fabric][validation]") {
  const FabricPath pair = path_of("gb10");
  for (const double gib : {4.0, 8.0, 16.0}) {
    CHECK(busbw(pair, Collective::all_gather, gib * unit::GiB, 2) == Approx(23).margin(1.2));
  }
  CHECK(busbw(pair, Collective::all_gather, 1 * unit::GiB, 2) == Approx(19.8).epsilon(0.10));
  CHECK(busbw(pair, Collective::all_gather, 512 * unit::MiB, 2) == Approx(18.4).epsilon(0.10));
}

TEST_CASE("small all-reduces between two GB10 take 31 us and more", "[fabric][validation]") {
  // nccl-tests in the Spark playbooks: 31.4, 31.8, 39.5 and 67.6 us.
  const FabricPath pair = path_of("gb10");
  CHECK(us(pair, Collective::all_reduce, 8 * unit::KiB, 2) == Approx(31.4).epsilon(0.10));
  CHECK(us(pair, Collective::all_reduce, 16 * unit::KiB, 2) == Approx(31.8).epsilon(0.10));
  CHECK(us(pair, Collective::all_reduce, 32 * unit::KiB, 2) == Approx(39.5).epsilon(0.10));
  CHECK(us(pair, Collective::all_reduce, 64 * unit::KiB, 2) == Approx(67.6).epsilon(0.10));
  // Four boxes on a switch, 48 KB: 54 to 64 us.
  CHECK(us(pair, Collective::all_reduce, 48 * unit::kB, 4) == Approx(59).epsilon(0.15));
}

TEST_CASE("a damaged GB10 link is as slow as measured (seed B8, field report U12)", "[fabric][validation]") {
  const auto at = [](LinkState state) {
    return busbw(path_of("gb10", state), Collective::all_gather, 16 * unit::GiB, 2);
  };
  CHECK(at(LinkState::half) == Approx(13.5).epsilon(0.05));
  CHECK(at(LinkState::tcp) == Approx(3.0).epsilon(0.05));
  CHECK(at(LinkState::fault) == Approx(2.81).epsilon(0.05));
  // 200 Gb/s are 25 GB/s, the ceiling of any state.
  CHECK(at(LinkState::nominal) == Approx(25.0).epsilon(0.01));
  CHECK(at(LinkState::nominal) < 25.0);
  CHECK(at(LinkState::measured) > 21.0);
}

TEST_CASE("a flapping link carries its share of the time", "[fabric]") {
  const ScaleOutLaw law = path_of("gb10").outside;
  CHECK(flapping_rate(law, 0.5) / payload_rate(law, LinkState::measured) == Approx(0.5));
}

TEST_CASE("64 H100 with in-network reduction reach 387 GB/s", "[fabric][validation]") {
  FabricPath path = path_of("dgx-h100");
  path.in_network_reduction = true;
  CHECK(busbw(path, Collective::all_reduce, 8 * unit::GiB, 64) == Approx(386.6).epsilon(0.10));
  CHECK(busbw(path, Collective::all_reduce, 512 * unit::MiB, 64) == Approx(356.0).epsilon(0.10));
}

TEST_CASE("two GB200 racks reach 810 GB/s, twenty about half of that", "[fabric][validation]") {
  const FabricPath path = path_of("gb200-nvl72");
  CHECK(busbw(path, Collective::all_reduce, 8 * unit::GiB, 72) == Approx(841).epsilon(0.10));
  CHECK(busbw(path, Collective::all_reduce, 8 * unit::GiB, 144) == Approx(810).epsilon(0.10));
  // Between 512 MiB and 16 GiB on 1,440 GPUs.
  CHECK(busbw(path, Collective::all_reduce, 16 * unit::GiB, 1440) == Approx(405.7).epsilon(0.10));
  CHECK(busbw(path, Collective::all_reduce, 4 * unit::GiB, 1440) == Approx(346.4).epsilon(0.10));
  CHECK(busbw(path, Collective::all_reduce, 512 * unit::MiB, 1440) == Approx(151.0).epsilon(0.10));
}

TEST_CASE("two and four nodes with 400G cards reach the published rates", "[fabric][validation]") {
  CHECK(busbw(path_of("dgx-h100"), Collective::all_reduce, 8 * unit::GiB, 16) == Approx(440.6).epsilon(0.12));
  CHECK(busbw(path_of("dgx-b200"), Collective::all_reduce, 8 * unit::GiB, 16) == Approx(690.1).epsilon(0.12));
  CHECK(busbw(path_of("dgx-h100"), Collective::all_reduce, 16 * unit::GiB, 32) ==
        Approx(365.8).epsilon(0.10));
  CHECK(busbw(path_of("dgx-b200"), Collective::all_reduce, 16 * unit::GiB, 32) ==
        Approx(381.8).epsilon(0.10));
}

TEST_CASE("sixteen and more experts' ranks exchange at the rate of the cards", "[fabric][validation]") {
  // DeepEP V2 on H100 with ConnectX-7: 81 to 90 GB/s on 2 x 8 ranks, 61 on 4 x 8; logical bandwidth counts
  // the share that stays inside a node, so it is message size over time.
  const FabricPath path = path_of("dgx-h100");
  const auto logical = [&](int ranks) {
    const Message m{Collective::all_to_all, 500 * unit::MB, ranks, 1};
    return algorithm_bandwidth(m, fabric_time(path, m)) / unit::GB_s;
  };
  CHECK(logical(16) == Approx(88).epsilon(0.12));
  CHECK(logical(32) == Approx(61).epsilon(0.10));
}

TEST_CASE("between domains each accelerator carries its share of the message over its own port", "[fabric]") {
  const FabricPath path = bare_network();
  const auto ms = [&](Collective op, int ranks) {
    return fabric_time(path, {op, 4 * unit::GB, ranks, 2}) / unit::ms;
  };
  // 4 GB over 4 rails of 50 GB/s: 20 ms; twice for the tree over more than two domains.
  CHECK(ms(Collective::all_reduce, 8) == Approx(20));
  CHECK(ms(Collective::all_reduce, 16) == Approx(40));
  CHECK(ms(Collective::all_gather, 8) == Approx(20 * 7.0 / 8));
  // Half of the 4 GB that a rank exchanges leaves its domain of four among eight: 2 GB at 50 GB/s.
  CHECK(ms(Collective::all_to_all, 8) == Approx(40));
  // S2 of the field reports: 1 GB over a 400 Gb/s card takes 20 ms, over 800 Gb/s 10 ms.
  CHECK(fabric_time(path, {Collective::send_recv, 1 * unit::GB, 8, 2}) / unit::ms == Approx(20));
}

TEST_CASE("a published hierarchical all-reduce is reproduced when nothing overlaps", "[fabric]") {
  // 8 nodes of 16... the textbook sum has 2 x (7/8 S/B1) + 2 x 7/8 S/8/B2; ours lets the slower hide the
  // faster, so it lies between the longer part alone and the sum of both.
  FabricPath path = bare_network();
  path.inside->bus_rate = 450 * unit::GB_s;
  path.domain_ranks = 8;
  const double t = fabric_time(path, {Collective::all_reduce, 1 * unit::GiB, 16, 2}) / unit::ms;
  const double inside = 1.75 * 1.073741824 / 450 * 1e3, network = 1.073741824 / 8 / 50 * 1e3;
  CHECK(t >= std::max(inside, network));
  CHECK(t <= inside + network);
}

TEST_CASE("more ranks than a domain need a network", "[fabric]") {
  FabricPath path = bare_network();
  path.outside.line_rate = BytesPerSecond{};
  CHECK_THROWS_AS(fabric_time(path, {Collective::all_reduce, 1 * unit::MB, 5, 2}), InputError);
  CHECK(fabric_time(path, {Collective::all_reduce, 1 * unit::MB, 1, 2}).base() == 0.0);
}

TEST_CASE("every catalogue system can exchange, in finite positive time", "[fabric]") {
  for (const std::string& id : catalog().systems().ids()) {
    const FabricPath path = path_of(id);
    for (const int ranks : {2, 3, 8, 72, 1000}) {
      if (path.outside.line_rate.base() <= 0.0 && ranks > path.domain_ranks) continue;
      for (Bytes bytes = 16 * unit::B; bytes < 64 * unit::GiB; bytes *= 64) {
        INFO(id << " " << ranks << " ranks " << bytes / unit::B << " B");
        const double t = fabric_time(path, {Collective::all_reduce, bytes, ranks, 2}).base();
        CHECK(std::isfinite(t));
        CHECK(t > 1e-6);
      }
    }
  }
}

TEST_CASE("an all-to-all over nodes moves what DeepEP moves", "[fabric][validation]") {
  // DeepEP V2, README: 8,192 tokens of 7,168 elements to 8 experts each, logical GB/s of a rank with its own
  // node's share: 90 to dispatch over two nodes of eight, 61 over four.
  for (const char* system : {"dgx-h100", "dgx-b200"}) {
    const FabricPath path = path_of(system);
    const auto logical = [&](int ranks) {
      const Message m{Collective::all_to_all, 8192.0 * 7168 * 8 * unit::B, ranks, 1};
      return algorithm_bandwidth(m, fabric_time(path, m)) / unit::GB_s;
    };
    INFO(system);
    CHECK(logical(16) == Approx(90).epsilon(0.06));
    CHECK(logical(32) == Approx(61).epsilon(0.06));
  }
}
