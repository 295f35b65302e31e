#include "cli/output/emit.hpp"

#include "cli/output/terminal.hpp"
#include "model/json/json.hpp"
#include "model/probe/team/team.hpp"
#include "model/report/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <variant>
#include <vector>

namespace roofplan::cli {
namespace {

using model::InputError;
using model::report::Format;

/// Formats without a place for warnings.
bool drops_warnings(Format format) {
  return format == Format::csv || format == Format::jsonl;
}

/// A launch line or a script, which must stay one: whatever stands beside it would be run.
bool is_text_alone(const model::report::Document& document) {
  return document.blocks.size() == 1 &&
         std::holds_alternative<model::report::Verbatim>(document.blocks.front());
}

bool is_terminal_table(Format format) {
  return format == Format::table || format == Format::wide;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

bool write_stdout(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return true;
  if (errno == EPIPE) return false;
  throw InputError(InputError::Kind::missing, fmt::format("cannot be written: {}", std::strerror(errno)), {},
                   {"standard output", {}, 0});
}

void write_output(const std::string& file, std::string_view text) {
  if (file == "-") {
    write_stdout(text);
    return;
  }
  model::write_text_file(file, text);
}

void write_stderr(std::string_view text) {
  write_all(STDERR_FILENO, std::string(text) + "\n");
}

std::string partial_file(const std::string& file) {
  const std::filesystem::path whole(file);
  return (whole.parent_path() / whole.stem()).string() + ".partial" + whole.extension().string();
}

void check_outputs(const Arguments& arguments) {
  std::vector<std::string> files = arguments.all("save-scenario");
  for (const std::string& file : arguments.all("out")) {
    if (file == "-") continue;
    if (std::find(files.begin(), files.end(), file) != files.end())
      throw InputError(InputError::Kind::usage, fmt::format("{} would be written twice", file),
                       "a file of its own for each output", {"--out", {}, 0});
    files.push_back(file);
    try {
      model::report::format_of_file(file);
    } catch (const InputError& e) {
      throw e.at({"--out", {}, 0});
    }
  }
  for (const char* option : {"predictions", "ranges"}) {
    if (const auto file = arguments.get(option)) files.push_back(*file);
  }
  // Of several processes that a launcher started only the first writes.
  const auto launch =
      probe::launched([](const char* name) { return static_cast<const char*>(std::getenv(name)); });
  if (launch && launch->rank > 0) return;
  for (const std::string& file : files) {
    if (file != "-") model::check_writable(file);
  }
}

bool wants_pages(const Arguments& arguments) {
  const auto shows = [](Format format) { return format == Format::md || format == Format::html; };
  if (shows(model::report::parse_format(arguments.get_or("output", "table")))) return true;
  const std::vector<std::string> files = arguments.all("out");
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return file != "-" && shows(model::report::format_of_file(file));
  });
}

void emit(const model::report::Document& document, const Arguments& arguments,
          const model::report::TextTable& texts, bool partial) {
  const Format format = model::report::parse_format(arguments.get_or("output", "table"));
  model::report::WriteOptions options;
  options.explain = arguments.has("explain");

  bool to_stdout = arguments.has("output") || !arguments.has("out");
  for (const std::string& file : arguments.all("out")) {
    if (file == "-") {
      to_stdout = true;
      continue;
    }
    const std::string to = partial ? partial_file(file) : file;
    model::write_text_file(to, write(document, model::report::format_of_file(file), texts, options));
    if (partial)
      write_stderr(fmt::format("roofplan: interrupted: what there is stands in {}, not in {}", to, file));
  }
  if (!to_stdout) return;
  const bool text_alone = is_text_alone(document) && is_terminal_table(format);
  if ((drops_warnings(format) || text_alone) && !arguments.has("quiet")) {
    for (const model::Text& warning : document.warnings) write_stderr("warning: " + texts.of(warning));
  }
  if (text_alone) {
    write_stdout(std::get<model::report::Verbatim>(document.blocks.front()).text);
    return;
  }
  options.width = terminal_width();
  options.colour = wants_colour(arguments.get_or("color", "auto"));
  write_stdout(write(document, format, texts, options));
}

}  // namespace roofplan::cli
