#pragma once

#include "cli/exit_code.hpp"
#include "cli/option.hpp"
#include "model/report/document.hpp"

#include <string>
#include <vector>

namespace roofplan::cli {

class Session;

/// What a verb hands back: the document to print and what the program returns.
struct Outcome {
  model::report::Document document;
  int exit_code = exit_code::kDone;
  bool printed = false;      ///< the verb has written its rows itself, as they came
  bool interrupted = false;  ///< the document holds only what there was until then
};

/// A verb, as data. A new verb is a file in cli/verbs with such a table and its run, and a line in
/// cli/verbs/all.cpp.
struct Verb {
  std::string name;
  std::string summary;                ///< one line, without a full stop
  std::vector<std::string> examples;  ///< whole command lines, simplest first; tests run them
  std::vector<Option> positionals;    ///< in order; only the last may repeat
  std::vector<Option> options;
  bool plans_requests = false;  ///< answers for a number of open requests, which a rate is not
  Outcome (*run)(Session&) = nullptr;
};

}  // namespace roofplan::cli
