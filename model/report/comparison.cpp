#include "model/report/comparison.hpp"

#include "model/report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

namespace roofplan::model::report {
namespace {

/// What tells elements of a list apart.
constexpr std::array<std::string_view, 12> kNaming = {
    "id", "name", "op", "phase", "system", "model", "engine", "metric", "params", "circuit", "part", "nodes"};
constexpr std::array<std::string_view, 5> kAside = {"schema", "schema_version", "tool", "warnings",
                                                    "sources"};

std::optional<double> number_of(const Value& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value.content())) return static_cast<double>(*n);
  if (const auto* d = std::get_if<double>(&value.content())) return *d;
  return std::nullopt;
}

const Value* member(const Value& object, std::string_view key) {
  for (const Value::Member& m : object.members()) {
    if (m.key == key) return &m.value;
  }
  return nullptr;
}

std::string name_of(const Value& element) {
  std::string out;
  const TextTable& texts = TextTable::of_language("en");
  for (const std::string_view key : kNaming) {
    const Value* found = member(element, key);
    if (found == nullptr || found->is_unknown()) continue;
    out += (out.empty() ? "" : " ") + csv_cell(*found, texts);
  }
  return out;
}

/// The names of the elements; nothing where they do not tell them apart.
std::vector<std::string> names_of(const Value& list) {
  std::vector<std::string> out;
  for (const Value& element : list.elements()) out.push_back(name_of(element));
  const std::set<std::string> distinct(out.begin(), out.end());
  if (distinct.size() != out.size() || distinct.contains("")) out.clear();
  return out;
}

class Comparer {
 public:
  explicit Comparer(double tolerance) : tolerance_(tolerance) {}

  void compare(const std::string& path, const Value& a, const Value& b) {
    if (a.is_object() && b.is_object()) return compare_members(path, a, b);
    if (a.is_list() && b.is_list()) return compare_elements(path, a, b);
    if (is_scalar(a) && is_scalar(b)) return compare_scalars(path, a, b);
    only(path, a, true);
    only(path, b, false);
  }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  static std::string below(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  /// Everything below a value that one side alone has.
  void only(const std::string& path, const Value& value, bool in_a) {
    if (value.is_object()) {
      for (const Value::Member& m : value.members()) only(below(path, m.key), m.value, in_a);
      return;
    }
    if (!is_scalar(value)) {
      const std::vector<std::string> names = names_of(value);
      for (std::size_t i = 0; i < value.elements().size(); ++i)
        only(fmt::format("{}[{}]", path, names.empty() ? std::to_string(i) : names[i]), value.elements()[i],
             in_a);
      return;
    }
    if (value.is_unknown()) return;
    Difference out;
    out.path = path;
    (in_a ? out.a : out.b) = value;
    out.in_a = in_a;
    out.in_b = !in_a;
    found_.push_back(std::move(out));
  }

  void compare_members(const std::string& path, const Value& a, const Value& b) {
    for (const Value::Member& m : a.members()) {
      const Value* other = member(b, m.key);
      if (other != nullptr) {
        compare(below(path, m.key), m.value, *other);
      } else {
        only(below(path, m.key), m.value, true);
      }
    }
    for (const Value::Member& m : b.members()) {
      if (member(a, m.key) == nullptr) only(below(path, m.key), m.value, false);
    }
  }

  void compare_elements(const std::string& path, const Value& a, const Value& b) {
    const std::vector<std::string> names_a = names_of(a), names_b = names_of(b);
    if (names_a.empty() || names_b.empty()) return compare_by_place(path, a, b);
    for (std::size_t i = 0; i < names_a.size(); ++i) {
      const std::string place = fmt::format("{}[{}]", path, names_a[i]);
      const auto at = std::find(names_b.begin(), names_b.end(), names_a[i]);
      if (at == names_b.end()) {
        only(place, a.elements()[i], true);
      } else {
        compare(place, a.elements()[i], b.elements()[static_cast<std::size_t>(at - names_b.begin())]);
      }
    }
    for (std::size_t i = 0; i < names_b.size(); ++i) {
      if (std::find(names_a.begin(), names_a.end(), names_b[i]) == names_a.end())
        only(fmt::format("{}[{}]", path, names_b[i]), b.elements()[i], false);
    }
  }

  void compare_by_place(const std::string& path, const Value& a, const Value& b) {
    const std::size_t both = std::min(a.elements().size(), b.elements().size());
    for (std::size_t i = 0; i < std::max(a.elements().size(), b.elements().size()); ++i) {
      const std::string place = fmt::format("{}[{}]", path, i);
      if (i < both) {
        compare(place, a.elements()[i], b.elements()[i]);
      } else {
        const bool in_a = i < a.elements().size();
        only(place, (in_a ? a : b).elements()[i], in_a);
      }
    }
  }

  void compare_scalars(const std::string& path, const Value& a, const Value& b) {
    Difference out;
    out.path = path;
    out.a = a;
    out.b = b;
    const auto x = number_of(a), y = number_of(b);
    if (x && y) {
      if (std::abs(*x - *y) <= tolerance_ * std::max(std::abs(*x), std::abs(*y))) return;
      if (*x != 0) out.relative = *y / *x - 1;
    } else {
      const TextTable& texts = TextTable::of_language("en");
      if (to_json(a, texts) == to_json(b, texts)) return;
    }
    found_.push_back(std::move(out));
  }

  double tolerance_;
  std::vector<Difference> found_;
};

Value change_of(const Difference& d) {
  const auto x = number_of(d.a), y = number_of(d.b);
  return x && y ? Value(*y - *x) : Value::unknown(Text("compare.no_numbers"));
}

Value relative_change_of(const Difference& d) {
  const bool from_zero = number_of(d.a) && number_of(d.b);
  return Value::known_or(d.relative, Text(from_zero ? "compare.from_zero" : "compare.no_numbers"));
}

/// One side's value; that it is missing, or null there, is said.
Value side_value(const Value& value, bool there) {
  if (!there) return Value::unknown(Text("compare.not_there"));
  return value.is_unknown() ? Value::unknown(Text("compare.null_there")) : value;
}

std::string shown(const Value& value, bool there, const TextTable& texts) {
  if (!there) return "-";
  const auto number = number_of(value);
  if (number && std::holds_alternative<double>(value.content())) return fmt::format("{:.6g}", *number);
  return csv_cell(value, texts);
}

}  // namespace

std::vector<Difference> differences(const Value& a, const Value& b, double tolerance) {
  Comparer comparer(tolerance);
  comparer.compare("", a, b);
  return comparer.take();
}

Value comparable(const Value& document) {
  Value out = Value::object();
  for (const Value::Member& m : document.members()) {
    if (std::find(kAside.begin(), kAside.end(), m.key) == kAside.end()) out.add(m.key, m.value);
  }
  return out;
}

void describe_comparison(Document& document, const std::vector<Difference>& found, const std::string& name_a,
                         const std::string& name_b, const TextTable& texts) {
  Value list = Value::list();
  Table table;
  table.columns = {Column(Text("compare.what")), Column(as_is(name_a), Column::Align::right),
                   Column(as_is(name_b), Column::Align::right),
                   Column(Text("compare.change"), Column::Align::right)};
  for (const Difference& d : found) {
    list.push(Value::object()
                  .add("path", d.path)
                  .add("a", side_value(d.a, d.in_a))
                  .add("b", side_value(d.b, d.in_b))
                  .add("kind", !d.in_a   ? "added"
                               : !d.in_b ? "removed"
                                         : "changed")
                  .add("change", change_of(d))
                  .add("relative_change", relative_change_of(d)));
    table.rows.push_back({Cell(d.path), Cell(shown(d.a, d.in_a, texts)), Cell(shown(d.b, d.in_b, texts)),
                          Cell(d.relative ? fmt::format("{:+.2f} %", *d.relative * 100) : "")});
  }
  document.result.add("equal", found.empty()).add("differences", std::move(list));
  document.main_list = "differences";
  if (found.empty()) {
    document.blocks.emplace_back(
        Paragraph{Text("compare.equal", {{"a", name_a}, {"b", name_b}}), Tone::good});
    return;
  }
  document.blocks.emplace_back(Paragraph{Text("compare.differ", {{"count", found.size()}})});
  document.blocks.emplace_back(std::move(table));
}

}  // namespace roofplan::model::report
