#pragma once

#include "model/units/error.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// A table of measured points read from comma-separated values (RFC 4180): quoted fields may hold commas,
/// line breaks and doubled quotes; lines end in LF or CRLF; a byte-order mark and blank lines are skipped.
/// The first record names the columns. Columns are looked up by name, so their order is free.
class CsvTable {
 public:
  /// Throws InputError (content) with file and line: no header, an empty or repeated column name, a record
  /// with another number of fields than the header, a quote that is never closed, text after a closing quote,
  /// a NUL.
  static CsvTable parse(std::string_view text, std::string file);
  /// Reads and parses. Throws also InputError: missing when the file cannot be opened, content when it has no
  /// row below the header.
  static CsvTable read(const std::string& path);

  const std::string& file() const { return file_; }
  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t size() const { return lines_.size(); }

  bool has(std::string_view column) const { return find(column).has_value(); }
  std::optional<std::size_t> find(std::string_view column) const;
  /// Index of a column; throws InputError (content) with the nearest names when there is none.
  std::size_t column(std::string_view name) const;

  const std::string& text(std::size_t row, std::size_t column) const {
    return cells_[row * columns_.size() + column];
  }
  bool blank(std::size_t row, std::size_t column) const { return text(row, column).empty(); }
  /// A finite number in "C" notation. Throws InputError (content) with file, line and column.
  double number(std::size_t row, std::size_t column) const;
  /// A number above zero. Errors as number().
  double positive(std::size_t row, std::size_t column) const;
  /// A whole number in [low, 2^53]. Errors as number().
  long long whole(std::size_t row, std::size_t column, long long low = 0) const;

  /// Line on which the record starts, 1-based.
  long line(std::size_t row) const { return lines_[row]; }
  Location where(std::size_t row, std::size_t column) const { return {file_, columns_[column], lines_[row]}; }

 private:
  std::string file_;
  std::vector<std::string> columns_;
  std::vector<std::string> cells_;  // row-major
  std::vector<long> lines_;
};

/// One field for writing, quoted where RFC 4180 asks for it.
std::string csv_field(std::string_view text);

}  // namespace roofplan::model
