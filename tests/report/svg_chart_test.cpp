#include "model/report/svg_chart.hpp"

#include "model/report/svg_canvas.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using namespace roofplan::model::report;
using Catch::Contains;

namespace {
const TextTable& english() {
  return TextTable::of_language("en");
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}
}  // namespace

TEST_CASE("ticks are round and enclose the numbers", "[report]") {
  CHECK(round_ticks(0, 97, 5) == std::vector<double>{0, 20, 40, 60, 80, 100});
  CHECK(round_ticks(0, 100, 5) == std::vector<double>{0, 20, 40, 60, 80, 100});
  CHECK(round_ticks(0, 4, 8).back() == Approx(4));
  CHECK(round_ticks(-3, 3, 3) == std::vector<double>{-4, -2, 0, 2, 4});
  CHECK(logarithmic_ticks(16, 450) == std::vector<double>{10, 20, 50, 100, 200, 500});
  CHECK(logarithmic_ticks(10, 1e6) == std::vector<double>{10, 100, 1000, 1e4, 1e5, 1e6});
  CHECK(logarithmic_ticks(100, 100).size() == 2);
}

TEST_CASE("a chart without points is no picture", "[report]") {
  CHECK(svg_of(XyChart{}, english()).empty());
  CHECK(svg_of(BarChart{}, english()).empty());
  CHECK(svg_of(RangeChart{}, english()).empty());
}

TEST_CASE("bars of parts stand end to end: 3 and 1 are three quarters and one", "[report]") {
  BarChart chart;
  chart.title = Text("site.power");
  chart.series = {as_is("a"), as_is("b")};
  chart.rows = {{as_is("row"), {3, 1}, ""}};
  const std::string svg = svg_of(chart, english());
  // From 0 to 4 the picture has 676 units: 32 for the name, 12 behind; ticks 0 to 4.
  CHECK_THAT(svg, Contains("<rect x=\"32.0\" y=\"39.0\" width=\"507.0\"") &&
                      Contains("<rect x=\"539.0\" y=\"39.0\" width=\"169.0\""));
}

TEST_CASE("series are told apart by dashes and rings, not by colour alone", "[report]") {
  XyChart chart;
  chart.title = Text("site.power");
  chart.series = {{as_is("a"), ChartSeries::Mark::line, {{0, 0, ""}, {1, 1, ""}}},
                  {as_is("b"), ChartSeries::Mark::dashed, {{0, 1, ""}, {1, 0, ""}}},
                  {as_is("c"), ChartSeries::Mark::rings, {{0.5, 0.5, "<x>"}}}};
  const std::string svg = svg_of(chart, english());
  CHECK(count_of(svg, "<polyline") == 4);  // two lines and their samples in the legend
  CHECK(count_of(svg, "stroke-dasharray=\"7 4\"") == 2);
  CHECK(count_of(svg, "fill:none;stroke:var(--s2)") == 2);
  CHECK_THAT(svg, Contains("&lt;x&gt;"));
}

TEST_CASE("labels that would overlap are left out rather than printed over each other", "[report]") {
  XyChart chart;
  chart.title = Text("site.power");
  ChartSeries crowd{as_is(""), ChartSeries::Mark::dots, {}};
  const ChartPoint point{1.0, 1.0, "a label of some length"};
  crowd.points.assign(50, point);
  chart.series = {crowd};
  const std::size_t shown = count_of(svg_of(chart, english()), "a label of some length");
  CHECK(shown >= 1);
  CHECK(shown <= 4);
}

TEST_CASE("a range of one assumption reaches from its low to its high value", "[report]") {
  RangeChart chart;
  chart.title = Text("site.power");
  chart.base = 10;
  chart.rows = {{as_is("r"), 5, 20, "5", "20"}};
  const std::string svg = svg_of(chart, english());
  CHECK(count_of(svg, "<rect") == 2);
  CHECK_THAT(svg, Contains("var(--s2)") && Contains("var(--s1)"));
}
