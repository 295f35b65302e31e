#include "model/catalog/field_table.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace roofplan::model;

TEST_CASE("every field of the table can be set by its path to its default", "[scenario]") {
  for (const FieldInfo& field : scenario_field_table()) {
    if (field.default_text.empty()) continue;
    INFO(field.path << " = " << field.default_text);
    const bool boolean = field.type == FieldInfo::Type::boolean;
    Scenario scenario;
    CHECK_NOTHROW(set_field(scenario, field.path,
                            boolean ? (field.default_text == "on" ? "true" : "false") : field.default_text));
  }
}

TEST_CASE("the table has every section once and knows types, ranges and words", "[scenario]") {
  std::set<std::string> paths;
  for (const FieldInfo& field : scenario_field_table()) {
    INFO(field.path);
    CHECK(paths.insert(field.path).second);
    CHECK(!field.spec.help.empty());
    CHECK((field.type == FieldInfo::Type::word) == !field.spec.words.empty());
  }
  CHECK(scenario_field("system.count").type == FieldInfo::Type::integer);
  CHECK(scenario_field("system.count").default_text == "1");
  CHECK(scenario_field("parallel.tp").type == FieldInfo::Type::degree);
  CHECK(scenario_field("limits.power_w").spec.unit == "W");
  CHECK(scenario_field("disagg.prefill.parallel.tp").default_text == "auto");
  CHECK(scenario_field("limits.systems").type == FieldInfo::Type::list);
  CHECK_THROWS_WITH(scenario_field("system.cont"), Catch::Contains("system.count"));
}
