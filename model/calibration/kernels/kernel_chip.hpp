#pragma once

#include "model/catalog/data_files.hpp"
#include "model/roofline/laws/scaled_law.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roofplan::model {

/// The chip of `files` that a table of kernel measurements means ("b200_sxm", "gb300", "rtx_pro_6000_server",
/// or an id of data/chips), with the dense rate of a format of the arithmetic ("bf16", "fp8", "int8",
/// "nvfp4"), of 16 bits where the chip has no faster one. Nothing for a name that is no chip of the
/// catalogue.
std::optional<LawChip> kernel_chip(const DataFiles& files, std::string_view system, std::string_view rate);

/// True where DRAM takes longer than 50 us to fill the L2 (GDDR beside a large L2; HBM takes 12 to 20): there
/// a benchmark that repeats a launch finds most weights in the L2, and a law needs to know to be right when
/// cold.
bool l2_outlives_launch(const LawChip& chip);

/// Its family ("hopper", "blackwell-consumer", ...), empty for a name that is no chip of the catalogue.
std::string chip_family(const DataFiles& files, std::string_view system);

}  // namespace roofplan::model
