#include "model/calibration/kernels/kernel_chip.hpp"

#include "model/json/json.hpp"

#include <algorithm>
#include <string>

namespace roofplan::model {
namespace {

/// "rtx_pro_6000_server" -> "chips/rtx-pro-6000.json".
std::string chip_path(std::string_view system) {
  std::string id(system);
  std::replace(id.begin(), id.end(), '_', '-');
  constexpr std::string_view kEdition = "-server";
  if (id.ends_with(kEdition)) id.resize(id.size() - kEdition.size());
  return "chips/" + id + ".json";
}

std::optional<Json> chip_document(const DataFiles& files, std::string_view system) {
  const std::string path = chip_path(system);
  if (!files.contains(path)) return std::nullopt;
  return parse_json(files.text(path), files.shown_path(path));
}

/// The entry of a figure whose value is known, or nothing.
std::optional<JsonReader> known(const JsonReader& parent, std::string_view key) {
  const auto found = parent.find(key);
  return found && found->has("value") ? found : std::nullopt;
}

template <class Q>
std::optional<Q> figure(const JsonReader& parent, std::string_view key) {
  const auto found = known(parent, key);
  if (!found) return std::nullopt;
  return quantity_in<Q>(found->at("value").as_number(), found->at("unit").as_string());
}

std::optional<LawChip> read_chip(const JsonReader& chip, std::string_view rate) {
  const auto sm_count = known(chip, "sm_count");
  const auto memory = figure<BytesPerSecond>(chip, "memory_bandwidth");
  const auto rates = chip.find("dense_rate");
  if (!sm_count || !memory || !rates) return std::nullopt;
  auto matrix = figure<FlopPerSecond>(*rates, rate);
  if (!matrix) matrix = figure<FlopPerSecond>(*rates, "bf16");
  if (!matrix) return std::nullopt;
  return LawChip{.sm_count = static_cast<int>(sm_count->at("value").as_number()),
                 .memory_bandwidth = *memory,
                 .matrix_rate = *matrix,
                 .l2 = figure<Bytes>(chip, "l2").value_or(Bytes{})};
}

}  // namespace

std::optional<LawChip> kernel_chip(const DataFiles& files, std::string_view system, std::string_view rate) {
  const std::optional<Json> document = chip_document(files, system);
  return document ? read_chip(JsonReader(*document, files.shown_path(chip_path(system))), rate)
                  : std::nullopt;
}

bool l2_outlives_launch(const LawChip& chip) {
  return chip.l2 / chip.memory_bandwidth > 50 * unit::us;
}

std::string chip_family(const DataFiles& files, std::string_view system) {
  const std::optional<Json> document = chip_document(files, system);
  return document ? JsonReader(*document, files.shown_path(chip_path(system))).at("family").as_string()
                  : std::string();
}

}  // namespace roofplan::model
