#include "cli/completion/completion.hpp"
#include "cli/help.hpp"
#include "cli/verbs/all.hpp"
#include "cli/version.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

/// Text for roff: backslashes and leading dots and quotes lose their meaning, hyphens stay hyphens.
std::string roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string items(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(usage_of(option)), roff(description_of(option)));
  }
  return out;
}

}  // namespace

std::string manual_page() {
  std::string out = fmt::format(".TH ROOFPLAN 1 \"\" \"roofplan {}\"\n", this_program().version);
  out += ".SH NAME\nroofplan \\- capacity, memory, speed and cost planning for AI systems\n";
  out += ".SH SYNOPSIS\n.B roofplan\n[global flags] VERB [arguments]\n.SH VERBS\n";
  for (const Verb& verb : all_verbs()) {
    out += fmt::format(".SS {}\n{}.\n.PP\n.B {}\n", verb.name, roff(verb.summary), roff(synopsis(verb)));
    out += items(verb.positionals) + items(verb.options);
    if (!verb.examples.empty()) out += ".PP\nExamples:\n.nf\n";
    for (const std::string& example : verb.examples) out += roff(example) + "\n";
    if (!verb.examples.empty()) out += ".fi\n";
  }
  out += ".SH GLOBAL FLAGS\n" + items(global_options());
  for (const auto& [title, topic] : {std::pair{"EXIT STATUS", "exit-codes"},
                                     {"OUTPUT FORMATS", "formats"},
                                     {"ENVIRONMENT", "environment"}}) {
    out += fmt::format(".SH {}\n.nf\n{}.fi\n", title, roff(help_page(topic)));
  }
  return out;
}

}  // namespace roofplan::cli
