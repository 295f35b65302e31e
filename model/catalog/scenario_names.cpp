#include "model/catalog/scenario_names.hpp"

#include "model/catalog/model_reference.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

class Lookup {
 public:
  explicit Lookup(const Catalog& catalog) : catalog_(catalog) {}

  template <class Find>
  void look_up(std::string path, Find&& find) {
    try {
      find();
    } catch (const InputError& e) {
      found_.push_back({std::move(path), e});
    }
  }
  void weights(std::string path, const std::string& id) {
    const FormatTable& formats = catalog_.formats();
    look_up(std::move(path), [&] {
      if (id != "native" && formats.mix_if(id) == nullptr) formats.format(id);
    });
  }
  void system(std::string path, const std::string& id) {
    look_up(std::move(path), [&] { catalog_.systems().find(id); });
  }
  bool none() const { return found_.empty(); }
  std::vector<UnknownName> take() { return std::move(found_); }

 private:
  const Catalog& catalog_;
  std::vector<UnknownName> found_;
};

}  // namespace

std::vector<UnknownName> unknown_names(const Scenario& s, const Catalog& catalog) {
  Lookup names(catalog);
  names.weights("model.weights", s.model.weights);
  names.look_up("model.kv", [&] {
    if (s.model.kv != "native") catalog.formats().cache_format(s.model.kv);
  });
  if (!s.system.ref.empty() && s.system.ref != "this") names.system("system.ref", s.system.ref);
  // A version is written behind the engine's name or beside it, so the fault lies in the section.
  names.look_up("engine", [&] { catalog.engines().find(s.engine.ref, s.engine.version.value_or("")); });
  if (names.none() && !s.system.ref.empty() && !s.model.ref.empty()) {
    if (const System* system = catalog.systems().find_if(s.system.ref))
      names.look_up("engine",
                    [&] { catalog.engines().check_runs(catalog.engines().find(s.engine.ref), *system); });
  }
  for (std::size_t i = 0; i < s.limits.systems.size(); ++i)
    names.system(fmt::format("limits.systems.{}", i), s.limits.systems[i]);
  for (std::size_t i = 0; i < s.limits.formats.size(); ++i)
    names.weights(fmt::format("limits.formats.{}", i), s.limits.formats[i]);
  if (s.site.circuit) names.look_up("site.circuit", [&] { catalog.sites().circuit(*s.site.circuit); });
  if (s.money.tariff) names.look_up("money.tariff", [&] { catalog.sites().tariff(*s.money.tariff); });
  if (s.money.cloud && !s.money.prices)
    names.look_up("money.cloud", [&] { catalog.prices().price(*s.money.cloud); });
  return names.take();
}

InputError in_file(const UnknownName& name, const std::string& file) {
  std::string pointer = "/" + name.path;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return name.error.as(InputError::Kind::content).at({file, pointer, 0});
}

std::vector<InputError> scenario_file_problems(const std::string& file, const Catalog& catalog) {
  const std::string text = read_text_file(file);
  std::vector<InputError> problems = scenario_problems(text, file);
  if (!problems.empty()) return problems;
  const Scenario scenario = parse_scenario(text, file);
  if (!scenario.model.ref.empty()) {
    try {
      find_model(catalog, scenario.model.ref);
    } catch (const InputError& e) {
      problems.push_back(in_file({"model.ref", e}, file));
    }
  }
  for (const UnknownName& name : unknown_names(scenario, catalog)) problems.push_back(in_file(name, file));
  return problems;
}

}  // namespace roofplan::model
