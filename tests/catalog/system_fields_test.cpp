#include "model/catalog/system_fields.hpp"

#include "tests/catalog/shipped_systems.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace roofplan::model;

namespace {

const SystemField& field(const std::vector<SystemField>& fields, const std::string& path) {
  const auto it = std::find_if(fields.begin(), fields.end(),
                               [&](const SystemField& candidate) { return candidate.path == path; });
  INFO(path);
  REQUIRE(it != fields.end());
  return *it;
}

}  // namespace

TEST_CASE("The field list shows value, unit, source and kind as the data file has them", "[catalog]") {
  const auto fields = list_fields(shipped("dgx-b300"), shipped_systems().sources());
  const SystemField& peak = field(fields, "power_peak");
  CHECK(*peak.value.number == 19);
  CHECK(peak.value.unit == "kW");
  CHECK(peak.value.source == "nvidia-dgx-b300-best-practices");
  CHECK(peak.value.kind == "datasheet");
  CHECK(peak.value.tier == "transcribed");
  const SystemField& visible = field(fields, "chip.memory_visible");
  CHECK(*visible.value.number == 275040);
  CHECK(visible.value.unit == "MiB");
  CHECK(visible.value.kind == "measured");
  CHECK(field(fields, "texts.cpu").value.text == "2x Intel Xeon 6776P");
  CHECK(field(fields, "chip.dense_rate.int8").value.number == 153.5);
}

TEST_CASE("The field list shows ranges in the unit of the value, and what else was read", "[catalog]") {
  const auto fields = list_fields(shipped("gb10"), shipped_systems().sources());
  const SystemField& reserved = field(fields, "reserved");
  CHECK(*reserved.value.number == 20.2);
  CHECK(reserved.value.unit == "GiB");
  CHECK(*reserved.low == Approx(15.8));
  CHECK(*reserved.high == Approx(21.9));
  CHECK(reserved.alternatives.size() >= 2);
  const SystemField& power = field(fields, "power_peak");
  CHECK(*power.low == Approx(188));
  CHECK(*power.high == Approx(208));
}

TEST_CASE("Every field of every system has a value with a source, or a reason", "[catalog]") {
  for (const std::string& id : shipped_systems().ids()) {
    for (const SystemField& f : list_fields(shipped(id), shipped_systems().sources())) {
      INFO(id << " " << f.path);
      const bool known = f.value.number.has_value() || !f.value.text.empty();
      CHECK(known == f.unknown_reason.empty());
      if (known) {
        CHECK(!f.value.source.empty());
        CHECK(!f.value.kind.empty());
      }
    }
  }
}
