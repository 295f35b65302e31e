#include "model/llm/files/quant_config.hpp"

#include "model/json/json.hpp"
#include "model/units/lower_case.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

constexpr std::int64_t kMostBits = 64;
constexpr std::int64_t kLargestGroup = std::int64_t{1} << 24;

/// A whole number under one of two names; GPTQ writes group_size -1 for one group a row.
std::int64_t number_of(const JsonReader& object, std::string_view key, std::string_view other,
                       std::int64_t most) {
  auto found = object.find(key);
  if (!found) found = object.find(other);
  return found ? std::max<std::int64_t>(found->as_integer(-1, most), 0) : 0;
}

std::string word_of(const JsonReader& object, std::string_view key) {
  const auto found = object.find(key);
  return found && found->is_string() ? found->as_string() : std::string();
}

QuantGroup group_of(const JsonReader& object) {
  QuantGroup group;
  group.bits = number_of(object, "num_bits", "bits", kMostBits);
  if (group.bits == 0) group.bits = number_of(object, "w_bit", "weight_bits", kMostBits);
  group.group_size = number_of(object, "group_size", "q_group_size", kLargestGroup);
  group.kind = word_of(object, "type");
  if (group.kind.empty()) group.kind = word_of(object, "mode");
  return group;
}

void add_groups(QuantConfig& config, const JsonReader& groups) {
  for (const auto& [name, entry] : groups.members()) {
    const auto weights = entry.is_object() ? entry.find("weights") : std::nullopt;
    if (!weights || !weights->is_object()) continue;
    QuantGroup group = group_of(*weights);
    if (const auto targets = entry.find("targets"); targets && targets->is_array()) {
      for (const JsonReader& target : targets->elements()) {
        if (target.is_string()) group.targets.push_back(target.as_string());
      }
    }
    config.groups.push_back(std::move(group));
  }
}

/// MLX writes exceptions as members named after the module.
void add_modules(QuantConfig& config, const JsonReader& object) {
  for (const auto& [name, entry] : object.members()) {
    if (entry.is_object() && entry.has("bits")) config.by_module.emplace(name, group_of(entry));
  }
}

/// The object under one of the names, at the top or nested in a part of a multimodal config.
std::optional<JsonReader> find_nested(const JsonReader& object, const std::vector<std::string_view>& names,
                                      int depth) {
  for (const std::string_view name : names) {
    if (auto found = object.find(name); found && found->is_object()) return found;
  }
  if (depth == 0) return std::nullopt;
  for (const auto& [key, member] : object.members()) {
    if (!member.is_object() || !key.ends_with("config")) continue;
    if (auto found = find_nested(member, names, depth - 1)) return found;
  }
  return std::nullopt;
}

std::string kv_format_of(const std::string& algorithm) {
  const std::string word = lower_case(algorithm);
  return word == "none" ? std::string() : word;
}

}  // namespace

QuantConfig parse_quant_config(std::string_view text, const std::string& file) {
  constexpr int kDeepest = 3;
  const Json document = parse_json(text, file, {.bare_infinity = true});
  const JsonReader root(document, file);
  QuantConfig config;
  if (!root.is_object()) root.fail("this is no object", "an object");
  const auto found =
      find_nested(root, {"quantization_config", "compression_config", "quantization"}, kDeepest);
  if (!found) return config;
  config.method = lower_case(word_of(*found, "quant_method"));
  if (const auto groups = found->find("config_groups"); groups && groups->is_object()) {
    add_groups(config, *groups);
  } else if (found->has("bits") || found->has("w_bit")) {
    config.groups.push_back(group_of(*found));
  }
  add_modules(config, *found);
  if (config.method.empty() && found->has("bits")) config.method = "mlx";
  if (const auto kv = found->find("kv_cache_scheme"); kv && kv->is_object()) {
    const QuantGroup scheme = group_of(*kv);
    if (scheme.bits == 8) config.kv_format = scheme.kind == "int" ? "int8" : "fp8";
  }
  return config;
}

void add_hf_quant_config(QuantConfig& config, std::string_view text, const std::string& file) {
  const Json document = parse_json(text, file);
  const JsonReader root(document, file);
  if (!root.is_object()) root.fail("this is no object", "an object");
  const auto nested = root.find("quantization");
  const JsonReader object = nested && nested->is_object() ? *nested : root;
  if (config.method.empty()) config.method = "modelopt";
  if (config.kv_format.empty()) config.kv_format = kv_format_of(word_of(object, "kv_cache_quant_algo"));
  const std::string algorithm = lower_case(word_of(object, "quant_algo"));
  if (!config.groups.empty() || algorithm.empty()) return;
  QuantGroup group = group_of(object);
  group.kind = algorithm;
  if (algorithm.find("fp4") != std::string::npos || algorithm.find("int4") != std::string::npos ||
      algorithm.starts_with("w4")) {
    group.bits = 4;
  } else if (algorithm.find('8') != std::string::npos) {
    group.bits = 8;
  }
  config.groups.push_back(std::move(group));
}

}  // namespace roofplan::model
