#pragma once

#include "model/report/chart.hpp"
#include "model/report/text_table.hpp"

#include <string>

namespace roofplan::model::report {

/// The chart as one SVG element that needs nothing beside itself but the page's style sheet. A chart without
/// any point is empty. Same chart, same bytes.
std::string svg_of(const Chart& chart, const TextTable& texts);

}  // namespace roofplan::model::report
