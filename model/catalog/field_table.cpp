#include "model/catalog/field_table.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

using Type = FieldInfo::Type;

template <class T>
struct TypeOf {
  static constexpr Type value = Type::quantity;
};
template <>
struct TypeOf<std::string> {
  static constexpr Type value = Type::text;
};
template <>
struct TypeOf<bool> {
  static constexpr Type value = Type::boolean;
};
template <>
struct TypeOf<std::int64_t> {
  static constexpr Type value = Type::integer;
};
template <>
struct TypeOf<double> {
  static constexpr Type value = Type::number;
};
template <>
struct TypeOf<PerSecond> {
  static constexpr Type value = Type::number;
};
template <>
struct TypeOf<std::vector<std::string>> {
  static constexpr Type value = Type::list;
};
template <class T>
struct TypeOf<std::optional<T>> : TypeOf<T> {};

std::string shown(const std::string& value) {
  return value;
}
std::string shown(bool value) {
  return value ? "on" : "off";
}
std::string shown(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string shown(double value) {
  return fmt::format("{}", value);
}
/// Quantities, lists and optional values have no default worth printing.
template <class T>
std::string shown(const T&) {
  return {};
}

class Collector {
 public:
  Collector(std::vector<FieldInfo>& out, std::string prefix) : out_(out), prefix_(std::move(prefix)) {}

  template <class T>
  void field(std::string_view key, const T& member, const FieldSpec& spec) {
    add(key, spec.words.empty() ? TypeOf<T>::value : Type::word, spec, shown(member));
  }
  void degree(std::string_view key, const std::optional<std::int64_t>&, const FieldSpec& spec) {
    add(key, Type::degree, spec, "auto");
  }
  template <class S>
  void section(std::string_view key, const S&, std::string_view) {
    S fresh{};
    walk(key, fresh);
  }
  template <class S>
  void section(std::string_view key, const std::optional<S>&, std::string_view) {
    S fresh{};
    walk(key, fresh);
  }
  template <class S>
  void list(std::string_view, const std::vector<S>&, std::string_view) {}

 private:
  void add(std::string_view key, Type type, const FieldSpec& spec, std::string default_text) {
    out_.push_back({prefix_ + std::string(key), type, spec, std::move(default_text)});
  }
  template <class S>
  void walk(std::string_view key, S& section) {
    Collector inner(out_, fmt::format("{}{}.", prefix_, key));
    describe(inner, section);
  }

  std::vector<FieldInfo>& out_;
  std::string prefix_;
};

}  // namespace

const std::vector<FieldInfo>& scenario_field_table() {
  static const std::vector<FieldInfo> kTable = [] {
    std::vector<FieldInfo> out;
    Collector collector(out, "");
    Scenario scenario;
    describe(collector, scenario);
    return out;
  }();
  return kTable;
}

const FieldInfo& scenario_field(std::string_view path) {
  std::vector<std::string> paths;
  for (const FieldInfo& info : scenario_field_table()) {
    if (info.path == path) return info;
    paths.push_back(info.path);
  }
  throw InputError(InputError::Kind::usage, fmt::format("a scenario has no field \"{}\"", path), {}, {},
                   nearest_names(path, paths));
}

}  // namespace roofplan::model
