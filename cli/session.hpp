#pragma once

#include "cli/arguments.hpp"
#include "model/catalog/catalog.hpp"
#include "model/catalog/model_reference.hpp"
#include "model/catalog/scenario.hpp"
#include "model/report/document.hpp"
#include "model/report/text_table.hpp"
#include "model/calibration/speed_data.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::cli {

/// What a verb works with: its arguments, the scenario that they make, and the catalogue. Everything is
/// loaded on first use.
class Session {
 public:
  explicit Session(Arguments arguments);

  const Arguments& arguments() const { return arguments_; }
  const model::report::TextTable& texts() const { return *texts_; }
  bool explain() const { return arguments_.has("explain"); }

  /// What is known: the data compiled in, with that of --data or $ROOFPLAN_DATA over it.
  const model::Catalog& catalog();
  /// What speed rests on, with the files of --calibration before the catalogue's.
  const model::SpeedData& speed_data();

  /// The scenario: a file where one is named, overridden by flags, overridden by --set. Throws InputError.
  const model::Scenario& scenario();
  /// One scenario for each file named, each with the same flags; where none is named, that of the flags.
  std::vector<model::Scenario> scenarios();

  /// The model and the system that the scenario names. Throws InputError: usage where a flag names none that
  /// is known, content where a scenario file does.
  const model::ModelFile& model();
  const model::System& system();

  /// Throws InputError as `model` for formats and an engine that are not known.
  void check_formats_and_engine();
  /// A document of this verb without inputs.
  model::report::Document new_document();
  /// A document whose inputs are the scenario, once its formats and its engine are known to exist. Throws
  /// InputError as `model`.
  model::report::Document new_answer();

 private:
  model::Scenario scenario_from(const std::string& file) const;
  std::vector<std::string> scenario_files() const;
  std::string overlay() const;
  void add_quotations(const model::Scenario& scenario);
  void add_this_machine();
  /// A line on standard error where -v asks for it.
  void remark(const std::string& text) const;
  [[noreturn]] void refuse_name(const model::InputError& error, std::string_view path) const;

  Arguments arguments_;
  const model::report::TextTable* texts_;
  std::unique_ptr<model::Catalog> catalog_;
  std::unique_ptr<model::SpeedData> speed_data_;
  bool quoted_ = false;
  std::optional<model::ModelFile> model_;
  std::optional<model::Scenario> scenario_;
  std::vector<model::Text> of_this_;  ///< what to know of the calibration file behind the system `this`
  std::string undetermined_;          ///< a calibration file that tells nothing of the system `this`
};

}  // namespace roofplan::cli
