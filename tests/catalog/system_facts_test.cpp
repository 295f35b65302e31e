#include "model/units/unit_text.hpp"
#include "tests/catalog/shipped_systems.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {
constexpr auto kDatasheet = Provenance::Kind::datasheet;
constexpr auto kMeasured = Provenance::Kind::measured;
constexpr auto kDerived = Provenance::Kind::derived;
}  // namespace

TEST_CASE("DGX B300 is 8 GPUs, 10U and 2.1 TB, at 14 kW typical, 14.5 design and 19 peak (seed fact A1)",
          "[catalog]") {
  const System& s = shipped("dgx-b300");
  CHECK(s.accelerators == 8);
  CHECK(s.scale_up_size == 8);
  CHECK(*s.rack_units == 10);
  CHECK(*s.power_typical / unit::kW == Approx(14.0));
  CHECK(s.power_typical.provenance.kind == kDerived);
  CHECK(*s.power_design / unit::kW == Approx(14.5));
  CHECK(s.power_design.provenance.kind == kDatasheet);
  CHECK(*s.power_peak / unit::kW == Approx(19.0));
  CHECK(s.power_peak.provenance.source == "nvidia-dgx-b300-best-practices");
  const auto& total = s.other.at("gpu_memory_total_datasheet");
  CHECK(*total == 2.1);
  CHECK(total.unit == "TB");
  CHECK(*shipped("dgx-b300-ac").power_design / unit::kW == Approx(15.0));
  CHECK(*shipped("dgx-b300-ac").power_peak / unit::kW == Approx(19.7));
  CHECK(*shipped("dgx-b300-ac").power_typical / unit::kW == Approx(14.0));
}

TEST_CASE("Thirteen DGX B300 take 182 kW typical, 188.5 design and 247 peak", "[catalog]") {
  const System& s = shipped("dgx-b300");
  CHECK(13 * *s.power_typical / unit::kW == Approx(182.0));
  CHECK(13 * *s.power_design / unit::kW == Approx(188.5));
  CHECK(13 * *s.power_peak / unit::kW == Approx(247.0));
}

TEST_CASE("A GB10 is sold with 128 GB, shows 121.69 GiB and leaves 101.5 GiB (seed fact B1, field report U8)",
          "[catalog]") {
  const System& s = shipped("gb10");
  CHECK(s.unified_memory);
  CHECK(s.chip.memory_marketed->count() == 128'000'000'000);
  CHECK(s.chip.memory_visible->count() == 127'601'452LL * 1024);
  CHECK(s.chip.memory_visible->quantity() / unit::GiB == Approx(121.69).epsilon(1e-4));
  CHECK((*s.chip.memory_visible - *s.reserved).quantity() / unit::GiB == Approx(101.5).epsilon(1e-3));
  // Engines have started at 99.8 to 105.9 GiB.
  CHECK((*s.chip.memory_visible - *s.reserved.high).quantity() / unit::GiB == Approx(99.8).epsilon(1e-3));
  CHECK((*s.chip.memory_visible - *s.reserved.low).quantity() / unit::GiB == Approx(105.9).epsilon(1e-3));
  CHECK(s.chip.memory_visible.provenance.kind == kMeasured);
}

TEST_CASE("Visible memory of a node and of a rack is the exact sum of its GPUs", "[catalog]") {
  const System& node = shipped("dgx-b300");
  CHECK((node.accelerators * *node.chip.memory_visible).count() == 2'307'202'744'320);
  CHECK(*node.other.at("gpu_memory_total_visible") == 2'307'202'744'320.0);
  const System& rack = shipped("gb300-nvl72");
  CHECK((rack.accelerators * *rack.chip.memory_visible).count() == 72LL * 284'208 * 1'048'576);
  CHECK(*rack.other.at("gpu_memory_total_visible") == 72.0 * 284'208 * 1'048'576);
}

TEST_CASE(
    "A GB10's 127,601,452 KiB are 130.66 GB, and 0.85 of them lie within what engines started with (field "
    "reports U2, U13)",
    "[catalog]") {
  const System& s = shipped("gb10");
  CHECK(s.chip.memory_visible->quantity() / unit::GB == Approx(130.66).epsilon(1e-4));
  const Bytes fraction = 0.85 * s.chip.memory_visible->quantity();
  CHECK(fraction / unit::GiB == Approx(103.4).epsilon(1e-3));
  CHECK(fraction > (*s.chip.memory_visible - *s.reserved.high).quantity());
  CHECK(fraction < (*s.chip.memory_visible - *s.reserved.low).quantity());
}

TEST_CASE(
    "The link of two GB10 has a nominal rate, measured ones below it, and degraded ones (field report U12)",
    "[catalog]") {
  const System& s = shipped("gb10");
  const auto rate = [&s](const char* name) {
    const auto& figure = s.other.at(name);
    return quantity_in<BytesPerSecond>(*figure, figure.unit);
  };
  const BytesPerSecond nominal = rate("link_rate");
  CHECK(nominal / unit::GB_s == Approx(25));
  CHECK(rate("link_rate_rdma") / unit::Gb_s == Approx(92.57 + 97.28));
  CHECK(rate("link_nccl") < rate("link_rate_rdma") + 0.1 * unit::GB_s);
  CHECK(rate("link_nccl_one_half") < 0.6 * nominal);
  CHECK(rate("link_nccl_tcp") < rate("link_nccl_one_half"));
  CHECK(rate("link_rate_bad_boot") < 0.1 * nominal);
}

TEST_CASE(
    "A GB200 superchip of two GPUs is quoted as 372 GB by one source and 384 by another (field report S4)",
    "[catalog]") {
  const auto& memory = shipped("gb200-nvl72").chip.memory_marketed;
  CHECK(2 * memory.shown == 372);
  CHECK(2 * memory.alternatives.at(0).value == 384);
}

TEST_CASE("A GB10 idles at 25 W, serves at up to 95 and peaks at 208, whatever its adapter is rated",
          "[catalog]") {
  const System& s = shipped("gb10");
  CHECK(*s.power_idle / unit::W == Approx(25));
  CHECK(*s.power_typical / unit::W == Approx(95));
  CHECK(*s.power_peak / unit::W == Approx(208));
  CHECK(*s.other.at("adapter") == 240);
  CHECK(s.other.at("adapter").alternatives.at(0).value == 280);
}
