#include "model/report/svg_canvas.hpp"

#include "model/report/html_text.hpp"
#include "model/report/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model::report {
namespace {

constexpr std::size_t kColours = 6;

std::string class_attribute(std::string_view css_class) {
  return css_class.empty() ? "" : fmt::format(" class=\"{}\"", css_class);
}

}  // namespace

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"{}/>\n", x1, y1, x2, y2,
                       class_attribute(css_class));
}

void SvgCanvas::path(const std::vector<std::pair<double, double>>& points, std::size_t colour,
                     std::string_view dash) {
  std::string list;
  for (const auto& [x, y] : points) list += fmt::format("{}{:.1f},{:.1f}", list.empty() ? "" : " ", x, y);
  const std::string dashes = dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash);
  body_ +=
      fmt::format("<polyline points=\"{}\" style=\"fill:none;stroke:var(--s{})\" stroke-width=\"2\"{}/>\n",
                  list, colour % kColours, dashes);
}

void SvgCanvas::bar(double x, double y, double width, double height, std::size_t colour) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" style=\"fill:var(--s{})\"/>\n", x,
      y, std::max(0.0, width), height, colour % kColours);
}

void SvgCanvas::dot(double x, double y, std::size_t colour, bool filled) {
  body_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" style=\"fill:{};stroke:var(--s{})\" "
      "stroke-width=\"1.5\"/>\n",
      x, y, filled ? fmt::format("var(--s{})", colour % kColours) : "none", colour % kColours);
}

void SvgCanvas::text(double x, double y, std::string_view text, Anchor anchor, std::string_view css_class) {
  const char* where = anchor == Anchor::end ? " text-anchor=\"end\"" : "";
  if (anchor == Anchor::middle) where = " text-anchor=\"middle\"";
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}{}>{}</text>\n", x, y, where,
                       class_attribute(css_class), html_escaped(text));
}

std::string SvgCanvas::finish(std::string_view name) const {
  return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n", width_,
                     height_, html_escaped(name), body_);
}

double text_width(std::string_view text) {
  constexpr double kLatin = 6.0, kColumn = 5.5;
  const int columns = display_width(text);
  const bool wide = columns > 0 && static_cast<std::size_t>(columns) < text.size();
  return columns * (wide ? kColumn : kLatin);
}

std::vector<double> round_ticks(double low, double high, int wanted) {
  const double raw = (high - low) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= raw * (1 - 1e-9)) step = factor * power;
  std::vector<double> out;
  const double first = std::floor(low / step + 1e-9);
  for (double n = first; (n - 1) * step < high * (1 - 1e-12) || n == first; n += 1) out.push_back(n * step);
  return out;
}

std::vector<double> logarithmic_ticks(double low, double high) {
  const double first = std::floor(std::log10(low) + 1e-9), last = std::ceil(std::log10(high) - 1e-9);
  constexpr double kFewDecades = 3;
  const bool between = last - first <= kFewDecades;
  std::vector<double> out;
  for (double decade = first; decade <= last; decade += 1) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, decade);
      if (factor > 1 && (!between || decade == last)) continue;
      out.push_back(tick);
    }
  }
  // An axis begins and ends at the marks next to its numbers.
  while (out.size() > 2 && out[1] <= low) out.erase(out.begin());
  while (out.size() > 2 && out[out.size() - 2] >= high) out.pop_back();
  if (out.size() < 2) out.push_back(out.front() * 10);
  return out;
}

}  // namespace roofplan::model::report
