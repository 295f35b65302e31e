#pragma once

#include "cli/arguments.hpp"
#include "model/catalog/catalog.hpp"
#include "model/catalog/model_reference.hpp"
#include "model/catalog/scenario.hpp"
#include "model/catalog/scenario_names.hpp"
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
  /// A scenario whose names are known, with the model that it names, if any.
  struct Asked {
    model::Scenario scenario;
    std::optional<model::ModelFile> model;
  };
  /// A scenario overridden by flags, overridden by --set. Throws InputError (usage), also for two flags of
  /// which only one could count.
  model::Scenario with_flags(model::Scenario scenario) const;
  /// One for each file named, each with the same flags; where none is named, that of the flags. Throws
  /// InputError as `model`.
  std::vector<Asked> asked();

  /// The model and the system that the scenario names. Throws InputError: usage where a flag names none that
  /// is known, content where a scenario file does.
  const model::ModelFile& model();
  const model::System& system();

  /// Throws InputError as `model` for a name in the scenario that is not known, beside the model's.
  void check_names();
  /// A document of this verb without inputs.
  model::report::Document new_document();
  /// A document whose inputs are the scenario, once its names are known to exist. Throws InputError as
  /// `model`.
  model::report::Document new_answer();

 private:
  model::Scenario scenario_from(const std::string& file) const;
  void take_amount(model::Scenario& scenario) const;
  std::vector<std::string> scenario_files() const;
  std::string overlay() const;
  void add_quotations(const model::Scenario& scenario);
  void add_this_machine();
  /// A line on standard error where -v asks for it.
  void remark(const std::string& text) const;
  [[noreturn]] void refuse_name(const model::UnknownName& name, const std::string& file) const;
  void check_names(const model::Scenario& scenario, const std::string& file);
  model::ModelFile find_model(const std::string& name, const std::string& file);
  /// The file of the one scenario; empty where none is named.
  std::string scenario_file() const;

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
