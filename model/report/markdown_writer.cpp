#include "model/report/cell_text.hpp"
#include "model/report/writer.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<' || c == '`' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

/// Writes blocks of answers and of reports. Charts are left out: the tables beside them hold their numbers.
struct Writer {
  const TextTable& texts;
  const std::vector<Source>& sources;  ///< that citations are numbered by
  std::string_view table_head = "## ";
  std::string out;

  std::string escaped_text(const Text& text) const { return escaped(texts.of(text)); }

  std::string cell_markdown(const Cell& cell) const {
    if (const auto* citation = std::get_if<Citation>(&cell.content)) {
      std::string numbers;
      for (const std::size_t n : source_numbers(*citation, sources))
        numbers += fmt::format("{}[{}]", numbers.empty() ? "" : " ", n);
      return numbers;
    }
    const std::string text = escaped(cell_text(cell, texts));
    return cell.tone == Tone::strong && !text.empty() ? "**" + text + "**" : text;
  }

  void operator()(const Verbatim& verbatim) { out += "```\n" + verbatim.text + "\n```\n\n"; }
  void operator()(const Paragraph& p) {
    const std::string text = escaped_text(p.text);
    out += (p.tone == Tone::strong ? "**" + text + "**" : text) + "\n\n";
  }
  void operator()(const Heading& heading) { out += "## " + escaped_text(heading.text) + "\n\n"; }
  void operator()(const KeyFigures& figures) {
    for (const KeyFigures::Item& item : figures.items) {
      out += fmt::format("- {}: **{}**", escaped_text(item.label), escaped_text(item.value));
      out += item.remark.empty() ? "\n" : fmt::format(" ({})\n", escaped_text(item.remark));
    }
    out += "\n";
  }
  void operator()(const Chart&) {}
  void operator()(const Table& table) {
    if (!table.title.empty()) out += std::string(table_head) + escaped_text(table.title) + "\n\n";
    out += "|";
    for (const Column& column : table.columns) {
      out += table.show_header ? " " + escaped(column_label(column, texts)) + " |" : " |";
    }
    out += "\n|";
    for (const Column& column : table.columns) {
      out += column.align == Column::Align::right ? " ---: |" : " --- |";
    }
    out += "\n";
    for (const auto& row : table.rows) {
      out += "|";
      for (const Cell& cell : row) out += " " + cell_markdown(cell) + " |";
      out += "\n";
    }
    out += "\n";
    for (const Text& note : table.footnotes) out += escaped_text(note) + "\n\n";
  }

  void head(std::string_view key) { out += "## " + texts.of(key) + "\n\n"; }
  void derivations(const Document& document) {
    head("report.explain");
    out += "```\n";
    for (const std::string& line : explain_lines(document.derivations)) out += line + "\n";
    out += "```\n\n";
  }
};

}  // namespace

std::string write_markdown(const Document& document, const TextTable& texts, const WriteOptions& options) {
  const bool explain = options.explain && !document.derivations.empty();
  Writer writer{texts, document.pages ? document.pages->sources : document.sources, "## ", {}};
  if (document.pages) {
    writer.table_head = "### ";
    writer.out = fmt::format("# {}\n\n{}\n\n", writer.escaped_text(document.pages->title),
                             writer.escaped_text(document.pages->subtitle));
    for (const PageBlock& block : document.pages->blocks) std::visit(writer, block);
  } else {
    writer.out = fmt::format("# roofplan {}\n\n", document.verb);
    for (const Block& block : document.blocks) std::visit(writer, block);
    if (!document.warnings.empty()) {
      writer.head("report.warnings");
      for (const Text& warning : document.warnings) writer.out += "- " + writer.escaped_text(warning) + "\n";
      writer.out += "\n";
    }
  }
  if (explain) writer.derivations(document);
  if (!writer.sources.empty()) {
    writer.head("report.sources");
    for (std::size_t i = 0; i < writer.sources.size(); ++i) {
      const std::string mark = document.pages ? fmt::format("{}. ", i + 1) : "- ";
      writer.out += mark + escaped(source_line(writer.sources[i], texts)) + "\n";
    }
    writer.out += "\n";
  }
  writer.out += texts.of(tool_text(document.tool)) + "\n";
  return writer.out;
}

}  // namespace roofplan::model::report
