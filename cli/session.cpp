#include "cli/session.hpp"

#include "cli/output/emit.hpp"
#include "cli/version.hpp"
#include "model/calibration/this_system.hpp"
#include "model/probe/back_end.hpp"
#include "model/sizing/quotations.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::string Session::overlay() const {
  const char* folder = std::getenv("ROOFPLAN_DATA");
  return arguments_.get_or("data", folder == nullptr ? "" : folder);
}

void Session::remark(const std::string& text) const {
  if (arguments_.has("verbose")) write_stderr(text);
}

const model::Catalog& Session::catalog() {
  if (!catalog_) {
    if (!overlay().empty()) remark("data: " + overlay() + " over the built-in");
    catalog_ = std::make_unique<model::Catalog>(overlay());
    add_this_machine();
  }
  return *catalog_;
}

const model::SpeedData& Session::speed_data() {
  if (!speed_data_) {
    speed_data_ = std::make_unique<model::SpeedData>(catalog());
    for (const std::string& file : arguments_.all("calibration"))
      speed_data_->add_calibration(model::read_calibration(file));
  }
  return *speed_data_;
}

/// The system `this`, from the calibration files of machines that were measured; the last one counts.
void Session::add_this_machine() {
  for (const std::string& file : arguments_.all("calibration")) {
    const model::Calibration calibration = model::read_calibration(file);
    auto files = model::this_system_files(calibration);
    const bool exchanges = model::measured_exchanges(calibration);
    if (files.empty() && exchanges)
      throw InputError(InputError::Kind::content,
                       "the calibration holds only what a team exchanged, which no answer takes",
                       "what roofplan calibrate writes of one process", {file, {}, 0});
    if (files.empty()) undetermined_ = file;
    for (auto& [path, text] : files) catalog_->lay_over(path, std::move(text), file);
    if (!calibration.device.measured_here()) continue;
    const auto here = probe::device_here(calibration.device.kind);
    of_this_.clear();
    if (!here || probe::fingerprint(*here) != calibration.device.fingerprint)
      of_this_.push_back(
          model::Text("calibration.elsewhere", {{"file", file}, {"device", calibration.device.name}}));
    if (exchanges) of_this_.push_back(model::Text("calibration.exchanges", {{"file", file}}));
  }
}

std::vector<std::string> Session::scenario_files() const {
  std::vector<std::string> files = arguments_.all("SCENARIO");
  for (std::string& file : arguments_.all("scenario")) files.push_back(std::move(file));
  return files;
}

model::Scenario Session::with_flags(model::Scenario scenario) const {
  take_amount(scenario);
  for (const auto& [option, value] : arguments_.given()) apply(scenario, *option, value);
  for (const std::string& setting : arguments_.all("set")) apply_setting(scenario, setting);
  return scenario;
}

/// The flag that says how much is asked of the systems takes the place of all that the scenario says of it.
void Session::take_amount(model::Scenario& scenario) const {
  const Option* first = nullptr;
  for (const auto& [option, value] : arguments_.given()) {
    if (option->path != "load.users" && option->path != "load.concurrency" && option->path != "load.rps")
      continue;
    if (first != nullptr)
      throw InputError(
          InputError::Kind::usage,
          fmt::format("{} and {} both say how much is asked", first->shown_name(), option->shown_name()),
          "one of them");
    first = option;
  }
  if (first == nullptr) return;
  scenario.load.users.reset();
  scenario.load.concurrency.reset();
  scenario.load.rps.reset();
}

model::Scenario Session::scenario_from(const std::string& file) const {
  if (!file.empty()) remark("scenario: " + file);
  return with_flags(file.empty() ? model::Scenario{} : model::load_scenario(file));
}

/// Quotations are read once, with the first scenario that names a file.
void Session::add_quotations(const model::Scenario& scenario) {
  if (!scenario.money.prices || quoted_) return;
  quoted_ = true;
  catalog();
  catalog_->add_prices(model::read_quotations(*scenario.money.prices, *catalog_));
}

std::string Session::scenario_file() const {
  const std::vector<std::string> files = scenario_files();
  return files.empty() ? "" : files.front();
}

const model::Scenario& Session::scenario() {
  if (scenario_) return *scenario_;
  if (const std::size_t files = scenario_files().size(); files > 1) {
    throw InputError(InputError::Kind::usage,
                     fmt::format("{} takes one scenario, not {}", arguments_.verb().name, files));
  }
  scenario_ = scenario_from(scenario_file());
  add_quotations(*scenario_);
  return *scenario_;
}

/// A name that came from a flag is usage; one that a scenario file holds is that file's content.
void Session::refuse_name(const model::UnknownName& name, const std::string& file) const {
  if (name.error.kind() != InputError::Kind::usage) throw name.error;
  const auto sets = [&](const std::string& path) {
    return path == name.path || name.path.starts_with(path + ".") || path.starts_with(name.path + ".");
  };
  for (const std::string& setting : arguments_.all("set"))
    if (sets(setting.substr(0, setting.find('=')))) throw name.error.at({"--set", {}, 0});
  for (const auto& [option, value] : arguments_.given())
    if (sets(option->path)) throw name.error.at({option->shown_name(), {}, 0});
  if (file.empty()) throw name.error;
  throw model::in_file(name, file);
}

void Session::check_names(const model::Scenario& scenario, const std::string& file) {
  const std::vector<model::UnknownName> unknown = model::unknown_names(scenario, catalog());
  if (!unknown.empty()) refuse_name(unknown.front(), file);
}

void Session::check_names() {
  check_names(scenario(), scenario_file());
}

model::ModelFile Session::find_model(const std::string& name, const std::string& file) {
  try {
    return model::find_model(catalog(), name, arguments_.has("assume"));
  } catch (const InputError& e) {
    refuse_name({"model.ref", e}, file);
  }
}

const model::ModelFile& Session::model() {
  if (model_) return *model_;
  const std::string& name = scenario().model.ref;
  if (name.empty())
    throw InputError(InputError::Kind::usage, "no model is named", "MODEL; roofplan models lists them");
  model_ = find_model(name, scenario_file());
  if (model_->inventory) {
    for (const std::string& file : model_->inventory->files) remark("model: " + file);
  }
  return *model_;
}

const model::System& Session::system() {
  const std::string& name = scenario().system.ref;
  if (name.empty()) {
    throw InputError(InputError::Kind::usage, "no system is named",
                     "--system S; roofplan systems lists them");
  }
  if (name == "this" && !catalog().files().contains("systems/this.json") && !undetermined_.empty()) {
    throw InputError(InputError::Kind::content, "the calibration determines no matrix product of a machine",
                     "what roofplan calibrate writes without --points", {undetermined_, {}, 0});
  }
  try {
    return catalog().systems().find(name);
  } catch (const InputError& e) {
    refuse_name({"system.ref", e}, scenario_file());
  }
}

std::vector<Session::Asked> Session::asked() {
  std::vector<std::string> files = scenario_files();
  if (files.empty()) files.emplace_back();
  std::vector<Asked> out;
  for (const std::string& file : files) {
    Asked& one = out.emplace_back(Asked{scenario_from(file), {}});
    add_quotations(one.scenario);
    check_names(one.scenario, file);
    if (!one.scenario.model.ref.empty()) one.model = find_model(one.scenario.model.ref, file);
  }
  return out;
}

model::report::Document Session::new_document() {
  model::report::Document document;
  document.verb = arguments_.verb().name;
  document.tool = this_program();
  if (!overlay().empty()) document.tool.data += "+overlay";
  return document;
}

model::report::Document Session::new_answer() {
  check_names();
  model::report::Document document = new_document();
  document.inputs = model::report::value_of_json(model::scenario_json(scenario()), "scenario");
  if (scenario().system.ref == "this") document.warnings = of_this_;
  const model::Load& load = scenario().load;
  if (arguments_.verb().plans_requests && load.by_rate())
    document.warnings.push_back(model::Text("load.rate_not_planned", {{"requests", load.open_requests()}}));
  return document;
}

}  // namespace roofplan::cli
