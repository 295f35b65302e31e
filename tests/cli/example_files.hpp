#pragma once

#include "tests/llm_files/file_writers.hpp"

namespace roofplan::test {

/// Writes what the examples of --help name as files: the samples (lab.json, desk.json, ...), two shards of a
/// sweep, two answers, logs of acceptance tests.
void write_example_files(const TemporaryFolder& folder);

}  // namespace roofplan::test
