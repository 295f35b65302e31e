#include "model/catalog/scenario_fields.hpp"
#include "model/json/json.hpp"

#include <cmath>

namespace roofplan::model {

std::int64_t Load::open_requests() const {
  if (concurrency) return *concurrency;
  if (users)
    return std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::ceil(static_cast<double>(*users) * active_share)));
  return 1;
}

Load Load::times(double factor) const {
  Load out = *this;
  if (by_rate()) {
    out.rps = *rps * factor;
  } else {
    const double requests = static_cast<double>(open_requests()) * factor;
    out.concurrency = std::max<std::int64_t>(1, std::llround(requests));
  }
  return out;
}

namespace {

/// Writes a section into a JSON object. A field that equals the same field of `defaults` is left out unless
/// `complete`.
class Writer {
 public:
  Writer(Json& json, bool complete) : json_(json), complete_(complete) {}

  template <class T>
  void field(std::string_view key, const T& member, const FieldSpec& spec) {
    put(key, value(member, spec));
  }
  void degree(std::string_view key, const std::optional<std::int64_t>& member, const FieldSpec&) {
    put(key, member ? Json(*member) : Json("auto"));
  }
  template <class S>
  void section(std::string_view key, const S& member, std::string_view) {
    put(key, object(member));
  }
  template <class S>
  void section(std::string_view key, const std::optional<S>& member, std::string_view) {
    if (member) {
      put(key, object(*member));
    } else if (complete_) {
      put(key, nullptr);
    }
  }
  template <class S>
  void list(std::string_view key, const std::vector<S>& member, std::string_view) {
    Json out = Json::array();
    for (const S& element : member) out.push_back(object(element));
    put(key, std::move(out));
  }

 private:
  void put(std::string_view key, Json v) { json_[std::string(key)] = std::move(v); }

  template <class S>
  Json object(const S& member) const {
    Json out = Json::object();
    Writer writer(out, complete_);
    describe(writer, member);
    return out;
  }

  template <class T>
  static Json value(const std::optional<T>& member, const FieldSpec& spec) {
    return member ? value(*member, spec) : Json(nullptr);
  }
  template <class T>
  static Json value(const T& member, const FieldSpec&) {
    return member;
  }
  static Json value(PerSecond member, const FieldSpec&) { return number(member * unit::s); }
  static Json value(double member, const FieldSpec&) { return number(member); }
  template <class D>
  static Json value(const Quantity<D>& member, const FieldSpec& spec) {
    return number(member / quantity_in<Quantity<D>>(1, spec.unit));
  }
  /// Whole numbers are written without a fraction.
  static Json number(double v) {
    if (v == std::floor(v) && std::abs(v) < 0x1p53) return static_cast<std::int64_t>(v);
    return v;
  }

  Json& json_;
  bool complete_;
};

/// Takes out of `json` what equals `defaults`, sections that become empty included.
void drop_defaults(Json& json, const Json& defaults) {
  std::vector<std::string> same;
  for (auto& [key, member] : json.items()) {
    const auto it = defaults.find(key);
    if (it == defaults.end()) continue;
    if (member.is_object() && it->is_object()) drop_defaults(member, *it);
    if (member == *it || (member.is_object() && member.empty())) same.push_back(key);
  }
  for (const std::string& key : same) json.erase(key);
}

Json to_json(const Scenario& scenario, bool complete) {
  Json out = Json::object();
  out["schema"] = "roofplan.scenario";
  out["schema_version"] = 1;
  Writer writer(out, complete);
  describe(writer, scenario);
  return out;
}

}  // namespace

std::string scenario_json(const Scenario& scenario, bool complete) {
  Json json = to_json(scenario, complete);
  if (!complete) {
    const Json defaults = to_json(Scenario{}, false);
    for (auto& [key, member] : json.items()) {
      if (member.is_object() && defaults.contains(key)) drop_defaults(member, defaults.at(key));
    }
    std::vector<std::string> empty;
    for (const auto& [key, member] : json.items()) {
      if (member.is_object() && member.empty() && defaults.contains(key)) empty.push_back(key);
    }
    for (const std::string& key : empty) json.erase(key);
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace roofplan::model
