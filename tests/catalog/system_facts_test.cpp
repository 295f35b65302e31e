#include "tests/catalog/shipped_systems.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {
constexpr auto kDatasheet = Provenance::Kind::datasheet;
constexpr auto kMeasured = Provenance::Kind::measured;
constexpr auto kDerived = Provenance::Kind::derived;
}  // namespace

TEST_CASE("DGX B300 is 8 GPUs, 10U and 2.1 TB, at 14 kW typical, 14.5 design and 19 peak", "[catalog]") {
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

TEST_CASE("A GB10 is sold with 128 GB, shows 121.69 GiB and leaves 101.5 GiB", "[catalog]") {
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
