#include "model/report/board/board_report.hpp"

#include "model/report/board/sections.hpp"
#include "model/report/figures.hpp"

#include <algorithm>
#include <iterator>

namespace roofplan::model::report {
namespace {

void append(PageBlocks& out, PageBlocks section) {
  std::move(section.begin(), section.end(), std::back_inserter(out));
}

/// The sources that tables cite, each once, in the order of the pages.
std::vector<Source> cited_sources(const PageBlocks& blocks, const Sources& sources) {
  Document cited;
  for (const PageBlock& block : blocks) {
    const auto* table = std::get_if<Table>(&block);
    if (table == nullptr) continue;
    for (const auto& row : table->rows)
      for (const Cell& cell : row)
        if (const auto* citation = std::get_if<Citation>(&cell.content))
          for (const std::string& id : citation->ids)
            if (sources.contains(id)) cite(cited, sources, id);
  }
  return std::move(cited.sources);
}

Text title_of(const Scenario& scenario) {
  if (!scenario.name.empty()) return as_is(scenario.name);
  return Text("board.title", {{"model", scenario.model.ref}});
}

/// The newest price that the first plan rests on, which dates the report: never the clock.
std::string price_date(const BoardCase& board) {
  std::string newest;
  if (board.purchase == nullptr) return newest;
  for (const CostItem& item : board.purchase->plan.cost.items) newest = std::max(newest, item.date);
  return newest;
}

PageBlocks reproduction(const BoardCase& board) {
  PageBlocks out;
  out.emplace_back(Heading{Text("board.inputs"), false});
  out.emplace_back(
      Paragraph{Text("board.inputs_note", {{"version", board.tool.version}, {"data", board.tool.data}})});
  out.emplace_back(Verbatim{scenario_json(board.scenario())});
  return out;
}

}  // namespace

Pages board_pages(const BoardCase& board) {
  Pages out;
  const std::string date = price_date(board);
  out.title = title_of(board.scenario());
  out.subtitle = date.empty()
                     ? Text("board.subtitle", {{"version", board.tool.version}, {"data", board.tool.data}})
                     : Text("board.subtitle_dated",
                            {{"version", board.tool.version}, {"data", board.tool.data}, {"date", date}});
  append(out.blocks, first_page(board));
  append(out.blocks, plans_section(board));
  if (board.purchase != nullptr) {
    append(out.blocks, bill_section(board));
    append(out.blocks, site_section(board));
    append(out.blocks, cost_section(board));
    append(out.blocks, sensitivity_section(board));
    append(out.blocks, risks_section(board));
  }
  append(out.blocks, assumptions_section(board));
  append(out.blocks, reproduction(board));
  out.sources = cited_sources(out.blocks, board.data.catalog().sources());
  return out;
}

}  // namespace roofplan::model::report
