#include "cli/session.hpp"

#include "cli/version.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace roofplan::cli {
namespace {

using model::InputError;

void apply(model::Scenario& scenario, const Option& option, const std::string& value) {
  try {
    if (option.apply != nullptr) return option.apply(scenario, value);
    if (!option.path.empty()) model::set_field(scenario, option.path, field_value(option, value));
  } catch (const InputError& e) {
    throw InputError(InputError::Kind::usage, e.message(), e.expected(), {option.shown_name(), {}, 0},
                     e.nearest());
  }
}

void apply_setting(model::Scenario& scenario, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(InputError::Kind::usage, fmt::format("\"{}\" sets nothing", setting),
                     "path=value, for example system.count=2", {"--set", {}, 0});
  }
  model::set_field(scenario, setting.substr(0, equals), setting.substr(equals + 1));
}

}  // namespace

Session::Session(Arguments arguments)
    : arguments_(std::move(arguments)),
      texts_(&model::report::TextTable::of_language(arguments_.get_or("lang", "en"))) {}

const model::Catalog& Session::catalog() {
  if (!catalog_) {
    const char* folder = std::getenv("ROOFPLAN_DATA");
    catalog_ = std::make_unique<model::Catalog>(arguments_.get_or("data", folder == nullptr ? "" : folder));
  }
  return *catalog_;
}

std::vector<std::string> Session::scenario_files() const {
  std::vector<std::string> files = arguments_.all("SCENARIO");
  for (std::string& file : arguments_.all("scenario")) files.push_back(std::move(file));
  return files;
}

model::Scenario Session::scenario_from(const std::string& file) const {
  model::Scenario scenario = file.empty() ? model::Scenario{} : model::load_scenario(file);
  for (const auto& [option, value] : arguments_.given()) apply(scenario, *option, value);
  for (const std::string& setting : arguments_.all("set")) apply_setting(scenario, setting);
  return scenario;
}

const model::Scenario& Session::scenario() {
  if (scenario_) return *scenario_;
  const std::vector<std::string> files = scenario_files();
  if (files.size() > 1) {
    throw InputError(InputError::Kind::usage,
                     fmt::format("{} takes one scenario, not {}", arguments_.verb().name, files.size()));
  }
  scenario_ = scenario_from(files.empty() ? "" : files.front());
  return *scenario_;
}

std::vector<model::Scenario> Session::scenarios() {
  std::vector<model::Scenario> out;
  for (const std::string& file : scenario_files()) out.push_back(scenario_from(file));
  if (out.empty()) out.push_back(scenario());
  return out;
}

model::report::Document Session::new_document() {
  model::report::Document document;
  document.verb = arguments_.verb().name;
  document.tool = this_program();
  return document;
}

}  // namespace roofplan::cli
