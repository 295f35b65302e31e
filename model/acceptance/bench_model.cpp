#include "model/acceptance/bench_model.hpp"

#include "model/units/lower_case.hpp"

#include <algorithm>
#include <regex>

namespace roofplan::model {
namespace {

/// "q4_k_m" of a name's end, and the name without it.
std::string take_format(std::string& name) {
  static const std::regex kFormat(
      R"([-_. ]((?:i?q[1-8](?:_[0-9a-z]+)*)|mxfp4|bf16|f16|f32|fp16)(?:[-_ ]moe)?$)");
  std::smatch found;
  if (!std::regex_search(name, found, kFormat)) return {};
  std::string format = found[1];
  name.erase(static_cast<std::size_t>(found.position(0)));
  if (format == "f16") format = "fp16";
  return format;
}

/// "llama 8B Q4_K - Medium" names its mix in words.
std::string format_of_kind(std::string kind) {
  kind = lower_case(std::move(kind));
  std::string suffix;
  for (const auto& [word, letter] :
       {std::pair{" - small", "_s"}, std::pair{" - medium", "_m"}, std::pair{" - large", "_l"}}) {
    if (!kind.ends_with(word)) continue;
    kind.erase(kind.size() - std::string_view(word).size());
    suffix = letter;
  }
  const std::string format = take_format(kind);
  return format.empty() ? format : format + suffix;
}

/// The longest run of the name's words from its start that the catalogue knows.
std::string known_name(std::string name, const ModelCatalog& models) {
  if (name.starts_with("meta-")) name.erase(0, 5);
  std::replace(name.begin(), name.end(), ' ', '-');
  while (!name.empty()) {
    if (models.contains(name)) return name;
    const std::size_t cut = name.find_last_of("-_");
    if (cut == std::string::npos) return {};
    name.erase(cut);
  }
  return {};
}

}  // namespace

BenchModel bench_model(const EngineRate& rate, const ModelCatalog& models) {
  constexpr std::size_t kLongest = 256;
  std::string name = lower_case(rate.model.substr(rate.model.find_last_of("/\\") + 1)).substr(0, kLongest);
  if (name.ends_with(".gguf")) name.erase(name.size() - 5);
  static const std::regex kPart(R"(-\d{5}-of-\d{5}$)");
  name = std::regex_replace(name, kPart, "");
  BenchModel found;
  found.format = take_format(name);
  if (found.format.empty()) found.format = format_of_kind(rate.kind.substr(0, kLongest));
  found.model = known_name(name, models);
  if (found.model.empty()) found.model = known_name(lower_case(rate.kind).substr(0, kLongest), models);
  return found;
}

}  // namespace roofplan::model
