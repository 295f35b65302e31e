#pragma once

#include "model/report/document.hpp"
#include "model/report/text_table.hpp"

#include <string>

namespace roofplan::model::report {

/// A cell as plain text; a bar as blocks.
std::string cell_text(const Cell& cell, const TextTable& texts);

/// "Memory (GiB)".
std::string column_label(const Column& column, const TextTable& texts);

/// "id: title, where (read 2026-11-30)".
std::string source_line(const Source& source);

}  // namespace roofplan::model::report
