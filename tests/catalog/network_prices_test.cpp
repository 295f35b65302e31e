#include "model/catalog/fact_sheet.hpp"
#include "model/catalog/network_catalog.hpp"
#include "model/catalog/price_catalog.hpp"
#include "model/json/json.hpp"
#include "tests/catalog/shipped_systems.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const NetworkCatalog& network() {
  static const NetworkCatalog catalog(DataFiles(), shipped_systems().sources());
  return catalog;
}

const PriceCatalog& prices() {
  static const PriceCatalog catalog(DataFiles(), shipped_systems().sources());
  return catalog;
}

FactSheet sheet(const std::string& path) {
  return read_fact_sheet(DataFiles(), path, shipped_systems().sources());
}

}  // namespace

TEST_CASE("Ports times rate is the capacity that the switch is sold with, both directions", "[catalog]") {
  for (const char* id : {"quantum-2-qm9700", "quantum-x800-q3400", "spectrum-4-sn5600"}) {
    INFO(id);
    const NetworkPart& part = network().part(id);
    const auto& capacity = part.other.at("capacity");
    const auto sold = quantity_in<BytesPerSecond>(*capacity, capacity.unit);
    const double ratio = sold / (*part.ports * *part.port_rate);
    CHECK((ratio == Approx(1) || ratio == Approx(2)));
  }
}

TEST_CASE("A switch without a vendor's power figure has an estimate that says so, or none", "[catalog]") {
  CHECK(network().part("quantum-2-qm9700").power.provenance.kind == Provenance::Kind::estimate);
  CHECK(!network().part("spectrum-4-sn5600").power.known());
  CHECK(!network().part("connectx-7").power.unknown_reason.empty());
}

TEST_CASE("Systems of scalable units are in the catalogue", "[catalog]") {
  for (const ScalableUnit& unit : network().units()) {
    for (const std::string& system : unit.systems) {
      INFO(unit.id << " " << system);
      CHECK(shipped(system).id == system);
    }
  }
}

TEST_CASE("Leaves of a published unit carry one port of every accelerator", "[catalog]") {
  // Two-tier fat tree without oversubscription: half of a leaf's ports face systems.
  for (const char* id : {"superpod-b300-xdr", "superpod-b300-spectrum", "superpod-b200"}) {
    const ScalableUnit& unit = network().unit(id);
    const NetworkPart& leaf = network().part(*unit.leaf_switch);
    const System& system = shipped(unit.systems[0]);
    for (const ScalableUnit::Stage& stage : unit.stages) {
      INFO(id << " " << stage.units << " units");
      const double ends = static_cast<double>(stage.units) * *unit.systems_per_unit *
                          static_cast<double>(system.accelerators);
      CHECK(static_cast<double>(stage.leaf) * *leaf.ports / 2 >= ends);
    }
  }
}

TEST_CASE("Prices carry a date and a currency, and price systems of the catalogue", "[catalog]") {
  CHECK(prices().all().size() > 50);
  for (const Price& price : prices().all()) {
    INFO(price.id);
    if (!price.system.empty()) CHECK(shipped(price.system).id == price.system);
    if (!price.amount.known()) continue;
    CHECK(price.amount.provenance.date.size() >= 4);
    CHECK(price.money().currency().code() == "USD");
    CHECK(price.money().amount() > 0);
  }
}

TEST_CASE("An instance's price is the price of its accelerators", "[catalog]") {
  // AWS p5.48xlarge: 55.04 an hour for eight H100 is 6.88 each.
  const Price& instance = prices().price("aws-p5-on-demand");
  CHECK(instance.money().amount() / static_cast<double>(instance.accelerators) ==
        Approx(prices().price("aws-p5-gpu-hour").money().amount()));
}

TEST_CASE("The newest price of a system comes first, and stale ones never", "[catalog]") {
  const auto gb10 = prices().of_system("gb10", Price::Per::system);
  REQUIRE(gb10.size() >= 3);
  CHECK(gb10.front()->amount.provenance.date == "2026-10-03");
  for (const Price* price : gb10) CHECK(!price->stale);
  for (const Price* price : prices().of_system("dgx-h100", Price::Per::instance_hour))
    CHECK(price->id != "aws-p5-on-demand-before-cut");
}

TEST_CASE("A price that nobody published is unknown with the reason", "[catalog]") {
  const Price& price = prices().price("aws-p6e-gb200-on-demand");
  CHECK(!price.amount.known());
  CHECK(!price.amount.unknown_reason.empty());
}

TEST_CASE("Facility and storage facts are read with their sources", "[catalog]") {
  const FactSheet facility = sheet("sites/facility.json");
  CHECK(*facility.figure("pue_survey") == 1.54);
  CHECK(facility.figure("pue_survey").provenance.source == "uptime-survey-2025");
  CHECK_THROWS_AS(facility.figure("pue_surve"), InputError);
  CHECK(*sheet("sites/storage.json").figure("unit_read_best") == 125);
}
