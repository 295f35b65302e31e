#pragma once

#include <algorithm>
#include <cctype>
#include <string>

namespace roofplan::model {

/// The text with the letters A to Z made small; other bytes stay.
inline std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace roofplan::model
