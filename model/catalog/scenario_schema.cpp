#include "model/catalog/scenario_fields.hpp"
#include "model/json/json.hpp"

#include <cmath>

namespace roofplan::model {
namespace {

Json text(std::string_view t) {
  return std::string(t);
}

/// Describes a section as a JSON Schema object (draft 2020-12).
class Describer {
 public:
  explicit Describer(Json& properties) : properties_(properties) {}

  template <class T>
  void field(std::string_view key, const T& member, const FieldSpec& spec) {
    put(key, type(member, spec), spec.help);
  }
  void degree(std::string_view key, const std::optional<std::int64_t>&, const FieldSpec& spec) {
    Json number = {{"type", "integer"}, {"minimum", bound(spec.low)}};
    put(key, {{"anyOf", {{{"const", "auto"}}, number}}, {"default", "auto"}}, spec.help);
  }
  template <class S>
  void section(std::string_view key, const S& member, std::string_view help) {
    put(key, object(member), help);
  }
  template <class S>
  void section(std::string_view key, const std::optional<S>&, std::string_view help) {
    put(key, object(S{}), help);
  }
  template <class S>
  void list(std::string_view key, const std::vector<S>&, std::string_view help) {
    put(key, {{"type", "array"}, {"items", object(S{})}}, help);
  }

  template <class S>
  static Json object(const S& member) {
    Json properties = Json::object();
    Describer describer(properties);
    describe(describer, member);
    return {{"type", "object"}, {"additionalProperties", false}, {"properties", properties}};
  }

 private:
  void put(std::string_view key, Json schema, std::string_view help) {
    schema["description"] = text(help);
    properties_[std::string(key)] = std::move(schema);
  }
  static Json bound(double v) {
    if (v == std::floor(v)) return static_cast<std::int64_t>(v);
    return v;
  }
  static Json limited(Json schema, const FieldSpec& spec) {
    if (std::isfinite(spec.low)) schema["minimum"] = bound(spec.low);
    if (std::isfinite(spec.high)) schema["maximum"] = bound(spec.high);
    return schema;
  }

  template <class T>
  static Json type(const std::optional<T>&, const FieldSpec& spec) {
    Json schema = type(T{}, spec);
    schema.erase("default");
    return {{"anyOf", {schema, {{"type", "null"}}}}, {"default", nullptr}};
  }
  static Json type(const std::string& member, const FieldSpec& spec) {
    if (spec.words.empty()) return {{"type", "string"}, {"default", member}};
    return {{"enum", spec.words}, {"default", member}};
  }
  static Json type(bool member, const FieldSpec&) { return {{"type", "boolean"}, {"default", member}}; }
  static Json type(double member, const FieldSpec& spec) {
    return limited({{"type", "number"}, {"default", bound(member)}}, spec);
  }
  static Json type(std::int64_t member, const FieldSpec& spec) {
    return limited({{"type", "integer"}, {"default", member}}, spec);
  }
  static Json type(PerSecond, const FieldSpec& spec) { return limited({{"type", "number"}}, spec); }
  template <class D>
  static Json type(const Quantity<D>&, const FieldSpec& spec) {
    const Json number = limited({{"type", "number"}}, spec);
    const std::string help = "a number with its unit, else the number is in " + std::string(spec.unit);
    return {{"anyOf", {number, {{"type", "string"}, {"description", help}}}}};
  }
  static Json type(const std::vector<std::string>&, const FieldSpec&) {
    return {{"type", "array"}, {"items", {{"type", "string"}}}, {"default", Json::array()}};
  }

  Json& properties_;
};

}  // namespace

std::string scenario_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "roofplan.scenario"},
                 {"description", "What is asked of Roofplan. Keys not needed are left out."},
                 {"type", "object"},
                 {"required", {"schema", "schema_version"}},
                 {"additionalProperties", false}};
  Json properties = {{"schema", {{"const", "roofplan.scenario"}}}, {"schema_version", {{"const", 1}}}};
  const Json body = Describer::object(Scenario{});
  for (const auto& [key, member] : body.at("properties").items()) properties[key] = member;
  schema["properties"] = properties;
  return schema.dump(1) + "\n";
}

}  // namespace roofplan::model
