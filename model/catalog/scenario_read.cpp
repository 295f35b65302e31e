#include "model/catalog/scenario_fields.hpp"
#include "model/json/embedded.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace roofplan::model {
namespace {

constexpr std::string_view kSchema = "roofplan.scenario";
constexpr std::int64_t kSchemaVersion = 1;

/// Of ASCII alone: ids are ASCII, and the locale has no say in them.
char in_small_letters(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Fills a section from a JSON object. With a list of problems it notes each and goes on, without one it
/// throws at the first.
class Reader {
 public:
  Reader(const JsonReader& json, std::vector<InputError>* problems) : json_(json), problems_(problems) {}

  template <class T>
  void field(std::string_view key, T& member, const FieldSpec& spec) {
    guard([&] {
      if (const auto found = json_.find(key)) read(*found, member, spec);
    });
  }

  void degree(std::string_view key, std::optional<std::int64_t>& member, const FieldSpec& spec) {
    guard([&] {
      const auto found = json_.find(key);
      if (!found) return;
      if (found->is_string()) {
        if (found->as_string() != "auto")
          found->fail("no degree of parallelism", "a whole number or \"auto\"");
        member.reset();
      } else {
        read(*found, member, spec);
      }
    });
  }

  template <class S>
  void section(std::string_view key, S& member, std::string_view) {
    guard([&] {
      if (const auto found = json_.find(key)) read_section(*found, member);
    });
  }

  template <class S>
  void list(std::string_view key, std::vector<S>& member, std::string_view) {
    guard([&] {
      const auto found = json_.find(key);
      if (!found) return;
      member.clear();
      for (const JsonReader& element : found->elements()) read_section(element, member.emplace_back());
    });
  }

  void finish() {
    guard([&] { json_.finish(); });
  }

 private:
  template <class F>
  void guard(F&& f) {
    if (problems_ == nullptr) return f();
    try {
      f();
    } catch (const InputError& e) {
      problems_->push_back(e);
    }
  }

  template <class S>
  void read_section(const JsonReader& json, S& member) {
    if (!json.is_object()) json.fail("no object", "an object");
    Reader reader(json, problems_);
    describe(reader, member);
    reader.finish();
  }
  template <class S>
  void read_section(const JsonReader& json, std::optional<S>& member) {
    read_section(json, member.emplace());
  }

  static void check(const JsonReader& json, double value, const FieldSpec& spec) {
    if (value >= spec.low && value <= spec.high) return;
    json.fail(fmt::format("{} is out of range", value),
              fmt::format("{} to {}{}{}", spec.low, spec.high, spec.unit.empty() ? "" : " ", spec.unit));
  }

  template <class T>
  static void read(const JsonReader& json, std::optional<T>& member, const FieldSpec& spec) {
    read(json, member.emplace(), spec);
    if constexpr (std::is_same_v<T, std::string>)
      if (member->empty()) json.fail("an empty text", "a text, or null where there is none");
  }
  static void read(const JsonReader& json, std::string& member, const FieldSpec& spec) {
    member = spec.words.empty() ? json.as_string() : json.as_word(spec.words);
    if (spec.lower_case) std::transform(member.begin(), member.end(), member.begin(), in_small_letters);
  }
  static void read(const JsonReader& json, bool& member, const FieldSpec&) { member = json.as_bool(); }
  static void read(const JsonReader& json, double& member, const FieldSpec& spec) {
    member = json.as_number();
    check(json, member, spec);
  }
  static void read(const JsonReader& json, std::int64_t& member, const FieldSpec& spec) {
    const auto limit = [](double bound, std::int64_t none) {
      return std::isfinite(bound) ? static_cast<std::int64_t>(bound) : none;
    };
    member = json.as_integer(limit(spec.low, INT64_MIN), limit(spec.high, INT64_MAX));
  }
  static void read(const JsonReader& json, PerSecond& member, const FieldSpec& spec) {
    double value = json.as_number();
    check(json, value, spec);
    member = value / unit::s;
  }
  template <class D>
  static void read(const JsonReader& json, Quantity<D>& member, const FieldSpec& spec) {
    member = json.as_quantity<Quantity<D>>(spec.unit);
    check(json, member / quantity_in<Quantity<D>>(1, spec.unit), spec);
  }
  static void read(const JsonReader& json, std::vector<std::string>& member, const FieldSpec&) {
    member.clear();
    for (const JsonReader& element : json.elements()) member.push_back(element.as_string());
  }

  const JsonReader& json_;
  std::vector<InputError>* problems_;
};

void check_schema(const JsonReader& root) {
  const std::string schema = root.at("schema").as_string();
  if (schema != kSchema) root.at("schema").fail(fmt::format("this is \"{}\"", schema), std::string(kSchema));
  const JsonReader version = root.at("schema_version");
  if (version.as_integer() != kSchemaVersion) {
    version.fail(fmt::format("schema version {} is not known to this program", version.as_integer()),
                 std::to_string(kSchemaVersion));
  }
}

Scenario read_scenario(const Json& json, const std::string& file, std::vector<InputError>* problems) {
  Scenario out;
  // What the command line prints with -o json holds the scenario under "result".
  const bool enveloped = json.is_object() && json.contains("tool") && json.contains("result");
  const JsonReader root = enveloped ? JsonReader(json["result"], file, "/result") : JsonReader(json, file);
  check_schema(root);
  Reader reader(root, problems);
  describe(reader, out);
  reader.finish();
  return out;
}

/// The JSON that a value on the command line stands for: JSON where it parses as a number, list, object,
/// true, false or null; else the text itself.
Json value_from_text(std::string_view text) {
  try {
    Json parsed = parse_json(text, {});
    if (!parsed.is_string()) return parsed;
  } catch (const InputError&) {
    // A word or a quantity such as 40 kW.
  }
  return std::string(text);
}

/// The field at a path with dots. A list grows by one entry at a time, so that no number can ask for much
/// memory.
Json& field_at(Json& root, std::string_view path) {
  Json* at = &root;
  while (!path.empty()) {
    const std::string key(path.substr(0, path.find('.')));
    path.remove_prefix(std::min(path.size(), key.size() + 1));
    if (at->is_null() && key == "0") *at = Json::array();
    if (!at->is_array()) {
      at = &(*at)[key];
      continue;
    }
    std::size_t index = 0;
    const auto [end, fault] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (fault != std::errc() || end != key.data() + key.size() || index > at->size())
      throw InputError(InputError::Kind::usage, fmt::format("a list of {} has no entry {}", at->size(), key),
                       fmt::format("a number from 0 to {}", at->size()));
    if (index == at->size()) at->push_back(Json());
    at = &(*at)[index];
  }
  return *at;
}

/// Sets the field at a path as Reader would, without reading the others again.
class Setter {
 public:
  Setter(std::string_view path, const Json& value) : path_(path), value_(&value) {}

  template <class T>
  void field(std::string_view key, T& member, const FieldSpec& spec) {
    set(key, member, [&](Reader& reader, T& read) { reader.field(key, read, spec); });
  }
  void degree(std::string_view key, std::optional<std::int64_t>& member, const FieldSpec& spec) {
    set(key, member, [&](Reader& reader, auto& read) { reader.degree(key, read, spec); });
  }
  template <class S>
  void section(std::string_view key, S& member, std::string_view) {
    if (path_.size() <= key.size() || !path_.starts_with(key) || path_[key.size()] != '.') return;
    Setter inner(path_.substr(key.size() + 1), *value_);
    inner.walk(member);
    done_ = inner.done_;
  }
  template <class S>
  void list(std::string_view, std::vector<S>&, std::string_view) {}

  bool done() const { return done_; }

 private:
  template <class S>
  void walk(S& section) {
    describe(*this, section);
  }
  template <class S>
  void walk(std::optional<S>& section) {
    S changed = section.value_or(S{});
    describe(*this, changed);
    if (done_) section = std::move(changed);
  }

  /// A member keeps its value where the new one is refused.
  template <class T, class Read>
  void set(std::string_view key, T& member, Read read) {
    if (path_ != key) return;
    const Json object{{std::string(key), *value_}};
    const JsonReader json(object, {});
    Reader reader(json, nullptr);
    T changed = member;
    read(reader, changed);
    member = std::move(changed);
    done_ = true;
  }

  std::string_view path_;
  const Json* value_;
  bool done_ = false;
};

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& file) {
  const Json json = parse_json(text, file);
  return read_scenario(json, file, nullptr);
}

Scenario load_scenario(const std::string& path) {
  return parse_scenario(read_text_file(path), path);
}

std::vector<InputError> scenario_problems(std::string_view text, const std::string& file) {
  std::vector<InputError> problems;
  try {
    const Json json = parse_json(text, file);
    read_scenario(json, file, &problems);
  } catch (const InputError& e) {
    problems.push_back(e);
  }
  return problems;
}

void set_field(Scenario& scenario, std::string_view path, std::string_view value) {
  const Location where{std::string(path), {}, 0};
  try {
    Json set = value_from_text(value);
    if (!set.is_null()) {
      Setter setter(path, set);
      describe(setter, scenario);
      if (setter.done()) return;
    }
    // A list, a whole section, a default restored by null, or no such field.
    Json json = parse_json(scenario_json(scenario), {});
    field_at(json, path) = std::move(set);
    scenario = read_scenario(json, {}, nullptr);
  } catch (const InputError& e) {
    throw InputError(InputError::Kind::usage, e.message(), e.expected(), where, e.nearest());
  } catch (const Json::exception&) {
    throw InputError(InputError::Kind::usage, "no such field", "a path with dots such as system.count",
                     where);
  }
}

std::vector<std::string> sample_names() {
  constexpr std::string_view kFolder = "samples/", kSuffix = ".json";
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(kFolder)) continue;
    names.emplace_back(file.path.substr(kFolder.size(), file.path.size() - kFolder.size() - kSuffix.size()));
  }
  return names;
}

std::string sample_scenario(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == fmt::format("samples/{}.json", name)) return std::string(file.text);
  }
  const std::vector<std::string> names = sample_names();
  throw InputError(InputError::Kind::usage, fmt::format("there is no sample \"{}\"", name),
                   fmt::format("one of: {}", fmt::join(names, ", ")), {}, nearest_names(name, names));
}

}  // namespace roofplan::model
