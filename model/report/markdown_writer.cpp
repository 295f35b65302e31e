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

std::string cell_markdown(const Cell& cell, const TextTable& texts) {
  const std::string text = escaped(cell_text(cell, texts));
  return cell.tone == Tone::strong && !text.empty() ? "**" + text + "**" : text;
}

struct Writer {
  const TextTable& texts;
  std::string out;

  void operator()(const Verbatim& verbatim) { out += "```\n" + verbatim.text + "\n```\n\n"; }
  void operator()(const Paragraph& paragraph) { out += escaped(texts.of(paragraph.text)) + "\n\n"; }
  void operator()(const Table& table) {
    if (!table.title.empty()) out += "## " + escaped(texts.of(table.title)) + "\n\n";
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
      for (const Cell& cell : row) out += " " + cell_markdown(cell, texts) + " |";
      out += "\n";
    }
    out += "\n";
    for (const Text& note : table.footnotes) out += escaped(texts.of(note)) + "\n\n";
  }
};

}  // namespace

std::string write_markdown(const Document& document, const TextTable& texts, const WriteOptions& options) {
  Writer writer{texts, fmt::format("# roofplan {}\n\n", document.verb)};
  for (const Block& block : document.blocks) std::visit(writer, block);
  if (!document.warnings.empty()) {
    writer.out += "## " + texts.of("report.warnings") + "\n\n";
    for (const Text& warning : document.warnings) writer.out += "- " + escaped(texts.of(warning)) + "\n";
    writer.out += "\n";
  }
  if (options.explain && !document.derivations.empty()) {
    writer.out += "## " + texts.of("report.explain") + "\n\n```\n";
    for (const std::string& line : explain_lines(document.derivations)) writer.out += line + "\n";
    writer.out += "```\n\n";
  }
  if (!document.sources.empty()) {
    writer.out += "## " + texts.of("report.sources") + "\n\n";
    for (const Source& source : document.sources) writer.out += "- " + escaped(source_line(source)) + "\n";
    writer.out += "\n";
  }
  writer.out += fmt::format("roofplan {} ({}{}), data {}\n", document.tool.version, document.tool.git,
                            document.tool.dirty ? "+" : "", document.tool.data);
  return writer.out;
}

}  // namespace roofplan::model::report
