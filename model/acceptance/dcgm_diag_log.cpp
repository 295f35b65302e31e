#include "model/acceptance/json_log.hpp"
#include "model/json/json.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

std::string text_of(const JsonReader& value) {
  if (value.is_string()) return value.as_string();
  return value.is_number() ? std::to_string(static_cast<long long>(value.as_number())) : std::string();
}

std::string text_at(const JsonReader& object, std::string_view key) {
  const auto found = object.find(key);
  return found ? text_of(*found) : std::string();
}

/// Warnings are a text, a list of texts, or (DCGM 4) a list of objects with the text under "warning".
std::string warning_of(const JsonReader& result) {
  const auto warnings = result.find("warnings");
  if (!warnings) return {};
  if (!warnings->is_array()) return text_of(*warnings);
  for (const JsonReader& entry : warnings->elements()) {
    const std::string text = entry.is_object() ? text_at(entry, "warning") : text_of(entry);
    if (!text.empty()) return text;
  }
  return {};
}

/// "gpu_id", "gpu_ids" (DCGM 3) or "entity_id" (DCGM 4).
std::string gpu_of(const JsonReader& result) {
  for (const char* key : {"entity_id", "gpu_id", "gpu_ids"}) {
    if (std::string gpu = text_at(result, key); !gpu.empty()) return gpu;
  }
  return {};
}

void read_test(const JsonReader& test, const ReadingDesk& desk, long line) {
  constexpr std::size_t kMost = 500'000;
  const std::string name = text_at(test, "name");
  const auto results = test.find("results");
  if (name.empty() || !results || !results->is_array())
    test.fail("a test without results", "name and results");
  for (const JsonReader& result : results->elements()) {
    if (!result.is_object() || desk.evidence->diagnostics.size() >= kMost) continue;
    std::string warning = warning_of(result).substr(0, 300);
    std::replace(warning.begin(), warning.end(), '\n', ' ');
    desk.evidence->diagnostics.push_back(
        {desk.place(line), name, gpu_of(result), text_at(result, "status"), std::move(warning)});
  }
}

}  // namespace

void read_dcgm_diag(const JsonReader& root, const ReadingDesk& desk, long line) {
  const auto diagnostic =
      root.has("DCGM Diagnostic") ? root.at("DCGM Diagnostic") : root.at("DCGM GPU Diagnostic");
  const std::string failure = text_at(diagnostic, "runtime_error");
  if (!failure.empty())
    desk.evidence->diagnostics.push_back({desk.place(line), "runtime", {}, "Fail", failure.substr(0, 300)});
  if (const auto categories = diagnostic.find("test_categories")) {
    for (const JsonReader& category : categories->elements()) {
      for (const JsonReader& test : category.at("tests").elements()) read_test(test, desk, line);
    }
  } else if (failure.empty()) {
    diagnostic.fail("a diagnostic without results", "test_categories");
  }
  for (const JsonReader* place : {&root, &diagnostic}) {
    const auto metadata = place->find("metadata");
    const std::string driver = text_at(metadata ? *metadata : *place, "Driver Version Detected");
    if (driver.empty()) continue;
    DeviceReading reading;
    reading.place = desk.place(line);
    reading.driver = driver;
    desk.evidence->add(reading);
  }
}

}  // namespace roofplan::model
