#include "model/report/cell_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model::report {

std::string cell_text(const Cell& cell, const TextTable& texts) {
  struct Visitor {
    const TextTable& texts;
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const Text& text) const { return text.empty() ? "" : texts.of(text); }
    std::string operator()(Bar bar) const {
      constexpr int kBarWidth = 24;
      const int full = static_cast<int>(std::lround(std::clamp(bar.share, 0.0, 1.0) * kBarWidth));
      std::string out;
      for (int i = 0; i < kBarWidth; ++i) out += i < full ? "█" : "░";
      return out;
    }
    std::string operator()(const Citation& c) const { return fmt::format("{}", fmt::join(c.ids, ", ")); }
  };
  return std::visit(Visitor{texts}, cell.content);
}

std::string column_label(const Column& column, const TextTable& texts) {
  const std::string label = column.label.empty() ? "" : texts.of(column.label);
  if (column.unit.empty()) return label;
  return label.empty() ? column.unit : fmt::format("{} ({})", label, column.unit);
}

Text tool_text(const Tool& tool) {
  return Text("report.tool",
              {{"version", tool.version}, {"git", tool.git + (tool.dirty ? "+" : "")}, {"data", tool.data}});
}

std::vector<std::size_t> source_numbers(const Citation& citation, const std::vector<Source>& sources) {
  std::vector<std::size_t> out;
  for (const std::string& id : citation.ids)
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (sources[i].id == id) out.push_back(i + 1);
  return out;
}

std::string source_line(const Source& source, const TextTable& texts) {
  std::string out = fmt::format("{}: {}", source.id, source.title);
  if (!source.where.empty()) out += ", " + source.where;
  if (!source.date_read.empty()) out += " " + texts.of(Text("report.read", {{"date", source.date_read}}));
  return out;
}

}  // namespace roofplan::model::report
