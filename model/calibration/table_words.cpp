#include "model/calibration/table_words.hpp"

#include "model/units/lower_case.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <regex>

namespace roofplan::model {
namespace {

std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

double number(const std::ssub_match& digits) {
  const std::string text = digits.str();
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string model_word(const ModelCatalog& models, const std::string& name) {
  const std::string first = name.substr(0, name.find(' '));
  const std::string plain = name.substr(0, name.find(" ("));
  for (const std::string& candidate : {name, plain, first, without(name, "-qat"), without(first, "-Coder"),
                                       without(name, " QAT"), without(plain, " chat")})
    if (models.contains(candidate)) return candidate;
  return {};
}

std::string engine_word(const std::string& words) {
  const std::string word = lower_case(words);
  if (word.starts_with("llama.cpp") && word.find("rpc") == std::string::npos) return "llama.cpp";
  if (word.starts_with("vllm") && word.find("localai") == std::string::npos) return "vllm";
  if (word.starts_with("sglang")) return "sglang";
  if (word.starts_with("tensorrt-llm")) return "trtllm";
  return {};
}

std::string format_word(const std::string& quant, const std::string& engine) {
  std::string word = lower_case(quant);
  if (word.starts_with("mxfp4")) {
    if (lower_case(engine).find("mxfp4 fork") != std::string::npos) return "mxfp4";
    return engine_word(engine) == "llama.cpp" ? "mxfp4_moe" : "native";
  }
  if (word.starts_with("ud-")) word = word.substr(3);
  if (word == "q4_k" || word == "q4_k_xl") return "q4_k_m";
  if (word == "q8" || word == "q8_k_xl") return "q8_0";
  return word;
}

std::string served_format(const Architecture& model, const std::string& precision) {
  const std::string word = lower_case(precision);
  const std::string& native = model.native.of(TensorClass::expert);
  if (word == "bf16" || word == "fp16") return "bf16";
  if (native.starts_with("mxfp4") || (word == "fp8" && native.starts_with("fp8"))) return "native";
  return word == "fp4" ? "nvfp4" : word;
}

std::optional<Bytes> size_in(std::string_view text) {
  static const std::regex kSize(R"((\d+(?:\.\d+)?) ?([KMG])(i?)B\b)");
  const std::string words(text);
  std::smatch match;
  if (!std::regex_search(words, match, kSize)) return std::nullopt;
  const double base = match[3].length() > 0 ? 1024 : 1000;
  const double power = match[2] == "K" ? 1 : match[2] == "M" ? 2 : 3;
  return number(match[1]) * std::pow(base, power) * unit::B;
}

std::optional<GemmShape> shape_in(std::string_view text) {
  static const std::regex kNamed(R"(m=(\d+) n=(\d+) k=(\d+))"), kProduct(R"((\d+)x(\d+)x(\d+))");
  const std::string words(text);
  std::smatch match;
  if (!std::regex_search(words, match, kNamed) && !std::regex_search(words, match, kProduct))
    return std::nullopt;
  return GemmShape{number(match[1]), number(match[2]), number(match[3])};
}

std::optional<Collective> collective_in(std::string_view text) {
  constexpr std::array kWords{
      std::pair("all_reduce", Collective::all_reduce), std::pair("all_gather", Collective::all_gather),
      std::pair("reduce_scatter", Collective::reduce_scatter), std::pair("alltoall", Collective::all_to_all)};
  for (const auto& [word, collective] : kWords)
    if (text.find(word) != std::string_view::npos) return collective;
  return std::nullopt;
}

std::optional<double> concurrency_in(std::string_view text) {
  static const std::regex kOpen(R"(^(?:conc )?(\d+)$)");
  const std::string words(text);
  std::smatch match;
  if (!std::regex_match(words, match, kOpen)) return std::nullopt;
  return number(match[1]);
}

}  // namespace roofplan::model
