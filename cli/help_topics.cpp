#include "cli/help_topics.hpp"

#include "model/catalog/field_table.hpp"

#include <fmt/format.h>

namespace roofplan::cli {
namespace {

std::string exit_codes_page() {
  return R"(What roofplan returns

    0  done
    1  the answer is no: does not fit, no plan meets the limits, acceptance failed, comparison differs
    2  usage: unknown verb, flag or name, or a flag's value out of range
    3  the content of a file is bad
    4  a needed file, device or library is missing
    5  stopped at a limit or interrupted after partial results were printed
   70  a fault of roofplan itself
  130  interrupted before any result
)";
}

std::string formats_page() {
  return R"(Formats of output: -o FORMAT on standard output, --out FILE by suffix

  table  for people; follows the width of the terminal (default)
  wide   the same with every column and with the sources (.txt)
  json   one document: schema, schema_version, tool, inputs, result, warnings, sources
  jsonl  one line for each row of the verb's main list, else the result in one line
  csv    RFC 4180; the main list, else one row with dotted keys; dot decimals in every locale
  md     Markdown
  html   a page that needs nothing beside itself and prints well

Keys of JSON and CSV carry their units and are stable: they are only ever added to. Tables may change.
An unknown x is null beside x_reason. Where a value has a range: x, x_low, x_high.
Data goes to standard output, everything else to standard error. GB is 1e9 bytes, GiB is 2^30 bytes.

Number formats of weights and cache (--weights, --kv)

  native fp32 bf16 fp16 fp8 int8 mxfp8 mxfp4 nvfp4 int4 nf4 awq gptq, and GGUF types q2_k ... q8_0, iq*
  int4 is exactly four bits a parameter, an idealisation; the others carry their scales.
)";
}

std::string environment_page() {
  return R"(Environment variables

  NO_COLOR        not empty: no colour
  CLICOLOR_FORCE  not empty and not 0: colour even in a pipe
  TERM            dumb: no colour
  ROOFPLAN_DATA   a folder whose data files replace the built-in ones, as --data

--color {auto,always,never} overrides the first three, --data the last.
)";
}

std::string fields_page() {
  std::string out = "Fields of a scenario, for --set path=value and scenario files\n\n";
  for (const model::FieldInfo& info : model::scenario_field_table()) {
    out += fmt::format("  {:<34} {}", info.path, info.spec.help);
    if (!info.spec.words.empty()) out += fmt::format(" ({})", fmt::join(info.spec.words, ", "));
    if (!info.spec.unit.empty()) out += fmt::format(" [{}]", info.spec.unit);
    if (info.spec.words.empty() && !info.default_text.empty()) {
      out += fmt::format(" (default {})", info.default_text);
    }
    out += '\n';
  }
  return out;
}

}  // namespace

const std::vector<HelpTopic>& topic_pages() {
  static const std::vector<HelpTopic> kPages{{"exit-codes", exit_codes_page},
                                             {"formats", formats_page},
                                             {"environment", environment_page},
                                             {"fields", fields_page}};
  return kPages;
}

}  // namespace roofplan::cli
