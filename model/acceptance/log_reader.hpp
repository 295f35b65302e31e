#pragma once

#include "model/acceptance/evidence.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// Hands out the next piece of a log; empty at its end.
using LogBytes = std::function<std::string_view()>;

/// Reads one log, of one tool or of several pasted or interleaved, of one host or of many, and adds what it
/// says to `evidence`. Never throws for its content: what cannot be read is a problem of the file. Memory is
/// bounded whatever the log's size: a line, some state for each of at most 4,096 origins, and findings.
void read_log(const LogBytes& bytes, const std::string& name, Evidence& evidence);
/// The same for a text at hand.
void read_log_text(std::string_view text, const std::string& name, Evidence& evidence);
/// The same for a file. Throws InputError (missing) when it cannot be opened.
void read_log_file(const std::string& path, Evidence& evidence);

/// The files that a list of paths names: a folder stands for every file below it, in order. Throws InputError
/// (missing) for a path that is not there.
std::vector<std::string> log_files(const std::vector<std::string>& paths);

/// The host that a file's name speaks of: its stem without words that name tools ("nccl-node07.log" is
/// "node07"); the folder's name where nothing else is left.
std::string node_of_file(const std::string& path);

}  // namespace roofplan::model
