#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model::report {

/// The text with every malformed byte replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

/// Columns of a terminal that a text takes: Hangul, Han and Kana letters count two, combining marks none.
int display_width(std::string_view text);

/// Breaks a text at spaces into lines of at most `width` columns; a longer word keeps a line of its own. A
/// width below 1 means no limit.
std::vector<std::string> wrapped(std::string_view text, int width);

/// The text cut to `width` columns with an ellipsis where it is longer.
std::string clipped(std::string_view text, int width);

}  // namespace roofplan::model::report
