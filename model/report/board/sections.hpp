#pragma once

#include "model/report/board/board_report.hpp"

#include <vector>

namespace roofplan::model::report {

// The sections of the report, in its order. Those that need a plan are only for a case with a purchase.

using PageBlocks = std::vector<PageBlock>;

PageBlocks first_page(const BoardCase& board);
PageBlocks plans_section(const BoardCase& board);
PageBlocks bill_section(const BoardCase& board);
PageBlocks site_section(const BoardCase& board);
PageBlocks cost_section(const BoardCase& board);
PageBlocks sensitivity_section(const BoardCase& board);
PageBlocks risks_section(const BoardCase& board);
PageBlocks assumptions_section(const BoardCase& board);

}  // namespace roofplan::model::report
