#pragma once

#include "tests/llm_files/file_writers.hpp"

#include <filesystem>
#include <string>

namespace roofplan::test {

struct ProcessResult {
  int exit_code = 0;
  std::string out, err;
};

/// Runs a shell command in `folder` with the program first on PATH and an environment that says nothing about
/// colour, language or data.
ProcessResult run_shell(const std::string& command, const std::filesystem::path& folder);

std::string read_file(const std::filesystem::path& path);

}  // namespace roofplan::test
