#pragma once

#include <string>
#include <string_view>

namespace roofplan::model::report {

/// Text as the content of an HTML or SVG element, or of an attribute in double quotes.
std::string html_escaped(std::string_view text);

/// The style sheet of every page: screen in light and dark, and A4 on paper.
std::string_view html_style();

}  // namespace roofplan::model::report
