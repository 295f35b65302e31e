#include "model/report/utf8.hpp"
#include "model/report/writer.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {
namespace {

constexpr std::size_t kShortLine = 100;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

class Printer {
 public:
  Printer(const TextTable& texts, int indent) : texts_(texts), indent_(indent) {}

  void print(const Value& value, int depth) {
    if (value.is_object()) {
      print_members(value, depth);
    } else if (value.is_list()) {
      print_elements(value, depth);
    } else {
      out_ += scalar(value);
    }
  }
  std::string take() { return std::move(out_); }

 private:
  std::string scalar(const Value& value) const {
    struct Visitor {
      const TextTable& texts;
      std::string operator()(const Value::Unknown&) const { return "null"; }
      std::string operator()(bool b) const { return b ? "true" : "false"; }
      std::string operator()(std::int64_t n) const { return fmt::format("{}", n); }
      std::string operator()(double d) const { return fmt::format("{}", d); }
      std::string operator()(const std::string& s) const { return quoted(s); }
      std::string operator()(const Text& t) const { return quoted(texts.of(t)); }
      std::string operator()(const Value::List&) const { return "[]"; }
      std::string operator()(const Value::Object&) const { return "{}"; }
    };
    return std::visit(Visitor{texts_}, value.content());
  }

  void separate(bool first, int depth, bool one_line) {
    if (!first) out_ += one_line && indent_ > 0 ? ", " : ",";
    if (one_line) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(depth * indent_), ' ');
  }

  void print_members(const Value& value, int depth) {
    const bool one_line = indent_ == 0 || fits_one_line(value, depth);
    out_ += '{';
    bool first = true;
    for (const Value::Member& member : value.members()) {
      separate(first, depth + 1, one_line);
      first = false;
      out_ += quoted(member.key) + (indent_ > 0 ? ": " : ":");
      print(member.value, depth + 1);
      const auto* unknown = std::get_if<Value::Unknown>(&member.value.content());
      if (unknown == nullptr || unknown->reason.empty()) continue;
      separate(false, depth + 1, one_line);
      out_ +=
          quoted(member.key + "_reason") + (indent_ > 0 ? ": " : ":") + quoted(texts_.of(unknown->reason));
    }
    if (!first && !one_line) separate(true, depth, false);
    out_ += '}';
  }

  void print_elements(const Value& value, int depth) {
    const bool one_line = indent_ == 0 || fits_one_line(value, depth);
    out_ += '[';
    bool first = true;
    for (const Value& element : value.elements()) {
      separate(first, depth + 1, one_line);
      first = false;
      print(element, depth + 1);
    }
    if (!first && !one_line) separate(true, depth, false);
    out_ += ']';
  }

  bool fits_one_line(const Value& value, int depth) const {
    std::size_t length = static_cast<std::size_t>(depth * indent_);
    for (const Value& element : value.elements()) {
      if (!is_scalar(element)) return false;
      length += scalar(element).size() + 2;
    }
    for (const Value::Member& member : value.members()) {
      if (!is_scalar(member.value)) return false;
      length += member.key.size() + 4 + scalar(member.value).size() + 2;
      if (member.value.is_unknown()) return false;
    }
    return length <= kShortLine && (value.is_list() || depth >= 2);
  }

  const TextTable& texts_;
  int indent_;
  std::string out_;
};

Value tool_value(const Tool& tool) {
  return Value::object()
      .add("version", tool.version)
      .add("git", tool.git)
      .add("dirty", tool.dirty)
      .add("data", tool.data);
}

Value warning_list(const Document& document) {
  Value list = Value::list();
  for (const Text& warning : document.warnings) {
    list.push(Value::object().add("id", warning.key).add("text", warning));
  }
  return list;
}

Value source_list(const Document& document) {
  Value list = Value::list();
  for (const Source& source : document.sources) {
    list.push(Value::object()
                  .add("id", source.id)
                  .add("title", source.title)
                  .add("where", source.where)
                  .add("date_read", source.date_read));
  }
  return list;
}

}  // namespace

std::string to_json(const Value& value, const TextTable& texts, int indent) {
  Printer printer(texts, indent);
  printer.print(value, 0);
  return printer.take();
}

std::string write_json(const Document& document, const TextTable& texts, const WriteOptions& options,
                       int indent) {
  Value result = document.result;
  if (options.explain) result.add("explain", explain_value(document.derivations));
  const Value envelope = Value::object()
                             .add("schema", "roofplan." + document.verb)
                             .add("schema_version", document.schema_version)
                             .add("tool", tool_value(document.tool))
                             .add("inputs", document.inputs)
                             .add("result", std::move(result))
                             .add("warnings", warning_list(document))
                             .add("sources", source_list(document));
  return to_json(envelope, texts, indent) + "\n";
}

std::string write_jsonl(const Document& document, const TextTable& texts) {
  std::string out;
  for (const Value* row : main_rows(document)) out += to_json(*row, texts) + "\n";
  return out;
}

}  // namespace roofplan::model::report
