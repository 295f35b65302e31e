#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/units/error.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace roofplan::model {

/// The words of an enumeration, in its order.
template <std::size_t N>
using Words = std::array<std::string_view, N>;

template <class Enum, std::size_t N>
std::string word(const Words<N>& words, Enum value) {
  return std::string(words[static_cast<std::size_t>(value)]);
}

/// The discrete structure of a law as it was read. Errors are InputError (content).
class Choices {
 public:
  explicit Choices(const CalibratedLaw& law) : law_(law) {}

  bool has(std::string_view name) const { return !law_.choice(name).empty(); }

  int whole(std::string_view name) const {
    const std::string text = law_.choice(name);
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) fail(name, text, "a whole number");
    return value;
  }

  template <class Enum, std::size_t N>
  Enum one_of(std::string_view name, const Words<N>& words) const {
    const std::string text = law_.choice(name);
    std::string expected;
    for (std::size_t i = 0; i < N; ++i) {
      if (words[i] == text) return static_cast<Enum>(i);
      expected += (i ? ", " : "") + std::string(words[i]);
    }
    fail(name, text, "one of " + expected);
  }

  bool flag(std::string_view name) const { return law_.choice(name) == "yes"; }

 private:
  [[noreturn]] void fail(std::string_view name, const std::string& text, const std::string& expected) const {
    throw InputError(InputError::Kind::content,
                     "the law " + law_.law + " has the choice " + std::string(name) + " \"" + text + "\"",
                     expected);
  }

  const CalibratedLaw& law_;
};

inline std::string yes_or_no(bool value) {
  return value ? "yes" : "no";
}

}  // namespace roofplan::model
