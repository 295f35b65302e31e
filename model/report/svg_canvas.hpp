#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model::report {

/// Draws the elements of one SVG picture; colours and line widths come from the page's style sheet (the
/// variables --s0 to --s5, the classes grid, axis, soft and event). Lengths are in units of the view box.
/// Same calls, same bytes.
class SvgCanvas {
 public:
  enum class Anchor { start, middle, end };

  SvgCanvas(double width, double height) : width_(width), height_(height) {}

  void line(double x1, double y1, double x2, double y2, std::string_view css_class);
  /// A line through all points; `dash` as in stroke-dasharray, empty for a solid one.
  void path(const std::vector<std::pair<double, double>>& points, std::size_t colour, std::string_view dash);
  void bar(double x, double y, double width, double height, std::size_t colour);
  void dot(double x, double y, std::size_t colour, bool filled);
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::start,
            std::string_view css_class = "");

  /// The whole element, which a screen reader calls `name`.
  std::string finish(std::string_view name) const;

 private:
  double width_, height_;
  std::string body_;
};

/// Width of a text as the canvas draws it, estimated: letters of the Latin alphabet 6, of the Korean 11.
double text_width(std::string_view text);

/// Round numbers from at most `low` to at least `high`: steps of 1, 2 or 5 times a power of ten, about
/// `wanted` of them. `high` > `low`.
std::vector<double> round_ticks(double low, double high, int wanted);
/// Powers of ten that enclose [low, high], with 2 and 5 between them where these are few. Both positive.
std::vector<double> logarithmic_ticks(double low, double high);

}  // namespace roofplan::model::report
