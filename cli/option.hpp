#pragma once

#include "model/catalog/scenario.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::cli {

/// A flag or a positional argument, as data. The parser, --help, the completion scripts and the manual page
/// are all made from these tables.
struct Option {
  enum class Kind {
    flag,      ///< takes no value
    count,     ///< a whole number in [low, high]
    degree,    ///< a count, or "auto"
    number,    ///< a number in [low, high]
    quantity,  ///< a number with a unit, or in `unit` without one
    word,      ///< one of `words`
    onoff,     ///< "on" or "off"
    list,      ///< words or names with commas between
    path,      ///< a file or folder
    text,      ///< anything
  };
  /// What a shell may offer for the value, beyond `words`.
  enum class Offer { nothing, files, folders, models, systems, formats, engines, samples, verbs };

  std::string name;  ///< "system" for --system; in capitals for a positional argument
  char short_name = 0;
  Kind kind = Kind::text;
  std::string value_name;  ///< what --help shows for the value, "S"
  std::string help;
  std::string default_text;
  std::string unit;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string> words;
  bool repeated = false;
  bool required = false;
  std::string path;  ///< the field of the scenario that it sets, or empty
  /// Sets more than one field; used in place of `path` where given.
  void (*apply)(model::Scenario&, const std::string&) = nullptr;
  Offer offer = Offer::nothing;

  Option& short_as(char c) { return short_name = c, *this; }
  Option& value(std::string n) { return value_name = std::move(n), *this; }
  Option& says(std::string text) { return help = std::move(text), *this; }
  Option& offers(Offer o) { return offer = o, *this; }
  Option& many() { return repeated = true, *this; }
  Option& needed() { return required = true, *this; }
  Option& applied_by(void (*f)(model::Scenario&, const std::string&)) { return apply = f, *this; }

  /// "--system", or the name itself of a positional argument.
  std::string shown_name() const;
  bool takes_value() const { return kind != Kind::flag; }
};

/// A flag or argument that sets a field of the scenario; kind, range, words, unit, help and default come from
/// the description of the field.
Option field(std::string name, std::string_view path);
Option flag(std::string name, std::string help);
Option count(std::string name, std::string help, double low = 1, double high = 1e15);
Option number(std::string name, std::string help, double low, double high);
Option quantity(std::string name, std::string help, std::string unit, double low = 0, double high = 1e18);
Option word(std::string name, std::string help, std::vector<std::string> words);
Option list(std::string name, std::string help);
Option path(std::string name, std::string help);
Option text(std::string name, std::string help);

/// Checks the value against kind, range and words. Throws InputError (usage) that names the option.
void check_value(const Option& option, const std::string& value);

/// The amount of a quantity in the option's unit; a bare number is in that unit already.
double amount_in_unit(const Option& option, const std::string& value);

/// The value as set_field takes it: counts without separators, lists and on/off as JSON.
std::string field_value(const Option& option, const std::string& value);

/// The words of "a,b,c"; empty parts are refused (usage).
std::vector<std::string> split_list(std::string_view text);

}  // namespace roofplan::cli
