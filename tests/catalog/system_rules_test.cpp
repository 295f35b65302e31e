#include "model/units/unit_text.hpp"
#include "tests/catalog/shipped_systems.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {
double tflops(const System& s, const std::string& format) {
  return *s.chip.dense_rate.at(format) / unit::TFLOP_s;
}
bool has_reason_or_value(const Figure<Watts>& power) {
  return power.known() || !power.unknown_reason.empty();
}
}  // namespace

TEST_CASE("Marketed, visible and usable memory are three numbers", "[catalog]") {
  const System& b300 = shipped("dgx-b300");
  CHECK(b300.chip.memory_marketed->count() == 288'000'000'000);
  CHECK(b300.chip.memory_visible->count() == 288'400'343'040);  // 275,040 MiB, 288 only by coincidence
  CHECK(to_text(*b300.chip.memory_visible) == "268.6 GiB");
  const System& gb300 = shipped("gb300-nvl72");
  CHECK(gb300.chip.memory_marketed->count() == 288'000'000'000);
  CHECK(gb300.chip.memory_visible->count() == 298'013'687'808);
  CHECK(to_text(*gb300.chip.memory_visible) == "277.5 GiB");
  CHECK(to_text(*shipped("gb200-nvl72").chip.memory_visible) == "185.0 GiB");
}

TEST_CASE("Datasheet memory stays beside the marketed figure", "[catalog]") {
  const auto& b300 = shipped("dgx-b300").chip.memory_marketed;
  REQUIRE(!b300.alternatives.empty());
  CHECK(b300.alternatives[0].value == 270);
  CHECK(shipped("gb300-nvl72").chip.memory_marketed.alternatives.at(0).value == 279);
}

TEST_CASE("INT8 of Blackwell Ultra is a sixteenth or less of its FP8, on Hopper and B200 they are equal",
          "[catalog]") {
  CHECK(tflops(shipped("dgx-b300"), "int8") == Approx(153.5));
  CHECK(tflops(shipped("gb300-nvl72"), "int8") == Approx(165));
  for (const char* id : {"dgx-b300", "gb300-nvl72", "dgx-station-gb300"}) {
    INFO(id);
    CHECK(tflops(shipped(id), "int8") * 16 < tflops(shipped(id), "fp8"));
  }
  for (const char* id : {"dgx-b200", "gb200-nvl72", "dgx-h100", "dgx-h200"}) {
    INFO(id);
    CHECK(tflops(shipped(id), "int8") == Approx(tflops(shipped(id), "fp8")));
  }
}

TEST_CASE("Dense FP4 of Blackwell Ultra is more than half of its sparse rate", "[catalog]") {
  const Chip& b300 = shipped("dgx-b300").chip;
  CHECK(tflops(shipped("dgx-b300"), "nvfp4") == Approx(14000));
  CHECK(*b300.other.at("nvfp4_sparse") == 18000);
  CHECK(tflops(shipped("gb300-nvl72"), "nvfp4") == Approx(15000));
  CHECK(tflops(shipped("gb300-nvl72"), "nvfp4") * 72 / 1000 == Approx(1080));  // the rack, in PF
}

TEST_CASE("Rates are dense: half of the sparse figure that tables print", "[catalog]") {
  CHECK(tflops(shipped("h100-pcie"), "fp8") == Approx(3026 / 2.0));
  CHECK(tflops(shipped("h100-nvl"), "bf16") == Approx(1671 / 2.0));
  CHECK(tflops(shipped("dgx-b300"), "bf16") == Approx(2250));
  CHECK(tflops(shipped("dgx-a100"), "bf16") == Approx(312));
  CHECK(tflops(shipped("gb10"), "nvfp4") == Approx(500));
}

TEST_CASE("Formats without hardware have no rate", "[catalog]") {
  for (const char* id : {"dgx-h100", "dgx-h200", "h100-pcie", "rtx-4090"}) {
    INFO(id);
    CHECK(!shipped(id).chip.dense_rate.contains("nvfp4"));
  }
  CHECK(!shipped("dgx-a100").chip.dense_rate.contains("fp8"));
}

TEST_CASE("NVLink is half of the bidirectional figure that vendors print (field report T15)", "[catalog]") {
  for (const char* id :
       {"dgx-b300", "gb300-nvl72", "gb200-nvl72", "dgx-b200", "dgx-h200", "dgx-h100", "dgx-a100"}) {
    INFO(id);
    const Chip& chip = shipped(id).chip;
    const auto& both = chip.other.at("nvlink_bidirectional");
    CHECK(2 * *chip.scale_up_link / quantity_in<BytesPerSecond>(*both, both.unit) == Approx(1));
  }
  CHECK(*shipped("dgx-b300").chip.scale_up_link / unit::GB_s == Approx(900));
  CHECK(*shipped("dgx-h100").chip.scale_up_link / unit::GB_s == Approx(450));
}

TEST_CASE("Scale-out ports: ConnectX-7 is 50 GB/s a direction, ConnectX-8 is 100 (field report S2)",
          "[catalog]") {
  CHECK(*shipped("dgx-b200").nic_rate / unit::GB_s == Approx(50));
  CHECK(*shipped("dgx-b300").nic_rate / unit::GB_s == Approx(100));
  CHECK(*shipped("gb200-nvl72").nic_rate / unit::GB_s == Approx(50));
  CHECK(*shipped("gb300-nvl72").nic_count == 72);
  // One cable between two GB10 is sold as 200 Gb/s = 25 GB/s, which two halves of 100 Gb/s make.
  const System& gb10 = shipped("gb10");
  CHECK(*gb10.nic_count * *gb10.nic_rate / unit::GB_s == Approx(25));
}

TEST_CASE("GB300 NVL72 is planned at 132, 142 and 155 kW, below what its shelves keep under N+N",
          "[catalog]") {
  const System& s = shipped("gb300-nvl72");
  CHECK(*s.power_typical / unit::kW == Approx(132));
  CHECK(*s.power_design / unit::kW == Approx(142));
  CHECK(*s.power_peak / unit::kW == Approx(155));
  CHECK(*s.other.at("power_shelves") * *s.other.at("power_shelf_rating") ==
        Approx(*s.other.at("power_shelves_installed")));
  CHECK(*s.other.at("power_shelves_usable") == Approx(*s.other.at("power_shelves_installed") / 2));
  CHECK(*s.other.at("power_shelves_usable") < *s.power_design / unit::kW);
}

TEST_CASE("An NVL72 gives 85 to 90 % of its heat to liquid, 87.5 % by default", "[catalog]") {
  const System& s = shipped("gb300-nvl72");
  CHECK(*s.liquid_fraction == Approx(0.875));
  CHECK(*s.liquid_fraction.low == Approx(0.85));
  CHECK(*s.liquid_fraction.high == Approx(0.90));
  CHECK(*shipped("dgx-b300").liquid_fraction == 0);
}

TEST_CASE("Lenovo's coolant flows follow 14.5 x kW / (55 - supply) within 1.5 %", "[catalog]") {
  const System& s = shipped("gb300-nvl72");
  for (const double supply : {25.0, 30.0, 35.0, 40.0, 45.0}) {
    const std::string name = "coolant_flow_" + std::to_string(static_cast<int>(supply)) + "c";
    INFO(name);
    const double flow = 14.5 * 135 * 0.90 / (*s.other.at("coolant_return") - supply);
    CHECK(*s.other.at(name) == Approx(flow).epsilon(0.015));
  }
}

TEST_CASE("A GB10's bandwidth is 256 bit at 8,533 MT/s", "[catalog]") {
  const Chip& chip = shipped("gb10").chip;
  CHECK(*chip.memory_bandwidth / unit::GB_s ==
        Approx(256.0 / 8 * *chip.other.at("memory_speed") / 1000).epsilon(1e-3));
}

TEST_CASE("Every system has power figures or the reason why it has none", "[catalog]") {
  for (const std::string& id : shipped_systems().ids()) {
    INFO(id);
    const System& s = shipped(id);
    CHECK(has_reason_or_value(s.power_typical));
    CHECK(has_reason_or_value(s.power_design));
    CHECK(has_reason_or_value(s.power_peak));
    CHECK(has_reason_or_value(s.power_idle));
  }
}

TEST_CASE("Every system states memory, bandwidth and a 16-bit matrix rate", "[catalog]") {
  for (const std::string& id : shipped_systems().ids()) {
    INFO(id);
    const Chip& chip = shipped(id).chip;
    CHECK(chip.memory_visible.known());
    CHECK(chip.memory_bandwidth.known());
    CHECK(chip.dense_rate.at("bf16").known());
  }
}

TEST_CASE("Visible memory lies within 1 % of the datasheet figure read as GiB on Blackwell", "[catalog]") {
  const std::vector<std::pair<const char*, double>> datasheet{
      {"dgx-b300", 270}, {"gb300-nvl72", 279}, {"gb200-nvl72", 186}, {"dgx-b200", 180}};
  for (const auto& [id, gib] : datasheet) {
    INFO(id);
    CHECK(shipped(id).chip.memory_visible->quantity() / unit::GiB == Approx(gib).epsilon(0.01));
  }
}
