#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {
class JsonReader;
}

namespace roofplan::model::hf {

inline constexpr std::int64_t kMostLayers = 10'000;
inline constexpr std::int64_t kMostWidth = std::int64_t{1} << 26;   ///< of a vector or matrix side
inline constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;  ///< of a context

/// A config.json with the text model's part unwrapped. Keys are looked up by all spellings in use, in the
/// text part unless said; a dot descends ("ffn_config.moe_top_k"). Values out of range throw InputError.
class Config {
 public:
  using Names = std::initializer_list<std::string_view>;

  Config(const JsonReader& root, const JsonReader& text) : root_(&root), text_(&text) {}

  const JsonReader& root() const { return *root_; }
  const JsonReader& text() const { return *text_; }

  std::optional<JsonReader> find(std::string_view path) const;
  /// In the text part, else in the outer one.
  std::optional<JsonReader> find_anywhere(std::string_view path) const;
  bool has(std::string_view path) const;

  std::optional<std::int64_t> count(Names names, std::int64_t most = kMostWidth) const;
  std::int64_t required(Names names, std::int64_t most = kMostWidth) const;
  std::int64_t count_or(Names names, std::int64_t otherwise, std::int64_t most = kMostWidth) const;
  std::optional<bool> flag(Names names) const;
  bool is_set(Names names) const { return flag(names).value_or(false); }
  std::optional<std::string> word(Names names) const;
  std::vector<std::int64_t> counts(std::string_view path, std::int64_t most = kMostWidth) const;
  std::vector<std::string> words(std::string_view path) const;

  [[noreturn]] void fail(std::string_view path, std::string message, std::string expected = {}) const;

 private:
  const JsonReader* root_;
  const JsonReader* text_;
};

/// The innermost text model of a multimodal config: text_config, llm_config, thinker_config.text_config...
JsonReader text_part(const JsonReader& root);

/// The first entry of "architectures", or nothing.
std::optional<std::string> class_name(const JsonReader& config);

}  // namespace roofplan::model::hf
