#include "model/calibration/csv_table.hpp"

#include "model/json/json.hpp"
#include "model/units/unit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

struct Record {
  std::vector<std::string> fields;
  long line = 0;
};

/// Cuts the text into records, one field at a time.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    if (const auto nul = text_.find('\0'); nul != std::string_view::npos) {
      line_ += std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
      fail("a NUL byte: this is no text file");
    }
  }

  bool next(Record& record) {
    while (at_ < text_.size() && end_of_line()) skip_line_end();
    if (at_ >= text_.size()) return false;
    record.fields.clear();
    record.line = line_;
    for (;;) {
      record.fields.push_back(at_ < text_.size() && text_[at_] == '"' ? quoted() : plain());
      if (at_ < text_.size() && text_[at_] == ',') {
        ++at_;
        continue;
      }
      if (at_ < text_.size()) skip_line_end();
      return true;
    }
  }

 private:
  [[noreturn]] void fail(std::string message) const {
    throw InputError(InputError::Kind::content, std::move(message), {}, {file_, {}, line_});
  }

  bool end_of_line() const {
    return text_[at_] == '\n' || (text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n'));
  }

  void skip_line_end() {
    at_ += text_[at_] == '\r' ? 2 : 1;
    ++line_;
  }

  std::string plain() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != ',' && !end_of_line()) ++at_;
    std::string_view field = text_.substr(start, at_ - start);
    const auto first = field.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return std::string(field.substr(first, field.find_last_not_of(" \t") - first + 1));
  }

  std::string quoted() {
    const long opened = line_;
    std::string field;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
          ++at_;
        } else {
          ++at_;
          if (at_ < text_.size() && text_[at_] != ',' && !end_of_line()) fail("text after a closing quote");
          return field;
        }
      }
      if (text_[at_] == '\n') ++line_;
      field += text_[at_];
    }
    line_ = opened;
    fail("a quote is never closed");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  long line_ = 1;
};

}  // namespace

CsvTable CsvTable::parse(std::string_view text, std::string file) {
  CsvTable table;
  table.file_ = std::move(file);
  Scanner scanner(text, table.file_);
  Record record;
  if (!scanner.next(record)) {
    throw InputError(InputError::Kind::content, "the file is empty", "a line with column names",
                     {table.file_, {}, 1});
  }
  table.columns_ = record.fields;
  for (std::size_t c = 0; c < table.columns_.size(); ++c) {
    const std::string& name = table.columns_[c];
    const Location where{table.file_, {}, record.line};
    if (name.empty())
      throw InputError(InputError::Kind::content, fmt::format("column {} has no name", c + 1), {}, where);
    if (table.find(name) != c) {
      throw InputError(InputError::Kind::content, fmt::format("the column \"{}\" stands twice", name), {},
                       where);
    }
  }
  while (scanner.next(record)) {
    if (record.fields.size() != table.columns_.size()) {
      throw InputError(InputError::Kind::content, fmt::format("{} fields", record.fields.size()),
                       fmt::format("{}, as in the header", table.columns_.size()),
                       {table.file_, {}, record.line});
    }
    std::move(record.fields.begin(), record.fields.end(), std::back_inserter(table.cells_));
    table.lines_.push_back(record.line);
  }
  return table;
}

CsvTable CsvTable::read(const std::string& path) {
  CsvTable table = parse(read_text_file(path), path);
  if (table.size() > 0) return table;
  throw InputError(InputError::Kind::content, "there is no row below the header", "a row at least",
                   {path, {}, 1});
}

std::optional<std::size_t> CsvTable::find(std::string_view column) const {
  const auto it = std::find(columns_.begin(), columns_.end(), column);
  if (it == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(it - columns_.begin());
}

std::size_t CsvTable::column(std::string_view name) const {
  if (const auto index = find(name)) return *index;
  throw InputError(InputError::Kind::content, fmt::format("there is no column \"{}\"", name), {},
                   {file_, {}, 1}, nearest_names(name, columns_));
}

double CsvTable::number(std::size_t row, std::size_t column) const {
  try {
    return parse_number(text(row, column));
  } catch (const InputError& e) {
    throw e.as(InputError::Kind::content).at(where(row, column));
  }
}

double CsvTable::positive(std::size_t row, std::size_t column) const {
  const double value = number(row, column);
  if (value > 0) return value;
  throw InputError(InputError::Kind::content, fmt::format("{}", text(row, column)), "a number above zero",
                   where(row, column));
}

long long CsvTable::whole(std::size_t row, std::size_t column, long long low) const {
  const double value = number(row, column);
  if (value == std::floor(value) && value >= static_cast<double>(low) && value <= 9007199254740992.0) {
    return static_cast<long long>(value);
  }
  throw InputError(InputError::Kind::content, fmt::format("{}", text(row, column)),
                   fmt::format("a whole number from {}", low), where(row, column));
}

std::string csv_field(std::string_view text) {
  const bool edge = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!edge && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace roofplan::model
