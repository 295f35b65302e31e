#include "model/report/cell_text.hpp"
#include "model/report/html_text.hpp"
#include "model/report/svg_chart.hpp"
#include "model/report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::report {
namespace {

/// A table of so few rows is not split over two pages.
constexpr std::size_t kShortTable = 10;

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

/// Writes blocks of answers and of reports.
struct Writer {
  const TextTable& texts;
  const std::vector<Source>& sources;  ///< that citations are numbered by
  std::string_view table_head = "h2";
  std::string out;

  std::string escaped(const Text& text) const { return html_escaped(texts.of(text)); }

  void operator()(const Verbatim& verbatim) { out += "<pre>" + html_escaped(verbatim.text) + "</pre>\n"; }
  void operator()(const Paragraph& p) {
    out += fmt::format("<p{}>{}</p>\n", classes(p.tone), escaped(p.text));
  }
  void operator()(const Heading& heading) {
    out += fmt::format("<h2{}>{}</h2>\n", heading.new_page ? " class=\"page\"" : "", escaped(heading.text));
  }
  void operator()(const KeyFigures& figures) {
    out += "<div class=\"figures\">\n";
    for (const KeyFigures::Item& item : figures.items)
      out += fmt::format("<div><span>{}</span><b>{}</b><span>{}</span></div>\n", escaped(item.label),
                         escaped(item.value), item.remark.empty() ? "" : escaped(item.remark));
    out += "</div>\n";
  }
  void operator()(const Chart& chart) {
    const std::string picture = svg_of(chart, texts);
    if (picture.empty()) return;
    const Text& title = std::visit([](const auto& one) -> const Text& { return one.title; }, chart);
    out += fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", escaped(title), picture);
  }
  void operator()(const Table& table) {
    if (!table.title.empty()) out += fmt::format("<{0}>{1}</{0}>\n", table_head, escaped(table.title));
    out += table.rows.size() <= kShortTable ? "<table class=\"short\">\n" : "<table>\n";
    if (table.show_header) {
      out += "<thead><tr>";
      for (const Column& column : table.columns) {
        out += fmt::format("<th{}>{}</th>", classes(Tone::plain, is_right(column)),
                           html_escaped(column_label(column, texts)));
      }
      out += "</tr></thead>\n";
    }
    out += "<tbody>\n";
    for (const auto& row : table.rows) {
      out += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) out += cell(row[i], is_right(table.columns.at(i)));
      out += "</tr>\n";
    }
    out += "</tbody>\n</table>\n";
    for (const Text& note : table.footnotes) out += fmt::format("<p class=\"faint\">{}</p>\n", escaped(note));
  }

  static bool is_right(const Column& column) { return column.align == Column::Align::right; }

  std::string cell(const Cell& cell, bool right) const {
    if (const auto* bar = std::get_if<Bar>(&cell.content)) {
      return fmt::format("<td><div class=\"bar\"><div style=\"width:{:.1f}%\"></div></div></td>",
                         100 * std::clamp(bar->share, 0.0, 1.0));
    }
    if (const auto* citation = std::get_if<Citation>(&cell.content))
      return fmt::format("<td{}>{}</td>", classes(cell.tone, right), links(*citation));
    return fmt::format("<td{}>{}</td>", classes(cell.tone, right), html_escaped(cell_text(cell, texts)));
  }

  std::string links(const Citation& citation) const {
    std::string text;
    for (const std::size_t n : source_numbers(citation, sources))
      text += fmt::format("{}<a href=\"#source-{}\">[{}]</a>", text.empty() ? "" : " ", n, n);
    return text;
  }

  void list(std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return;
    out += fmt::format("<h2>{}</h2>\n<ul>\n", html_escaped(texts.of(title)));
    for (const std::string& item : items) out += "<li>" + html_escaped(item) + "</li>\n";
    out += "</ul>\n";
  }

  void numbered_sources() {
    out += fmt::format("<h2>{}</h2>\n<ol>\n", html_escaped(texts.of("report.sources")));
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const Source& source = sources[i];
      const bool address = source.where.starts_with("https://") || source.where.starts_with("http://");
      const std::string where = html_escaped(source.where);
      out += fmt::format("<li id=\"source-{}\">{}", i + 1, html_escaped(source.title));
      if (!where.empty())
        out += address ? fmt::format(", <a href=\"{0}\" rel=\"noreferrer\">{0}</a>", where) : ", " + where;
      if (!source.date_read.empty())
        out += " " + html_escaped(texts.of(Text("report.read", {{"date", source.date_read}})));
      if (!source.tier.empty()) out += "; " + escaped(source.tier);
      out += "</li>\n";
    }
    out += "</ol>\n";
  }

  void derivations(const Document& document) {
    out += fmt::format("<h2>{}</h2>\n<pre>", html_escaped(texts.of("report.explain")));
    for (const std::string& line : explain_lines(document.derivations)) out += html_escaped(line) + "\n";
    out += "</pre>\n";
  }
};

std::string head(const TextTable& texts, const std::string& title, std::string_view body_class) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n"
      "<style>{}</style>\n</head>\n<body{}>\n",
      texts.of("report.language"), html_escaped(title), html_style(), body_class);
}

}  // namespace

std::string write_html(const Document& document, const TextTable& texts, const WriteOptions& options) {
  const bool explain = options.explain && !document.derivations.empty();
  Writer writer{texts, document.pages ? document.pages->sources : document.sources, "h2", {}};
  if (document.pages) {
    writer.table_head = "h3";
    writer.out = head(texts, texts.of(document.pages->title), " class=\"report\"");
    writer.out +=
        fmt::format("<h1>{}</h1>\n<p class=\"subtitle\">{}</p>\n", writer.escaped(document.pages->title),
                    writer.escaped(document.pages->subtitle));
    for (const PageBlock& block : document.pages->blocks) std::visit(writer, block);
    if (explain) writer.derivations(document);
    writer.numbered_sources();
  } else {
    writer.out = head(texts, "roofplan " + document.verb, "");
    writer.out += fmt::format("<h1>roofplan {}</h1>\n", html_escaped(document.verb));
    for (const Block& block : document.blocks) std::visit(writer, block);
    std::vector<std::string> warnings, sources;
    for (const Text& warning : document.warnings) warnings.push_back(texts.of(warning));
    for (const Source& source : document.sources) sources.push_back(source_line(source, texts));
    writer.list("report.warnings", warnings);
    if (explain) writer.derivations(document);
    writer.list("report.sources", sources);
  }
  writer.out += fmt::format("<footer>{}</footer>\n</body>\n</html>\n",
                            html_escaped(texts.of(tool_text(document.tool))));
  return writer.out;
}

}  // namespace roofplan::model::report
