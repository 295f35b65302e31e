#include "model/roofline/efficiency.hpp"

#include "model/roofline/engine_speed.hpp"
#include "model/units/error.hpp"
#include "tests/roofline/fixtures.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("every system of the catalogue with known rates has efficiencies of its chip or family",
          "[roofline]") {
  for (const std::string& id : shipped_systems().ids()) {
    const Chip& chip = shipped(id).chip;
    if (!chip.dense_rate.contains("bf16")) continue;
    INFO(id << " " << chip.family);
    const ChipEfficiency* own = shipped_efficiencies().find(chip);
    if (chip.family == "blackwell" || chip.family == "hopper") CHECK(own != nullptr);
    CHECK(*shipped_efficiencies().of(chip).gemm.memory <= 1);
  }
  CHECK(shipped_efficiencies().find(shipped("gb10").chip)->id == "gb10");
  CHECK(shipped_efficiencies().find(shipped("dgx-b300").chip)->id == "blackwell-ultra");
  Chip unknown = shipped("gb10").chip;
  unknown.id = unknown.family = "next-year";
  CHECK(shipped_efficiencies().find(unknown) == nullptr);
}

TEST_CASE("every engine states how fast it is, and an unknown one is refused", "[roofline]") {
  const DataFiles files;
  for (const char* id : {"ideal", "llama.cpp", "vllm", "sglang", "trtllm"}) {
    const EngineSpeed engine = load_engine_speed(files, shipped_systems().sources(), id);
    CHECK(engine.id == id);
    CHECK(*engine.kernels_for("no-such-format").memory > 0);
  }
  CHECK_THROWS_AS(load_engine_speed(files, shipped_systems().sources(), "vlm"), InputError);
}
