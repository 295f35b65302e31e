#pragma once

#include "model/report/document.hpp"
#include "model/report/text_table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model::report {

enum class Format { table, wide, json, jsonl, csv, md, html };

/// "table" ... "html", in the order of the enumeration.
const std::vector<std::string>& format_names();
/// Throws InputError (usage) for an unknown name, with the nearest.
Format parse_format(std::string_view name);
/// The format of a file by its suffix; ".txt" is the wide table. Throws InputError (usage) for another.
Format format_of_file(std::string_view path);

struct WriteOptions {
  int width = 0;        ///< columns of the terminal; 0 for no limit
  bool colour = false;  ///< escape sequences, in `table` and `wide` only
  bool explain = false;
};

/// The whole document in a format. Same document, same bytes.
std::string write(const Document& document, Format format, const TextTable& texts,
                  const WriteOptions& options);

/// The envelope of the command line's contract. `indent` 0 writes one line.
std::string write_json(const Document& document, const TextTable& texts, const WriteOptions& options,
                       int indent = 2);
/// One line a row of the main list, else the result in one line.
std::string write_jsonl(const Document& document, const TextTable& texts);
/// RFC 4180 with a header line: the main list, else one row. Nested keys are joined by dots; a list inside a
/// row stands as JSON in its cell; null is empty.
std::string write_csv(const Document& document, const TextTable& texts);
/// One line of CSV with its line end.
std::string csv_line(const std::vector<std::string>& cells);
/// A value as the cell of CSV: dot decimals, empty for null.
std::string csv_cell(const Value& value, const TextTable& texts);
std::string write_markdown(const Document& document, const TextTable& texts, const WriteOptions& options);
/// A page that needs nothing beside itself, prints well, and follows a dark preference.
std::string write_html(const Document& document, const TextTable& texts, const WriteOptions& options);
/// Aligned text. `wide` adds the columns that are marked so and ignores the width.
std::string write_table(const Document& document, const TextTable& texts, const WriteOptions& options,
                        bool wide);

/// A value as JSON. `indent` 0 writes one line; lists and objects of scalars stay on one line where short.
std::string to_json(const Value& value, const TextTable& texts, int indent = 0);

/// The rows of CSV and JSONL: elements of the main list, else the result alone.
std::vector<const Value*> main_rows(const Document& document);

/// The derivations as a value, for result.explain.
Value explain_value(const Derivations& derivations);
/// "name = formula" with its inputs on the next line, for people.
std::vector<std::string> explain_lines(const Derivations& derivations);

}  // namespace roofplan::model::report
