#pragma once

#include "model/export/engine_launch.hpp"
#include "model/export/training_script.hpp"
#include "model/report/document.hpp"

#include <string>

namespace roofplan::model::report {

/// `text`, the file itself, and `settings` that it carries; warnings for what whoever launches must choose.
void describe_export(Document& document, const LaunchSettings& settings, const std::string& text);

/// The same for the job file of a training run.
void describe_training(Document& document, const TrainingSettings& settings, const std::string& text);

}  // namespace roofplan::model::report
