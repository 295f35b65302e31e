#pragma once

#include "model/units/text.hpp"

#include <string>
#include <variant>
#include <vector>

namespace roofplan::model::report {

/// How a piece of text is meant; a writer may colour it, and never relies on colour alone.
enum class Tone { plain, good, bad, caution, faint, strong };

/// A share of a whole, drawn as a bar where the format can.
struct Bar {
  double share = 0;  ///< 0..1; larger values are drawn full
};

/// Sources by their ids, shown as their numbers where sources are numbered.
struct Citation {
  std::vector<std::string> ids;
};

/// What stands in one cell: a text as it is (a number with its unit, an identifier), a Text to be looked up,
/// a bar, or where the row comes from.
struct Cell {
  std::variant<std::string, Text, Bar, Citation> content;
  Tone tone = Tone::plain;

  Cell(std::string text = {}, Tone t = Tone::plain) : content(std::move(text)), tone(t) {}
  Cell(const char* text, Tone t = Tone::plain) : content(std::string(text)), tone(t) {}
  Cell(Text text, Tone t = Tone::plain) : content(std::move(text)), tone(t) {}
  Cell(Bar bar, Tone t = Tone::plain) : content(bar), tone(t) {}
  Cell(Citation citation, Tone t = Tone::faint) : content(std::move(citation)), tone(t) {}
};

struct Column {
  enum class Align { left, right };

  explicit Column(Text l = {}, Align a = Align::left, std::string u = {}, bool wide = false)
      : label(std::move(l)), align(a), unit(std::move(u)), wide_only(wide) {}

  Text label;
  Align align;
  std::string unit;  ///< shown behind the label, "GiB"; empty where cells carry their own
  bool wide_only;    ///< left out of the narrow table on a terminal
};

/// A table for people. Every row has one cell a column.
struct Table {
  Text title;  ///< may be empty
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<Text> footnotes;
  bool show_header = true;  ///< off for lists of name and value
};

}  // namespace roofplan::model::report
