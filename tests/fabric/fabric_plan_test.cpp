#include "model/fabric/fabric_plan.hpp"

#include "model/calibration/fabric_path.hpp"
#include "model/catalog/catalog.hpp"
#include "model/catalog/fabric_parts.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const Catalog& catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}

const NetworkCatalog& network() {
  static const NetworkCatalog kNetwork(catalog().files(), catalog().sources());
  return kNetwork;
}

FabricPlan plan_of(
    std::string_view id, std::int64_t count, std::string_view wanted = {}, double oversubscription = 1.0,
    const PartPrices& prices = [](const std::string&) { return std::nullopt; }) {
  const System& system = catalog().systems().find(id);
  const LinkCatalog links(catalog().files(), catalog().sources());
  const FabricPath path = fabric_path(system, CalibrationSet(), links, LinkState::measured);
  return plan_fabric(count, oversubscription, fabric_parts(system, network(), wanted), path,
                     system.accelerators, prices);
}

double busbw(const FabricPlan& plan, Collective op, Bytes bytes) {
  for (const TimedMessage& t : plan.collectives) {
    if (t.message.op == op && t.message.bytes == bytes) return bus_bandwidth(t.message, t.time) / unit::GB_s;
  }
  FAIL("not timed");
  return 0.0;
}

}  // namespace

TEST_CASE("a unit of 72 DGX B300 on Quantum-X800 is wired as published", "[fabric][validation]") {
  const FabricPlan plan = plan_of("dgx-b300", 72);
  CHECK(plan.topology.leaf == 8);
  CHECK(plan.topology.spine == 4);
  CHECK(plan.cables == 576 + 576);
  CHECK(plan.nics == 576);
  // 576 host ports and twice 576 between switches, two to an optic of 1.6T; one optic of 800G for each
  // adapter.
  CHECK(plan.transceivers == 864 + 576);
  // 12 switches at 2,200 W, 864 optics at 25 W, 576 at 17 W.
  CHECK(plan.power / unit::W == Approx(12 * 2200 + 864 * 25 + 576 * 17));
}

TEST_CASE("four units of DGX H100 need the published optics but for the fabric managers' ports",
          "[fabric][validation]") {
  // Published for 127 nodes: 1,536 optics in switches and 508 in systems. Two ports of each of four fabric
  // managers take four of the former.
  const FabricPlan plan = plan_of("dgx-h100", 127);
  CHECK(plan.transceivers == 1536 - 4 + 508);
  CHECK(plan.topology.leaf + plan.topology.spine == 48);
}

TEST_CASE("Spectrum-4 splits each port of a DGX B300 over two planes", "[fabric][validation]") {
  const FabricPlan plan = plan_of("dgx-b300", 64, "spectrum-4");
  CHECK(plan.topology.leaf == 16);
  CHECK(plan.topology.spine == 8);
  // No source states the power of the switch: the sum is that of the optics and says so.
  CHECK(plan.unpowered == std::vector<std::string>{"spectrum-4-sn5600"});
}

TEST_CASE("GB10 boxes: a cable for two, a ring for three, a switch for four, no more (seed B14)",
          "[fabric]") {
  CHECK(plan_of("gb10", 1).cables == 0);
  CHECK(plan_of("gb10", 1).collectives.empty());
  const FabricPlan pair = plan_of("gb10", 2);
  CHECK(pair.cables == 1);
  CHECK(pair.topology.leaf == 0);
  CHECK(pair.transceivers == 0);
  CHECK(busbw(pair, Collective::all_gather, 8 * unit::GiB) == Approx(23.4).epsilon(0.05));
  CHECK(plan_of("gb10", 3).cables == 3);
  CHECK(plan_of("gb10", 3).topology.leaf == 0);
  CHECK(plan_of("gb10", 4).cables == 4);
  CHECK(plan_of("gb10", 4).topology.leaf == 1);
  CHECK_THROWS_WITH(plan_of("gb10", 5), Catch::Contains("at most 4"));
}

TEST_CASE("racks are joined by their trays' ports", "[fabric]") {
  // A GB200 rack: 18 trays of four ports of 400 Gb/s. Eight racks are 144 nodes of 4 rails: 5 groups of 29 on
  // switches of 32 + 32 ports.
  const FabricPlan plan = plan_of("gb200-nvl72", 8);
  CHECK(plan.nics == 576);
  CHECK(plan.topology.groups == 5);
  CHECK(plan.topology.leaf == 20);
  CHECK(plan.topology.host_cables == 576);
}

TEST_CASE("oversubscription slows what crosses groups, not what stays in one", "[fabric]") {
  const double full = busbw(plan_of("dgx-h100", 96), Collective::all_gather, 8 * unit::GiB);
  const double thin = busbw(plan_of("dgx-h100", 96, {}, 3.0), Collective::all_gather, 8 * unit::GiB);
  CHECK(thin < 0.5 * full);
  CHECK(busbw(plan_of("dgx-h100", 8, {}, 3.0), Collective::all_gather, 8 * unit::GiB) ==
        busbw(plan_of("dgx-h100", 8), Collective::all_gather, 8 * unit::GiB));
}

TEST_CASE("behind leaves with a third of the uplinks every byte between groups takes three times as long",
          "[fabric]") {
  // Nothing but ports of 50 GB/s: all-gather of 8 GiB over 768, of which an accelerator takes in 767 / 768
  // over the eight of its node.
  FabricPath path;
  path.inside = DomainLaw{};
  path.inside->bus_rate = path.inside->copy_rate = 1e12 * unit::GB_s;
  path.domain_ranks = 8;
  path.outside.line_rate = 50 * unit::GB_s;
  const FabricParts parts = fabric_parts(catalog().systems().find("dgx-h100"), network(), {});
  const auto seconds = [&](double oversubscription) {
    const FabricPlan plan =
        plan_fabric(96, oversubscription, parts, path, 8, [](const std::string&) { return std::nullopt; });
    return 8 * 1.073741824 * 767 / 768 / (busbw(plan, Collective::all_gather, 8 * unit::GiB));
  };
  CHECK(seconds(1) == Approx(8 * 1.073741824 * 767 / 768 / 8 / 50).epsilon(1e-6));
  CHECK(seconds(3) == Approx(3 * seconds(1)).epsilon(1e-6));
}

TEST_CASE("parts without price are named, and a quotation prices the rest", "[fabric]") {
  const FabricPlan none = plan_of("dgx-h100", 32);
  CHECK_FALSE(none.cost);
  CHECK(none.unpriced.size() == 3);  // switch, optic, fibre
  const PartPrices quotation = [](const std::string& part) -> std::optional<Money> {
    if (part == "quantum-2-qm9700") return Money(20000, Currency("USD"));
    return std::nullopt;
  };
  const FabricPlan priced = plan_of("dgx-h100", 32, {}, 1.0, quotation);
  REQUIRE(priced.cost);
  CHECK(priced.cost->amount() == Approx(12 * 20000));
  CHECK(priced.unpriced.size() == 2);
}

TEST_CASE("systems without ports and networks of another rate are refused", "[fabric]") {
  CHECK_THROWS_WITH(fabric_parts(catalog().systems().find("dgx-h100"), network(), "spectrum-4"),
                    Catch::Contains("400"));
  CHECK_THROWS_AS(fabric_parts(catalog().systems().find("rtx-pro-6000"), network()), InputError);
  CHECK_THROWS_AS(fabric_parts(catalog().systems().find("dgx-h100"), network(), "token-ring"), InputError);
}

TEST_CASE("a workstation with a fast port takes a switch of that rate, not the cables of a GB10",
          "[fabric]") {
  const FabricPlan plan = plan_of("dgx-station-gb300", 2);
  CHECK(plan.topology.leaf == 1);
  CHECK(plan.bill.front().part == "connectx-8");
}

TEST_CASE("what the vendor prints is found for whole units only", "[fabric]") {
  const System& system = catalog().systems().find("dgx-b200");
  const FabricParts parts = fabric_parts(system, network());
  const auto stage = published_stage(system, network(), parts, 512);
  REQUIRE(stage);
  CHECK(stage->core == 64);
  CHECK_FALSE(published_stage(system, network(), parts, 500));
}
