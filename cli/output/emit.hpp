#pragma once

#include "cli/arguments.hpp"
#include "model/report/document.hpp"
#include "model/report/text_table.hpp"

#include <string>
#include <string_view>

namespace roofplan::cli {

/// Writes text to standard output. A reader that has closed the pipe is no fault: the rest is dropped without
/// a word, and the answer is false. Throws InputError (missing) for any other failure, such as a full disk.
bool write_stdout(std::string_view text);

/// Writes a file whole or not at all; "-" is standard output.
void write_output(const std::string& file, std::string_view text);

/// A line on standard error.
void write_stderr(std::string_view text);

/// Throws InputError before anything is computed: usage where an --out file has a suffix without a format,
/// missing where a file could not be written.
void check_outputs(const Arguments& arguments);

/// Whether some output is md or html, for which a verb may have pages to show.
bool wants_pages(const Arguments& arguments);

/// Prints the document as -o says, and writes every --out file whole or not at all. Standard output gets the
/// document once, unless all of it goes to files only and no -o is given. What is `partial` leaves the files
/// named as they are and stands beside them, "this.partial.json" for this.json, which is told.
void emit(const model::report::Document& document, const Arguments& arguments,
          const model::report::TextTable& texts, bool partial = false);

}  // namespace roofplan::cli
