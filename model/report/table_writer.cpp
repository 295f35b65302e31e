#include "model/report/cell_text.hpp"
#include "model/report/utf8.hpp"
#include "model/report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace roofplan::model::report {
namespace {

constexpr int kGap = 2;           // columns between two columns of a table
constexpr int kProseWidth = 100;  // longer lines are hard to read
constexpr int kNarrowest = 12;    // no column is cut below this

std::string_view escape_of(Tone tone) {
  switch (tone) {
    case Tone::plain:
      return "";
    case Tone::good:
      return "\x1b[32m";
    case Tone::bad:
      return "\x1b[31m";
    case Tone::caution:
      return "\x1b[33m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::strong:
      return "\x1b[1m";
  }
  return "";
}

class Page {
 public:
  Page(const TextTable& texts, const WriteOptions& options, bool wide)
      : texts_(texts), colour_(options.colour), wide_(wide), width_(wide ? 0 : options.width) {}

  std::string take() { return std::move(out_); }

  void operator()(const Verbatim& verbatim) {
    out_ += verbatim.text;
    if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  }

  void operator()(const Paragraph& paragraph) { prose(texts_.of(paragraph.text), paragraph.tone, ""); }

  void operator()(const Table& table) {
    separate();
    if (!table.title.empty()) out_ += painted(texts_.of(table.title), Tone::strong) + "\n";
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (wide_ || !table.columns[i].wide_only) shown.push_back(i);
    }
    const std::vector<int> widths = fitted(table, shown, natural_widths(table, shown));
    if (table.show_header) {
      std::vector<Cell> header;
      for (const Column& column : table.columns)
        header.emplace_back(column_label(column, texts_), Tone::faint);
      line(table, shown, widths, header);
    }
    for (const auto& row : table.rows) line(table, shown, widths, row);
    for (const Text& note : table.footnotes) prose(texts_.of(note), Tone::faint, "  ");
  }

  void heading(const Text& text) {
    separate();
    out_ += painted(texts_.of(text), Tone::strong) + "\n";
  }

  void prose(const std::string& text, Tone tone, const std::string& bullet) {
    const int indent = display_width(bullet);
    const int limit = width_ > 0 ? std::min(width_, kProseWidth) : kProseWidth;
    std::string lead = bullet;
    for (const std::string& part : wrapped(text, limit - indent)) {
      out_ += lead + painted(part, tone) + "\n";
      lead.assign(static_cast<std::size_t>(indent), ' ');
    }
  }

  void plain_line(const std::string& text) { out_ += text + "\n"; }

 private:
  void separate() {
    if (!out_.empty()) out_ += '\n';
  }

  std::string painted(const std::string& text, Tone tone) const {
    if (!colour_ || tone == Tone::plain || text.empty()) return text;
    return fmt::format("{}{}\x1b[0m", escape_of(tone), text);
  }

  std::vector<int> natural_widths(const Table& table, const std::vector<std::size_t>& shown) const {
    std::vector<int> widths;
    for (const std::size_t i : shown) {
      int width = table.show_header ? display_width(column_label(table.columns[i], texts_)) : 0;
      for (const auto& row : table.rows) width = std::max(width, display_width(cell_text(row.at(i), texts_)));
      widths.push_back(width);
    }
    return widths;
  }

  /// Narrows left-aligned columns, the widest first, until the table fits. Numbers are never cut.
  std::vector<int> fitted(const Table& table, const std::vector<std::size_t>& shown,
                          std::vector<int> widths) const {
    const auto total = [&] {
      return std::accumulate(widths.begin(), widths.end(), 0) + kGap * (static_cast<int>(widths.size()) - 1);
    };
    while (width_ > 0 && total() > width_) {
      int* widest = nullptr;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const bool text = table.columns[shown[i]].align == Column::Align::left;
        if (text && widths[i] > kNarrowest && (widest == nullptr || widths[i] > *widest)) widest = &widths[i];
      }
      if (widest == nullptr) break;
      *widest = std::max(kNarrowest, *widest - (total() - width_));
    }
    return widths;
  }

  void line(const Table& table, const std::vector<std::size_t>& shown, const std::vector<int>& widths,
            const std::vector<Cell>& cells) {
    std::string text;
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const Cell& cell = cells.at(shown[i]);
      const std::string content = clipped(cell_text(cell, texts_), widths[i]);
      const std::string padding(static_cast<std::size_t>(widths[i] - display_width(content)), ' ');
      const bool right = table.columns[shown[i]].align == Column::Align::right;
      if (i > 0) text.append(kGap, ' ');
      text += right ? padding + painted(content, cell.tone) : painted(content, cell.tone) + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out_ += text + "\n";
  }

  const TextTable& texts_;
  bool colour_, wide_;
  int width_;
  std::string out_;
};

}  // namespace

std::string write_table(const Document& document, const TextTable& texts, const WriteOptions& options,
                        bool wide) {
  Page page(texts, options, wide);
  for (const Block& block : document.blocks) std::visit(page, block);
  if (!document.warnings.empty()) {
    page.heading(Text("report.warnings"));
    for (const Text& warning : document.warnings) page.prose(texts.of(warning), Tone::caution, "! ");
  }
  if (options.explain && !document.derivations.empty()) {
    page.heading(Text("report.explain"));
    for (const std::string& text : explain_lines(document.derivations)) page.plain_line(text);
  }
  if (wide || options.explain) {
    if (!document.sources.empty()) page.heading(Text("report.sources"));
    for (const Source& source : document.sources) {
      page.prose(source_line(source, texts), Tone::plain, "- ");
    }
  }
  return page.take();
}

}  // namespace roofplan::model::report
