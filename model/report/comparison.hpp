#pragma once

#include "model/report/document.hpp"
#include "model/report/text_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofplan::model::report {

/// Where two answers differ.
struct Difference {
  std::string path;  ///< with dots; elements of lists by what names them, "breakdown[attention decode]"
  Value a, b;        ///< null where the side has not that path
  bool in_a = true, in_b = true;
  std::optional<double> relative;  ///< b / a - 1 of numbers, where a is not zero
};

/// All scalars of `a` and `b` that differ, in the order of `a`; what only `b` has follows its neighbours.
/// Elements of lists are matched by their names (id, name, op, phase, ...) where these are unique, else by
/// place. Numbers are equal within `tolerance` of the larger.
std::vector<Difference> differences(const Value& a, const Value& b, double tolerance);

/// `differences[]` with path, a, b, change and relative change; for people a table.
void describe_comparison(Document& document, const std::vector<Difference>& found, const std::string& name_a,
                         const std::string& name_b, const TextTable& texts);

/// What of a JSON document is compared: the content without the schema and without which program wrote it
/// and what it warned of.
Value comparable(const Value& document);

}  // namespace roofplan::model::report
