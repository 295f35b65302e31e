#pragma once

#include "model/acceptance/text_reader.hpp"

namespace roofplan::model {

class JsonReader;

// One function a kind of document; each throws InputError (content) where the document is not as the tool
// writes it. `line` is where it starts in the log.

/// dcgmi diag -j of DCGM 3 ("DCGM GPU Diagnostic") and 4 ("DCGM Diagnostic").
void read_dcgm_diag(const JsonReader& root, const ReadingDesk& desk, long line);

}  // namespace roofplan::model
