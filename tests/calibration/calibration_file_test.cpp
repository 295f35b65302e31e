#include "model/calibration/calibration_file.hpp"

#include "model/units/error.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

Calibration sample() {
  Calibration c;
  c.device = {"b200", "B200 SXM", 8, "", "NCCL 2.29.2", "2026-08-21"};
  CalibratedLaw law{.law = "collective/all_reduce"};
  law.values = {{"latency", 6.543, "us", 0.02, true}, {"efficiency", 0.83, "1", 0.7, false}};
  law.choices = {{"menu", "full"}};
  law.residuals = {41, 0.051, 0.072, 0.14, -0.01};
  c.set(law);
  c.probes = {{"stream_read", {{"bytes", "1073741824"}}, 231.0, "GB/s", 231.0, 229.0, 232.0, 30}};
  c.replay = {{"llama-3.1-8b", 1, 2048, 0.0251, 0.0260}};
  c.verdict = {{"bandwidth_bytes_s", 231e9, 273e9, true},
               {.name = "fp32_flop_s", .measured = 1e12, .reason = "none stated"}};
  c.notes = {"measured at night"};
  c.sources = {"some-table"};
  return c;
}

}  // namespace

TEST_CASE("a calibration reads back as it was written", "[calibration]") {
  const std::string text = calibration_text(sample());
  const Calibration c = parse_calibration(text, "c.json");
  CHECK(c.device.system == "b200");
  CHECK(c.device.accelerators == 8);
  const CalibratedLaw& law = c.at("collective/all_reduce");
  CHECK(law.value("latency") == 6.543);
  CHECK(law.values[0].unit == "us");
  CHECK_FALSE(law.values[1].determined);
  CHECK(law.choice("menu") == "full");
  CHECK(law.residuals.n == 41);
  CHECK(law.residuals.p90_ape == 0.14);
  CHECK(c.probes.at(0).params.at(0).second == "1073741824");
  CHECK(c.replay.at(0).depth == 2048);
  CHECK(c.verdict.at(0).datasheet == 273e9);
  CHECK_FALSE(c.verdict.at(1).reached);
  CHECK(c.verdict.at(1).reason == "none stated");
  CHECK(c.notes == std::vector<std::string>{"measured at night"});
  CHECK(c.sources == std::vector<std::string>{"some-table"});
  CHECK(calibration_text(c) == text);
}

TEST_CASE("an unknown law or value names the nearest", "[calibration]") {
  const Calibration c = sample();
  CHECK(c.find("gemm/bf16") == nullptr);
  CHECK_THROWS_WITH(c.at("collective/all_reduse"), Catch::Contains("collective/all_reduce"));
  CHECK_THROWS_WITH(c.at("collective/all_reduce").value("latensy"), Catch::Contains("latensy"));
}

TEST_CASE("setting a law again replaces it", "[calibration]") {
  Calibration c = sample();
  c.set({.law = "collective/all_reduce", .values = {{"latency", 9.0, "us"}}});
  REQUIRE(c.fit.size() == 1);
  CHECK(c.at("collective/all_reduce").value("latency") == 9.0);
}

TEST_CASE("a calibration file of another schema, with unknown keys or bad units is refused with its place",
          "[calibration]") {
  const std::string good = calibration_text(sample());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK_THROWS_WITH(parse_calibration(with("roofplan.calibration", "roofplan.fit"), "c.json"),
                    Catch::Contains("/schema"));
  CHECK_THROWS_AS(parse_calibration(with("\"schema_version\": 1", "\"schema_version\": 2"), "c.json"),
                  InputError);
  CHECK_THROWS_WITH(parse_calibration(with("\"us\",0.02", "\"us\""), "c.json"), Catch::Contains("latency"));
  CHECK_THROWS_AS(parse_calibration(with("\"us\"", "\"parsec\""), "c.json"), InputError);
  CHECK_THROWS_AS(parse_calibration("{}", "c.json"), InputError);
}
