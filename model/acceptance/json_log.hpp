#pragma once

#include "model/acceptance/text_reader.hpp"

namespace roofplan::model {

class JsonReader;

// One function a kind of document; each throws InputError (content) where the document is not as the tool
// writes it. `line` is where it starts in the log.

/// dcgmi diag -j of DCGM 3 ("DCGM GPU Diagnostic") and 4 ("DCGM Diagnostic").
void read_dcgm_diag(const JsonReader& root, const ReadingDesk& desk, long line);
/// nvbandwidth -j.
void read_nvbandwidth(const JsonReader& root, const ReadingDesk& desk, long line);
/// llama-bench -o json (a list) and -o jsonl (one object).
void read_llama_bench(const JsonReader& root, const ReadingDesk& desk, long line);
/// A calibration file, schema roofplan.calibration.
void read_calibrated(const JsonReader& root, const ReadingDesk& desk, long line);

}  // namespace roofplan::model
