#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// Letters and digits in lower case, all else dropped; but two numbers stay apart ("qwen3-1.7b" is not
/// "qwen3-17b").
std::string fold_model_name(std::string_view name);

/// Names of models and what they stand for: an entry of the catalogue and a release of it.
class ModelNames {
 public:
  struct Target {
    std::size_t entry = 0;
    int release = -1;  ///< -1: the entry itself

    bool operator==(const Target&) const = default;
  };
  struct Match {
    Target target;
    std::string format_word;  ///< "fp8" where the name carried a format that no release of that name has
  };

  /// Adds a name; false when it already means something else.
  bool add(std::string_view name, Target target);
  /// The whole name, then without parentheses and the owner before a '/', then without words such as
  /// Instruct, it, chat, hf, Base, LoRA and without a format at its end. Nothing where none is known.
  std::optional<Match> find(std::string_view name) const;
  /// What a folded name means, exactly.
  std::optional<Target> find_exact(std::string_view name) const;

 private:
  std::map<std::string, Target, std::less<>> targets_;
};

}  // namespace roofplan::model
