#include "model/report/svg_chart.hpp"

#include "model/report/numbers.hpp"
#include "model/report/svg_canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace roofplan::model::report {
namespace {

using Anchor = SvgCanvas::Anchor;
using Mark = ChartSeries::Mark;

constexpr double kWidth = 720, kLeft = 74, kRight = 20, kTop = 34, kPlot = 250, kBottom = 46;
constexpr double kRow = 26, kBarHeight = 16, kLine = 14;

/// Numbers onto a length of the picture.
struct Scale {
  std::vector<double> ticks;
  double from = 0, to = 1;
  bool logarithmic = false;

  double at(double value) const {
    const auto place = [&](double v) { return logarithmic ? std::log10(v) : v; };
    const double low = place(ticks.front()), high = place(ticks.back());
    return from + (place(value) - low) / (high - low) * (to - from);
  }
};

Scale scale_of(double low, double high, bool logarithmic, int wanted, double from, double to) {
  if (!(high > low)) high = low == 0 ? 1 : low + std::abs(low);
  return {logarithmic ? logarithmic_ticks(low, high) : round_ticks(low, high, wanted), from, to, logarithmic};
}

/// Names of series in a row above the plot, broken where the row is full.
class Legend {
 public:
  explicit Legend(SvgCanvas& canvas) : canvas_(canvas) {}

  void add(const std::string& name, std::size_t colour, Mark mark, bool bar) {
    constexpr double kSample = 24, kGap = 18;
    const double width = kSample + text_width(name) + kGap;
    if (x_ > kLeft && x_ + width > kWidth) x_ = kLeft, y_ += kLine;
    if (bar) {
      canvas_.bar(x_, y_ - 9, 16, 10, colour);
    } else if (mark == Mark::dots || mark == Mark::rings) {
      canvas_.dot(x_ + 8, y_ - 4, colour, mark == Mark::dots);
    } else {
      canvas_.path({{x_, y_ - 4}, {x_ + 18, y_ - 4}}, colour, dash_of(mark));
    }
    canvas_.text(x_ + kSample, y_, name);
    x_ += width;
  }
  static const char* dash_of(Mark mark) {
    if (mark == Mark::dashed) return "7 4";
    return mark == Mark::dotted ? "2 3" : "";
  }

 private:
  SvgCanvas& canvas_;
  double x_ = kLeft, y_ = 12;
};

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Labels of points, each where it overlaps none before it; one that finds no place is left out.
class Labels {
 public:
  explicit Labels(SvgCanvas& canvas) : canvas_(canvas) {}

  void occupy(double x, double y) { taken_.push_back({x - 5, y - 5, x + 5, y + 5}); }
  void add(double x, double y, const std::string& label) {
    if (label.empty()) return;
    const double w = text_width(label);
    const Place places[] = {{x + 8, y + 4, Anchor::start},
                            {x - 8, y + 4, Anchor::end},
                            {x, y - 8, Anchor::middle},
                            {x, y + 16, Anchor::middle}};
    for (const Place& p : places) {
      const double left = p.anchor == Anchor::start ? p.x : p.anchor == Anchor::end ? p.x - w : p.x - w / 2;
      const Box box{left, p.y - 10, left + w, p.y + 2};
      if (left < 2 || left + w > kWidth - 2 || overlaps(box)) continue;
      taken_.push_back(box);
      canvas_.text(p.x, p.y, label, p.anchor);
      return;
    }
  }

 private:
  struct Place {
    double x, y;
    Anchor anchor;
  };
  struct Box {
    double x1, y1, x2, y2;
  };
  bool overlaps(const Box& a) const {
    return std::any_of(taken_.begin(), taken_.end(), [&](const Box& b) {
      return a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
    });
  }
  SvgCanvas& canvas_;
  std::vector<Box> taken_;
};

void draw_axes(SvgCanvas& canvas, const Scale& x, const Scale& y, const std::string& x_name,
               const std::string& y_name) {
  for (const double tick : y.ticks) {
    canvas.line(kLeft, y.at(tick), kWidth - kRight, y.at(tick), "grid");
    canvas.text(kLeft - 6, y.at(tick) + 4, number_text(tick), Anchor::end, "soft");
  }
  canvas.line(kLeft, y.from, kWidth - kRight, y.from, "axis");
  for (const double tick : x.ticks) {
    canvas.line(x.at(tick), y.from, x.at(tick), y.from + 4, "axis");
    canvas.text(x.at(tick), y.from + 17, number_text(tick), Anchor::middle, "soft");
  }
  canvas.text(kWidth - kRight, y.from + 34, x_name, Anchor::end, "soft");
  canvas.text(4, y.to - 8, y_name, Anchor::start, "soft");
}

double legend_height(const std::vector<ChartSeries>& series, const TextTable& texts) {
  double width = 0;
  for (const ChartSeries& one : series) width += 42 + text_width(texts.of(one.name));
  return kLine * std::ceil(width / (kWidth - kLeft - 40));
}

std::string draw(const XyChart& chart, const TextTable& texts) {
  Extent across, up;
  for (const ChartSeries& one : chart.series)
    for (const ChartPoint& p : one.points) across.add(p.x), up.add(p.y);
  if (!(across.high >= across.low)) return {};
  for (const ChartEvent& event : chart.events) across.add(event.x);
  const double top = kTop + legend_height(chart.series, texts);
  SvgCanvas canvas(kWidth, top + kPlot + kBottom);
  const Scale x = scale_of(across.low, across.high, chart.x.logarithmic, 8, kLeft, kWidth - kRight);
  const Scale y = scale_of(chart.y.logarithmic ? up.low : std::min(0.0, up.low), up.high, chart.y.logarithmic,
                           5, top + kPlot, top);
  draw_axes(canvas, x, y, texts.of(chart.x.label), texts.of(chart.y.label));
  Legend legend(canvas);
  Labels labels(canvas);
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& one = chart.series[i];
    if (!one.name.empty()) legend.add(texts.of(one.name), i, one.mark, false);
    std::vector<std::pair<double, double>> points;
    for (const ChartPoint& p : one.points) points.emplace_back(x.at(p.x), y.at(p.y));
    if (one.mark != Mark::dots && one.mark != Mark::rings) {
      canvas.path(points, i, Legend::dash_of(one.mark));
      continue;
    }
    for (const auto& [px, py] : points) canvas.dot(px, py, i, one.mark == Mark::dots), labels.occupy(px, py);
  }
  for (const ChartEvent& event : chart.events) {
    canvas.line(x.at(event.x), top, x.at(event.x), top + kPlot, "event");
    labels.add(x.at(event.x), top + 12, texts.of(event.label));
  }
  for (const ChartSeries& one : chart.series)
    for (const ChartPoint& p : one.points) labels.add(x.at(p.x), y.at(p.y), p.label);
  return canvas.finish(texts.of(chart.title));
}

double widest(const std::vector<std::string>& names) {
  double out = 0;
  for (const std::string& name : names) out = std::max(out, text_width(name));
  return out;
}

void draw_lying_axis(SvgCanvas& canvas, const Scale& scale, double top, double bottom,
                     const std::string& name) {
  for (const double tick : scale.ticks) {
    canvas.line(scale.at(tick), top, scale.at(tick), bottom, "grid");
    canvas.text(scale.at(tick), bottom + 14, number_text(tick), Anchor::middle, "soft");
  }
  canvas.text(kWidth - kRight, bottom + 31, name, Anchor::end, "soft");
}

std::string draw(const BarChart& chart, const TextTable& texts) {
  if (chart.rows.empty()) return {};
  std::vector<std::string> names, totals;
  double most = 0;
  for (const BarChart::Row& row : chart.rows) {
    names.push_back(texts.of(row.name));
    totals.push_back(row.total);
    double sum = 0;
    for (const double part : row.parts) sum += part;
    most = std::max(most, sum);
  }
  const double top = kTop, bottom = top + kRow * static_cast<double>(chart.rows.size());
  SvgCanvas canvas(kWidth, bottom + 40);
  const double left = widest(names) + 14, right = kWidth - widest(totals) - 12;
  const Scale scale = scale_of(0, most, false, 5, left, right);
  draw_lying_axis(canvas, scale, top, bottom, texts.of(chart.axis.label));
  Legend legend(canvas);
  for (std::size_t i = 0; i < chart.series.size(); ++i)
    legend.add(texts.of(chart.series[i]), i, Mark::line, true);
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    const double y = top + kRow * static_cast<double>(r) + (kRow - kBarHeight) / 2;
    canvas.text(left - 8, y + 12, names[r], Anchor::end);
    double sum = 0;
    for (std::size_t i = 0; i < chart.rows[r].parts.size(); ++i) {
      const double next = sum + chart.rows[r].parts[i];
      canvas.bar(scale.at(sum), y, scale.at(next) - scale.at(sum), kBarHeight, i);
      sum = next;
    }
    canvas.text(scale.at(sum) + 6, y + 12, totals[r]);
  }
  return canvas.finish(texts.of(chart.title));
}

std::string draw(const RangeChart& chart, const TextTable& texts) {
  if (chart.rows.empty()) return {};
  std::vector<std::string> names, lows, highs;
  Extent extent;
  extent.add(chart.base);
  for (const RangeChart::Row& row : chart.rows) {
    names.push_back(texts.of(row.name));
    lows.push_back(row.low_text);
    highs.push_back(row.high_text);
    extent.add(row.low), extent.add(row.high);
  }
  constexpr double kHead = 10;
  const double bottom = kHead + kRow * static_cast<double>(chart.rows.size());
  SvgCanvas canvas(kWidth, bottom + 40);
  const double left = widest(names) + widest(lows) + 26, right = kWidth - widest(highs) - 14;
  const Scale scale = scale_of(extent.low, extent.high, false, 5, left, right);
  draw_lying_axis(canvas, scale, kHead, bottom, texts.of(chart.axis.label));
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    const RangeChart::Row& row = chart.rows[r];
    const double y = kHead + kRow * static_cast<double>(r) + (kRow - kBarHeight) / 2;
    const double low = scale.at(std::min(row.low, row.high)), high = scale.at(std::max(row.low, row.high));
    const double base = scale.at(chart.base);
    canvas.text(widest(names) + 4, y + 12, names[r], Anchor::end);
    canvas.bar(low, y, std::max(0.0, base - low), kBarHeight, 2);
    canvas.bar(base, y, std::max(0.0, high - base), kBarHeight, 1);
    canvas.text(low - 6, y + 12, lows[r], Anchor::end);
    canvas.text(high + 6, y + 12, highs[r]);
  }
  canvas.line(scale.at(chart.base), kHead, scale.at(chart.base), bottom, "axis");
  return canvas.finish(texts.of(chart.title));
}

}  // namespace

std::string svg_of(const Chart& chart, const TextTable& texts) {
  return std::visit([&](const auto& one) { return draw(one, texts); }, chart);
}

}  // namespace roofplan::model::report
