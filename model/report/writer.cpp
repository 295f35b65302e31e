#include "model/report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::report {

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> kNames{"table", "wide", "json", "jsonl", "csv", "md", "html"};
  return kNames;
}

Format parse_format(std::string_view name) {
  const std::vector<std::string>& names = format_names();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) {
    throw InputError(InputError::Kind::usage, fmt::format("unknown format \"{}\"", name),
                     fmt::format("one of: {}", fmt::join(names, ", ")), {}, nearest_names(name, names));
  }
  return static_cast<Format>(it - names.begin());
}

Format format_of_file(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::string_view suffix = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  if (suffix == "txt") return Format::wide;
  if (suffix == "htm") return Format::html;
  if (suffix == "json" || suffix == "jsonl" || suffix == "csv" || suffix == "md" || suffix == "html") {
    return parse_format(suffix);
  }
  throw InputError(InputError::Kind::usage, fmt::format("the suffix of \"{}\" names no format", path),
                   "a file ending in .json, .jsonl, .csv, .md, .html or .txt");
}

std::string write(const Document& document, Format format, const TextTable& texts,
                  const WriteOptions& options) {
  switch (format) {
    case Format::table:
      return write_table(document, texts, options, false);
    case Format::wide:
      return write_table(document, texts, options, true);
    case Format::json:
      return write_json(document, texts, options);
    case Format::jsonl:
      return write_jsonl(document, texts);
    case Format::csv:
      return write_csv(document, texts);
    case Format::md:
      return write_markdown(document, texts, options);
    case Format::html:
      return write_html(document, texts, options);
  }
  return {};
}

std::vector<const Value*> main_rows(const Document& document) {
  std::vector<const Value*> rows;
  const Value* list = document.main_list.empty() ? nullptr : document.result.find(document.main_list);
  if (list == nullptr || !list->is_list()) return {&document.result};
  for (const Value& row : list->elements()) rows.push_back(&row);
  return rows;
}

Value explain_value(const Derivations& derivations) {
  Value list = Value::list();
  for (const Derivation& d : derivations) {
    Value inputs = Value::list();
    for (const Derivation::Input& input : d.inputs) {
      inputs.push(Value::object()
                      .add("name", input.name)
                      .add("value", input.value)
                      .add("source", input.source.empty() ? Value::unknown(Text("report.follows"))
                                                          : Value(input.source)));
    }
    list.push(Value::object()
                  .add("name", d.name)
                  .add("formula", d.formula)
                  .add("inputs", std::move(inputs))
                  .add("result", d.result));
  }
  return list;
}

std::vector<std::string> explain_lines(const Derivations& derivations) {
  std::vector<std::string> lines;
  for (const Derivation& d : derivations) {
    lines.push_back(fmt::format("{} = {}", d.name, d.formula));
    for (const Derivation::Input& input : d.inputs) {
      const std::string source = input.source.empty() ? "" : fmt::format("  [{}]", input.source);
      lines.push_back(fmt::format("    {} = {}{}", input.name, input.value, source));
    }
    lines.push_back(fmt::format("  = {}", d.result));
  }
  return lines;
}

}  // namespace roofplan::model::report
