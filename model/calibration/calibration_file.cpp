#include "model/calibration/calibration_file.hpp"

#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

template <class List, class Name>
auto* named(List& list, std::string_view wanted, Name name) {
  const auto it =
      std::find_if(list.begin(), list.end(), [&](const auto& item) { return name(item) == wanted; });
  return it == list.end() ? nullptr : &*it;
}

template <class List, class Name>
[[noreturn]] void throw_unknown(std::string_view what, std::string_view wanted, const List& list, Name name) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(name(item));
  throw InputError(InputError::Kind::content, fmt::format("the calibration has no {} \"{}\"", what, wanted),
                   {}, {}, nearest_names(wanted, names));
}

const std::string& value_name(const CalibratedValue& value) {
  return value.name;
}
const std::string& law_name(const CalibratedLaw& law) {
  return law.law;
}

}  // namespace

bool CalibratedLaw::has(std::string_view name) const {
  return named(values, name, value_name) != nullptr;
}

double CalibratedLaw::value(std::string_view name) const {
  if (const CalibratedValue* found = named(values, name, value_name)) return found->value;
  throw_unknown("value", fmt::format("{}/{}", law, name), values, value_name);
}

std::string CalibratedLaw::choice(std::string_view name, std::string_view otherwise) const {
  const auto* found = named(choices, name, [](const auto& pair) -> const std::string& { return pair.first; });
  return found ? found->second : std::string(otherwise);
}

void CalibratedLaw::add(const FitResult& result, const std::vector<std::string>& units) {
  for (std::size_t i = 0; i < result.parameters.size(); ++i) {
    const FittedParameter& p = result.parameters[i];
    values.push_back({p.name, p.value, units.at(i), p.relative_std, p.determined});
  }
}

const CalibratedLaw* Calibration::find(std::string_view law) const {
  return named(fit, law, law_name);
}

const CalibratedLaw& Calibration::at(std::string_view law) const {
  if (const CalibratedLaw* found = find(law)) return *found;
  throw_unknown("law", law, fit, law_name);
}

void Calibration::set(CalibratedLaw law) {
  if (CalibratedLaw* found = named(fit, law.law, law_name)) {
    *found = std::move(law);
  } else {
    fit.push_back(std::move(law));
  }
}

}  // namespace roofplan::model
