#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model::hf {

/// Whether `text` matches `pattern`, where * stands for any run of characters and ? for one.
/// Time is at most the product of the lengths.
bool glob_match(std::string_view pattern, std::string_view text);

/// An entry of an ignore list (modules_to_not_convert, exclude_modules, ignore) as globs: plain names and
/// globs match whole modules at dots; "re:" patterns know ., .*, \., anchors and groups of alternatives.
/// Prefixes of the whole model ("model.", "model.language_model.", "backbone.") are left out.
class ModulePattern {
 public:
  explicit ModulePattern(std::string_view entry);

  /// False when a "re:" pattern uses more than is known; such an entry matches nothing.
  bool understood() const { return understood_; }
  /// `module` without the model's prefix, e.g. "layers.3.mlp.gate" or "lm_head".
  bool matches(std::string_view module) const;

 private:
  std::vector<std::string> globs_;
  bool understood_ = true;
};

}  // namespace roofplan::model::hf
