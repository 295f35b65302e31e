#pragma once

#include "model/report/pages.hpp"
#include "model/report/table.hpp"
#include "model/report/value.hpp"
#include "model/units/derivation.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace roofplan::model::report {

/// Which program answered, so that an answer can be reproduced.
struct Tool {
  std::string version;  ///< "0.1.0"
  std::string git;      ///< commit, or "unknown" outside a checkout
  bool dirty = false;   ///< built from a tree with changes that are in no commit
  std::string data;     ///< edition of the data that the answer rests on
};

using Block = std::variant<Paragraph, Table, Verbatim>;

/// An answer, neutral of any format: `inputs`, `result`, `warnings` and `sources` for machines, `blocks` for
/// people. Both are made from the same answer; neither is read back from the other.
struct Document {
  std::string verb;  ///< "fit"; the schema is "roofplan.fit"
  int schema_version = 1;
  Tool tool;
  Value inputs = Value::object();
  Value result = Value::object();
  std::string main_list;  ///< path below `result` of the list whose elements are the rows of CSV and JSONL
  std::vector<Text> warnings;
  std::vector<Source> sources;
  Derivations derivations;     ///< printed with --explain only
  std::vector<Block> blocks;   ///< verdict first
  std::optional<Pages> pages;  ///< shown by md and html in place of `blocks`, `warnings` and `sources`
};

}  // namespace roofplan::model::report
