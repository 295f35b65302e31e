#pragma once

#include "model/report/document.hpp"
#include "model/report/text_table.hpp"

#include <string>
#include <vector>

namespace roofplan::model::report {

/// A cell as plain text; a bar as blocks, a citation as its ids.
std::string cell_text(const Cell& cell, const TextTable& texts);

/// "Memory (GiB)".
std::string column_label(const Column& column, const TextTable& texts);

/// Which program wrote the document: "roofplan 0.1.0 (abc), data 1".
Text tool_text(const Tool& tool);

/// The numbers of the sources that a citation names, from 1; those that are not in the list are left out.
std::vector<std::size_t> source_numbers(const Citation& citation, const std::vector<Source>& sources);

/// "id: title, where (read 2026-11-30)".
std::string source_line(const Source& source, const TextTable& texts);

}  // namespace roofplan::model::report
