#include "model/report/cell_text.hpp"
#include "model/report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::report {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --good: #1a7f37; --bad: #c62828; --caution: #8a5a00; --line: #8884; }
@media (prefers-color-scheme: dark) { :root { --good: #5fd38d; --bad: #ff8a80; --caution: #ffcc66; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; }
.right { text-align: right; white-space: nowrap; }
th.right { white-space: normal; }
.good { color: var(--good); } .bad { color: var(--bad); } .caution { color: var(--caution); }
.faint { opacity: .7; } .strong { font-weight: 600; }
.bar { width: 12rem; height: .8rem; background: var(--line); print-color-adjust: exact; }
.bar div { height: 100%; background: #4a7bd0; }
pre { overflow-x: auto; white-space: pre-wrap; }
footer { margin-top: 2rem; opacity: .7; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } table { break-inside: avoid; } }
)css";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string_view class_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::good:
      return "good";
    case Tone::bad:
      return "bad";
    case Tone::caution:
      return "caution";
    case Tone::faint:
      return "faint";
    case Tone::strong:
      return "strong";
  }
  return "";
}

std::string classes(Tone tone, bool right = false) {
  std::string names(class_of(tone));
  if (right) names += names.empty() ? "right" : " right";
  return names.empty() ? "" : fmt::format(" class=\"{}\"", names);
}

struct Writer {
  const TextTable& texts;
  std::string out;

  void operator()(const Verbatim& verbatim) { out += "<pre>" + escaped(verbatim.text) + "</pre>\n"; }
  void operator()(const Paragraph& p) {
    out += fmt::format("<p{}>{}</p>\n", classes(p.tone), escaped(texts.of(p.text)));
  }
  void operator()(const Table& table) {
    if (!table.title.empty()) out += "<h2>" + escaped(texts.of(table.title)) + "</h2>\n";
    out += "<table>\n";
    if (table.show_header) {
      out += "<tr>";
      for (const Column& column : table.columns) {
        out += fmt::format("<th{}>{}</th>", classes(Tone::plain, is_right(column)),
                           escaped(column_label(column, texts)));
      }
      out += "</tr>\n";
    }
    for (const auto& row : table.rows) {
      out += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) out += cell(row[i], is_right(table.columns.at(i)));
      out += "</tr>\n";
    }
    out += "</table>\n";
    for (const Text& note : table.footnotes) {
      out += fmt::format("<p class=\"faint\">{}</p>\n", escaped(texts.of(note)));
    }
  }

  static bool is_right(const Column& column) { return column.align == Column::Align::right; }

  std::string cell(const Cell& cell, bool right) const {
    if (const auto* bar = std::get_if<Bar>(&cell.content)) {
      return fmt::format("<td><div class=\"bar\"><div style=\"width:{:.1f}%\"></div></div></td>",
                         100 * std::clamp(bar->share, 0.0, 1.0));
    }
    return fmt::format("<td{}>{}</td>", classes(cell.tone, right), escaped(cell_text(cell, texts)));
  }

  void list(std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    out += fmt::format("<h2>{}</h2>\n<ul>\n", escaped(texts.of(title)));
    for (const std::string& item : items) out += "<li>" + escaped(item) + "</li>\n";
    out += "</ul>\n";
  }
};

}  // namespace

std::string write_html(const Document& document, const TextTable& texts, const WriteOptions& options) {
  Writer writer{texts, {}};
  writer.out = fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>roofplan {}</title>\n"
      "<style>{}</style>\n</head>\n<body>\n<h1>roofplan {}</h1>\n",
      texts.of("report.language"), escaped(document.verb), kStyle, escaped(document.verb));
  for (const Block& block : document.blocks) std::visit(writer, block);
  std::vector<std::string> warnings, sources;
  for (const Text& warning : document.warnings) warnings.push_back(texts.of(warning));
  for (const Source& source : document.sources) sources.push_back(source_line(source));
  writer.list("report.warnings", warnings);
  if (options.explain && !document.derivations.empty()) {
    writer.out += fmt::format("<h2>{}</h2>\n<pre>", escaped(texts.of("report.explain")));
    for (const std::string& line : explain_lines(document.derivations)) writer.out += escaped(line) + "\n";
    writer.out += "</pre>\n";
  }
  writer.list("report.sources", sources);
  writer.out += fmt::format("<footer>roofplan {} ({}{}), data {}</footer>\n</body>\n</html>\n",
                            escaped(document.tool.version), escaped(document.tool.git),
                            document.tool.dirty ? "+" : "", escaped(document.tool.data));
  return writer.out;
}

}  // namespace roofplan::model::report
