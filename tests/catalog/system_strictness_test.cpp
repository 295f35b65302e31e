#include "model/catalog/system_reader.hpp"
#include "model/json/json.hpp"
#include "tests/catalog/shipped_systems.hpp"

#include <catch2/catch.hpp>

#include <functional>

using namespace roofplan::model;

namespace {

using Change = std::function<void(Json&)>;

const Json kFigure = {
    {"value", 700}, {"unit", "W"}, {"source", "nvidia-dgx-h100-user-guide"}, {"kind", "datasheet"}};

/// The text of a shipped file with one change.
std::string changed(const std::string& path, const Change& change) {
  Json document = parse_json(DataFiles().text(path), path);
  change(document);
  return document.dump();
}

void read(const std::string& text, bool chip) {
  const SystemCatalog& catalog = shipped_systems();
  static const Chip h100 = catalog.find("dgx-h100").chip;
  if (chip) {
    read_chip(text, "file.json", catalog.sources());
  } else {
    read_system(text, "file.json", catalog.sources(),
                [](const std::string& id) { return id == "h100-sxm" ? &h100 : nullptr; });
  }
}

/// The JSON pointer of the error that reading the changed file gives; fails when it is accepted.
std::string refusal(const std::string& path, const Change& change) {
  const bool chip = path.starts_with("chips/");
  const std::string text = changed(path, change);
  try {
    read(text, chip);
  } catch (const InputError& e) {
    CHECK(e.kind() == InputError::Kind::content);
    CHECK(e.where().file == "file.json");
    return e.where().pointer;
  }
  FAIL("accepted");
  return {};
}

std::string chip_refusal(const Change& change) {
  return refusal("chips/h100-sxm.json", change);
}
std::string system_refusal(const Change& change) {
  return refusal("systems/dgx-h100.json", change);
}

}  // namespace

TEST_CASE("The shipped files pass the readers that the changed ones fail", "[catalog]") {
  CHECK_NOTHROW(read(changed("chips/h100-sxm.json", [](Json&) {}), true));
  CHECK_NOTHROW(read(changed("systems/dgx-h100.json", [](Json&) {}), false));
}

TEST_CASE("Unknown keys are errors at every level", "[catalog]") {
  CHECK(chip_refusal([](Json& j) { j["tpd"] = kFigure; }).empty());
  CHECK(chip_refusal([](Json& j) { j["tdp"]["units"] = "W"; }) == "/tdp");
  CHECK(system_refusal([](Json& j) { j["other"]["weight"]["sorce"] = "x"; }) == "/other/weight");
  CHECK(system_refusal([](Json& j) { j["rack_units"]["alternatives"][0]["low"] = 3; }) ==
        "/rack_units/alternatives/0");
}

TEST_CASE("Missing keys are errors: nothing is unknown without a reason", "[catalog]") {
  CHECK(chip_refusal([](Json& j) { j.erase("l2"); }).empty());
  CHECK(system_refusal([](Json& j) { j.erase("power_idle"); }).empty());
  CHECK(chip_refusal([](Json& j) { j["tdp"] = {{"value", nullptr}}; }) == "/tdp");
  CHECK(chip_refusal([](Json& j) { j["tdp"] = {{"value", nullptr}, {"reason", ""}}; }) == "/tdp/reason");
}

TEST_CASE("A duplicate key is an error", "[catalog]") {
  std::string text = changed("systems/dgx-h100.json", [](Json&) {});
  text.insert(1, "\"id\":\"twice\",");
  CHECK_THROWS_AS(read(text, false), InputError);
}

TEST_CASE("A figure needs a source that exists, and a kind of the five", "[catalog]") {
  CHECK(chip_refusal([](Json& j) { j["tdp"].erase("source"); }) == "/tdp");
  CHECK(chip_refusal([](Json& j) { j["tdp"]["source"] = "hearsay"; }) == "/tdp/source");
  CHECK(chip_refusal([](Json& j) { j["tdp"]["kind"] = "rumour"; }) == "/tdp/kind");
  CHECK(chip_refusal([](Json& j) { j["tdp"] = 700; }) == "/tdp");
  CHECK(chip_refusal([](Json& j) { j["texts"]["pcie"].erase("source"); }) == "/texts/pcie");
}

TEST_CASE("A unit of another dimension is an error", "[catalog]") {
  CHECK(chip_refusal([](Json& j) { j["tdp"]["unit"] = "GB"; }) == "/tdp/unit");
  CHECK(chip_refusal([](Json& j) { j["memory_visible"]["unit"] = "GB/s"; }) == "/memory_visible/unit");
  CHECK(chip_refusal([](Json& j) { j["memory_bandwidth"]["unit"] = "TB"; }) == "/memory_bandwidth/unit");
  CHECK(chip_refusal([](Json& j) { j["tdp"]["unit"] = "k"; }) == "/tdp/unit");
  CHECK(system_refusal([](Json& j) { j["rack_units"]["unit"] = "kg"; }) == "/rack_units/unit");
  CHECK(system_refusal([](Json& j) { j["other"]["weight"]["unit"] = "stone"; }) == "/other/weight/unit");
}

TEST_CASE("Bits where bytes belong, and bytes where bits belong, are errors", "[catalog]") {
  CHECK(chip_refusal([](Json& j) { j["memory_bandwidth"]["unit"] = "Tb/s"; }) == "/memory_bandwidth/unit");
  CHECK(chip_refusal([](Json& j) { j["scale_up_link"]["unit"] = "Gb/s"; }) == "/scale_up_link/unit");
  CHECK(system_refusal([](Json& j) { j["nic_rate"]["unit"] = "GB/s"; }) == "/nic_rate/unit");
}

TEST_CASE("Sparse rates cannot stand among the dense ones", "[catalog]") {
  CHECK(chip_refusal([](Json& j) { j["dense_rate"]["fp8"]["sparse"] = true; }) == "/dense_rate/fp8");
  CHECK(chip_refusal([](Json& j) { j["dense_rate"]["fp8_sparse"] = j["dense_rate"]["fp8"]; }) ==
        "/dense_rate/fp8_sparse");
  CHECK(chip_refusal([](Json& j) { j["dense_rate"]["fp9"] = j["dense_rate"]["fp8"]; }) == "/dense_rate/fp9");
}

TEST_CASE("Visible memory that contradicts the marketed amount is an error", "[catalog]") {
  CHECK(chip_refusal([](Json& j) { j["memory_visible"]["value"] = 91000; }) == "/memory_visible");
  CHECK(chip_refusal([](Json& j) { j["memory_visible"]["value"] = 60000; }) == "/memory_visible");
}

TEST_CASE("Negative numbers and values outside their own range are errors", "[catalog]") {
  CHECK(chip_refusal([](Json& j) { j["tdp"]["value"] = -700; }) == "/tdp/value");
  CHECK(chip_refusal([](Json& j) {
          j["tdp"]["low"] = 710;
          j["tdp"]["high"] = 800;
        }) == "/tdp");
  CHECK(chip_refusal([](Json& j) { j["tdp"]["low"] = 600; }) == "/tdp");
}

TEST_CASE("Typical power above design power, or design above peak, is an error", "[catalog]") {
  CHECK(system_refusal([](Json& j) { j["power_typical"]["value"] = 10.4; }) == "/power_design");
  CHECK(system_refusal([](Json& j) { j["power_peak"]["value"] = 9; }) == "/power_peak");
}

TEST_CASE("Counts, classes, chips and shares are checked", "[catalog]") {
  CHECK(system_refusal([](Json& j) { j["accelerators"] = 0; }) == "/accelerators");
  CHECK(system_refusal([](Json& j) { j["accelerators"] = 7.5; }) == "/accelerators");
  CHECK(system_refusal([](Json& j) { j["scale_up_size"] = 3; }) == "/scale_up_size");
  CHECK(system_refusal([](Json& j) { j["class"] = "cloud"; }) == "/class");
  CHECK(system_refusal([](Json& j) { j["chip"] = "h101"; }) == "/chip");
  CHECK(system_refusal([](Json& j) { j["liquid_fraction"]["value"] = 90; }) == "/liquid_fraction");
  CHECK(system_refusal([](Json& j) {
          j["reserved"] = {
              {"value", 90}, {"unit", "GB"}, {"source", "nvidia-dgx-h100-user-guide"}, {"kind", "estimate"}};
        }) == "/reserved");
}
