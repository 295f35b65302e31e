#include "model/report/utf8.hpp"
#include "model/report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace roofplan::model::report {
namespace {

using Row = std::vector<std::pair<std::string, std::string>>;  // key and cell, in order

void flatten(const Value& value, const std::string& prefix, const TextTable& texts, Row& row) {
  if (!value.is_object()) {
    row.emplace_back(prefix.empty() ? "value" : prefix, csv_cell(value, texts));
    return;
  }
  for (const Value::Member& member : value.members()) {
    const std::string key = prefix.empty() ? member.key : prefix + "." + member.key;
    flatten(member.value, key, texts, row);
    const auto* unknown = std::get_if<Value::Unknown>(&member.value.content());
    if (unknown != nullptr && !unknown->reason.empty()) {
      row.emplace_back(key + "_reason", texts.of(unknown->reason));
    }
  }
}

std::string escaped(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

/// All keys of all rows; a key that only later rows have stands behind the key it follows there.
std::vector<std::string> header_of(const std::vector<Row>& rows) {
  std::vector<std::string> header;
  for (const Row& row : rows) {
    auto place = header.begin();
    for (const auto& [key, cell] : row) {
      const auto known = std::find(header.begin(), header.end(), key);
      place = known != header.end() ? known + 1 : header.insert(place, key) + 1;
    }
  }
  return header;
}

}  // namespace

std::string csv_cell(const Value& value, const TextTable& texts) {
  struct Visitor {
    const Value& value;
    const TextTable& texts;
    std::string operator()(const Value::Unknown&) const { return {}; }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t n) const { return fmt::format("{}", n); }
    std::string operator()(double d) const { return fmt::format("{}", d); }
    std::string operator()(const std::string& s) const { return valid_utf8(s); }
    std::string operator()(const Text& t) const { return texts.of(t); }
    std::string operator()(const Value::List&) const { return to_json(value, texts); }
    std::string operator()(const Value::Object&) const { return to_json(value, texts); }
  };
  return std::visit(Visitor{value, texts}, value.content());
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    out += escaped(cells[i]);
  }
  return out + "\r\n";
}

std::string write_csv(const Document& document, const TextTable& texts) {
  std::vector<Row> rows;
  for (const Value* value : main_rows(document)) flatten(*value, "", texts, rows.emplace_back());
  const std::vector<std::string> header = header_of(rows);
  std::string out = csv_line(header);
  for (const Row& row : rows) {
    const std::map<std::string, std::string> by_key(row.begin(), row.end());
    std::vector<std::string> cells;
    for (const std::string& key : header) {
      const auto it = by_key.find(key);
      cells.push_back(it != by_key.end() ? it->second : std::string());
    }
    out += csv_line(cells);
  }
  return out;
}

}  // namespace roofplan::model::report
