#include "model/probe/verdict.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using namespace roofplan::probe;

namespace {

DeviceIdentity gpu(std::string name, std::string capability, int units, double gib) {
  DeviceIdentity out;
  out.kind = "cuda";
  out.name = std::move(name);
  out.compute_capability = std::move(capability);
  out.units = units;
  out.memory = model::ByteCount(static_cast<std::int64_t>(gib * 1024 * 1024 * 1024));
  return out;
}

model::Calibration measured(double gb_s, double bf16_tflop_s) {
  model::Calibration out;
  out.set({.law = "machine/stream", .values = {{"memory_rate", gb_s, "GB/s", 0.01}}});
  out.set({.law = "machine/product/bf16", .values = {{"compute_rate", bf16_tflop_s, "TFLOP/s", 0.01}}});
  return out;
}

}  // namespace

TEST_CASE("a device is the chip of its capability, its multiprocessors and its memory", "[probe]") {
  const model::Catalog catalog;
  const auto id = [&](const DeviceIdentity& identity) {
    const model::Chip* chip = chip_of(identity, catalog);
    return chip == nullptr ? std::string("none") : chip->id;
  };
  // 132 multiprocessors each: 80, 94 and 141 GB tell them apart.
  CHECK(id(gpu("NVIDIA H100 80GB HBM3", "9.0", 132, 79.1)) == "h100-sxm");
  CHECK(id(gpu("NVIDIA H100 NVL", "9.0", 132, 93.1)) == "h100-nvl");
  CHECK(id(gpu("NVIDIA H200", "9.0", 132, 139.8)) == "h200-sxm");
  // The same chip on two boards, told by the name.
  CHECK(id(gpu("NVIDIA A100-SXM4-80GB", "8.0", 108, 79.3)) == "a100-sxm");
  CHECK(id(gpu("NVIDIA A100 80GB PCIe", "8.0", 108, 79.3)) == "a100-pcie");
  CHECK(id(gpu("NVIDIA T4", "7.5", 40, 15)) == "none");
  DeviceIdentity cpu = gpu("AMD EPYC", "", 132, 139.8);
  cpu.kind = "cpu";
  CHECK(id(cpu) == "none");
}

TEST_CASE("an H200 at 4.3 TB/s and 760 TFLOP/s is healthy, at half of either it is not", "[probe]") {
  // Datasheet: 4.8 TB/s and 989.5 TFLOP/s dense bf16.
  const model::Catalog catalog;
  const model::Chip* h200 = chip_of(gpu("NVIDIA H200", "9.0", 132, 139.8), catalog);
  REQUIRE(h200 != nullptr);
  const auto good = verdict(measured(4300, 760), h200, catalog);
  REQUIRE(good.size() == 2);
  CHECK(good[0].name == "bandwidth_bytes_s");
  CHECK(*good[0].datasheet == Approx(4.8e12));
  CHECK(*good[0].reached);
  CHECK(good[1].name == "bf16_flop_s");
  CHECK(*good[1].datasheet == Approx(989.5e12).epsilon(0.001));
  CHECK(*good[1].reached);
  const auto bad = verdict(measured(2150, 380), h200, catalog);
  CHECK_FALSE(*bad[0].reached);
  CHECK_FALSE(*bad[1].reached);
}

TEST_CASE("without a datasheet nothing is judged, and why is said", "[probe]") {
  const model::Catalog catalog;
  for (const auto& v : verdict(measured(60, 0.1), nullptr, catalog)) {
    CHECK_FALSE(v.datasheet);
    CHECK_FALSE(v.reached);
    CHECK(v.reason == "no datasheet of this device is in the catalogue");
  }
}
