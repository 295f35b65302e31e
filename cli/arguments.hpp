#pragma once

#include "cli/verb.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofplan::cli {

/// The command line, split but not judged yet.
struct CommandLine {
  const Verb* verb = nullptr;
  std::vector<std::pair<const Option*, std::string>> options;  ///< in order for each option; empty for a flag
  std::vector<std::string> positionals;                        ///< of the verb
  std::vector<std::string> strays;                             ///< nobody takes these
};

/// The values of one command line, checked against the tables.
class Arguments {
 public:
  /// Throws InputError (usage): an unknown verb or flag with the nearest, a value out of range, an argument
  /// too many or missing, a flag given twice that does not repeat.
  explicit Arguments(const CommandLine& line);

  const Verb& verb() const { return *verb_; }
  bool has(std::string_view name) const { return !all(name).empty(); }
  std::vector<std::string> all(std::string_view name) const;
  std::optional<std::string> get(std::string_view name) const;
  std::string get_or(std::string_view name, std::string_view fallback) const;
  std::optional<std::int64_t> count(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  /// The amount of a quantity option in its own unit.
  std::optional<double> amount(std::string_view name) const;

  /// Everything given, in order, positional arguments first.
  const std::vector<std::pair<const Option*, std::string>>& given() const { return given_; }

 private:
  void take_positionals(const CommandLine& line);

  const Verb* verb_;
  std::vector<std::pair<const Option*, std::string>> given_;
};

}  // namespace roofplan::cli
