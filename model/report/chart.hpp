#pragma once

#include "model/units/text.hpp"

#include <string>
#include <variant>
#include <vector>

namespace roofplan::model::report {

// Charts as values, neutral of any format. Every chart stands beside a table that holds its numbers, so that
// a format without pictures loses nothing.

struct Axis {
  Text label;  ///< what is measured, with its unit
  bool logarithmic = false;
};

struct ChartPoint {
  double x = 0, y = 0;
  std::string label;  ///< beside the point; may be empty
};

struct ChartSeries {
  /// Told apart by form as well as by colour.
  enum class Mark { line, dashed, dotted, dots, rings };

  Text name;
  Mark mark = Mark::line;
  std::vector<ChartPoint> points;  ///< lines: by rising x
};

/// An upright line at one x, such as a break-even.
struct ChartEvent {
  double x = 0;
  Text label;
};

/// Lines or points over two axes. On a logarithmic axis all numbers are positive.
struct XyChart {
  Text title;
  Axis x, y;
  std::vector<ChartSeries> series;
  std::vector<ChartEvent> events;
};

/// Lying bars, each made of parts that add up.
struct BarChart {
  struct Row {
    Text name;
    std::vector<double> parts;  ///< one a series, not negative
    std::string total;          ///< behind the bar, with its unit
  };

  Text title;
  Axis axis;
  std::vector<Text> series;
  std::vector<Row> rows;
};

/// Lying bars from a low to a high value about a base: what a result does when one thing changes.
struct RangeChart {
  struct Row {
    Text name;
    double low = 0, high = 0;
    std::string low_text, high_text;
  };

  Text title;
  Axis axis;
  double base = 0;
  std::vector<Row> rows;
};

using Chart = std::variant<XyChart, BarChart, RangeChart>;

}  // namespace roofplan::model::report
