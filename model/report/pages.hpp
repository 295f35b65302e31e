#pragma once

#include "model/report/chart.hpp"
#include "model/report/table.hpp"

#include <string>
#include <variant>
#include <vector>

namespace roofplan::model::report {

/// Where a number comes from: an entry of data/sources.json.
struct Source {
  std::string id, title, where, date_read;
  Text tier;  ///< how near the reading is to who made the thing
};

/// A sentence in the part for people.
struct Paragraph {
  Text text;
  Tone tone = Tone::plain;
};

/// Text to be printed as it stands: a scenario file, a completion script, a launch line.
struct Verbatim {
  std::string text;
};

/// The head of a section.
struct Heading {
  Text text;
  bool new_page = false;  ///< when printed
};

/// A few numbers that are seen first, each with what it is and a remark.
struct KeyFigures {
  struct Item {
    Text label, value, remark;
  };
  std::vector<Item> items;
};

using PageBlock = std::variant<Paragraph, Table, Verbatim, Heading, KeyFigures, Chart>;

/// A report that is read as pages: what md and html show in place of an answer's blocks.
struct Pages {
  Text title;
  Text subtitle;
  std::vector<PageBlock> blocks;
  std::vector<Source> sources;  ///< numbered from 1; what Citation cells point to
};

}  // namespace roofplan::model::report
