#include "model/fabric/topology.hpp"

#include "model/catalog/catalog.hpp"
#include "model/catalog/network_catalog.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

Topology superpod(std::int64_t nodes, std::int64_t ports, std::int64_t planes = 1) {
  return plan_topology({.nodes = nodes, .rails = 8, .planes = planes, .switch_ports = ports});
}

void check_stages(const char* unit_id, std::int64_t ports, std::int64_t planes) {
  static const Catalog catalog;
  const NetworkCatalog network(catalog.files(), catalog.sources());
  const ScalableUnit& unit = network.unit(unit_id);
  REQUIRE_FALSE(unit.stages.empty());
  for (const ScalableUnit::Stage& stage : unit.stages) {
    INFO(unit_id << ", " << stage.units << " units");
    const Topology t =
        superpod(stage.units * static_cast<std::int64_t>(*unit.systems_per_unit), ports, planes);
    CHECK(t.leaf == stage.leaf);
    CHECK(t.spine == stage.spine);
    CHECK(t.core == stage.core);
  }
}

}  // namespace

TEST_CASE("the switch counts of every published scalable unit follow from the ports of the switch",
          "[fabric][validation]") {
  check_stages("superpod-b300-xdr", 144, 1);
  check_stages("superpod-b300-spectrum", 128, 2);  // 64 ports of 800G are 128 of 400G; two planes
  check_stages("superpod-b200", 64, 1);
  check_stages("superpod-h100", 64, 1);
}

TEST_CASE("published cable counts are reproduced", "[fabric][validation]") {
  // B300 XDR: 576 + 576 cables for one unit, 10,368 in each tier for eighteen.
  CHECK(superpod(72, 144).host_cables == 576);
  CHECK(superpod(72, 144).leaf_cables == 576);
  CHECK(superpod(1296, 144).host_cables == 10368);
  CHECK(superpod(1296, 144).leaf_cables == 10368);
  // H100, four units of 127 nodes: 2,040 compute cables = 127 x 8 + 32 x 32.
  const Topology h100 = superpod(127, 64);
  CHECK(h100.host_cables + h100.leaf_cables == 2040);
  CHECK(h100.leaf + h100.spine == 48);
}

TEST_CASE("what fits into one switch needs one switch", "[fabric]") {
  const Topology t = superpod(8, 64);
  CHECK(t.leaf == 1);
  CHECK(t.spine == 0);
  CHECK(t.tiers() == 1);
  CHECK(superpod(9, 64).tiers() == 2);
}

TEST_CASE("a non-blocking network has as many links up as down", "[fabric]") {
  for (const std::int64_t nodes : {9, 16, 31, 32, 64, 100, 256, 300, 512, 2048}) {
    const Topology t = superpod(nodes, 64);
    INFO(nodes);
    CHECK(t.leaf_cables >= t.host_cables);
    CHECK(t.leaf * 64 >= t.host_cables + t.leaf_cables);
    CHECK(t.spine * 64 >= t.leaf_cables + t.spine_cables);
    CHECK(t.core * 64 >= t.spine_cables);
    if (t.core > 0) CHECK(t.spine_cables == t.leaf_cables);
  }
}

TEST_CASE("oversubscription saves uplinks in proportion", "[fabric]") {
  // 64 ports at 3:1 are 48 down and 16 up: 96 nodes in 2 groups of 48, 16 leaves, 256 uplinks, 4 spines.
  const Topology t = plan_topology({.nodes = 96, .rails = 8, .switch_ports = 64, .oversubscription = 3.0});
  CHECK(t.groups == 2);
  CHECK(t.leaf == 16);
  CHECK(t.leaf_cables == 256);
  CHECK(t.spine == 4);
  CHECK_THROWS_AS(plan_topology({.nodes = 96, .rails = 8, .switch_ports = 64, .oversubscription = 0.5}),
                  InputError);
}

TEST_CASE("impossible networks are refused", "[fabric]") {
  CHECK_THROWS_AS(superpod(0, 64), InputError);
  CHECK_THROWS_AS(superpod(1000000, 64), InputError);
  CHECK_THROWS_AS(plan_topology({.nodes = 4, .rails = 8}), InputError);
}
