#include "model/report/board/sections.hpp"
#include "model/report/site_document.hpp"

#include <algorithm>

namespace roofplan::model::report {
namespace {

/// Watts in the unit that suits the largest.
struct PowerScale {
  double factor = 1;
  const char* unit = "W";

  explicit PowerScale(Watts largest) {
    if (largest >= 1e7 * unit::W) factor = 1e6, unit = "MW";
    if (factor == 1 && largest >= 1e4 * unit::W) factor = 1e3, unit = "kW";
  }
  double of(Watts power) const { return power / unit::W / factor; }
};

BarChart power_chart(const PurchaseCase& c) {
  const SiteAnswer& site = *c.site;
  Watts most = site.facility;
  const Watts beside = site.beside_compute();
  const auto facility = [&](Watts compute) { return (compute + beside) * site.pue; };
  if (site.compute_peak) most = std::max(most, facility(*site.compute_peak));
  const PowerScale scale(most);
  BarChart chart;
  chart.title = Text("board.power_chart");
  chart.axis = {Text("board.with_unit", {{"label", Text("site.power")}, {"unit", scale.unit}}), false};
  chart.series = {Text("site.compute"), Text("site.network"), Text("site.storage"), Text("site.management"),
                  Text("site.cooling")};
  const auto add = [&](const char* name, Watts compute) {
    const Watts it = compute + beside;
    chart.rows.push_back({Text(name),
                          {scale.of(compute), scale.of(site.it.network), scale.of(site.it.storage),
                           scale.of(site.it.management), scale.of(it * (site.pue - 1))},
                          to_text(facility(compute))});
  };
  if (c.plan.power) add("board.power_load", *c.plan.power);
  add("board.power_typical", site.it.compute);
  if (site.compute_design) add("board.power_design", *site.compute_design);
  if (site.compute_peak) add("board.power_peak", *site.compute_peak);
  return chart;
}

}  // namespace

PageBlocks site_section(const BoardCase& board) {
  const PurchaseCase& c = *board.purchase;
  PageBlocks out;
  out.emplace_back(Heading{Text("board.site"), false});
  if (!c.site) {
    out.emplace_back(Paragraph{Text("board.no_site", {{"reason", c.site_unknown}}), Tone::caution});
    return out;
  }
  Document site;
  describe_site(site, *c.site, *c.system);
  for (Block& block : site.blocks)
    if (auto* table = std::get_if<Table>(&block)) out.emplace_back(std::move(*table));
  for (const Text& warning : site.warnings) out.emplace_back(Paragraph{warning, Tone::caution});
  if (c.plan.power)
    out.emplace_back(Paragraph{Text("board.planned_power", {{"power", to_text(*c.plan.power)}})});
  if (c.plan.count_end() > c.plan.count && c.plan.power_design_end)
    out.emplace_back(Paragraph{
        Text("board.site_end",
             {{"what", Text("size.plan_name", {{"count", c.plan.count_end()}, {"system", c.plan.system}})},
              {"power", to_text(*c.plan.power_design_end)}})});
  out.emplace_back(Chart(power_chart(c)));
  out.emplace_back(Paragraph{Text("board.power_note"), Tone::faint});
  return out;
}

}  // namespace roofplan::model::report
