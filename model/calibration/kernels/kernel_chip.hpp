#pragma once

#include "model/roofline/laws/scaled_law.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roofplan::model {

/// The chip that a table of kernel measurements means ("b200_sxm", "gb300", "rtx_pro_6000_server", or an id
/// of data/chips), with the dense rate of a format of the arithmetic ("bf16", "fp8", "int8", "nvfp4"), of 16
/// bits where the chip has no faster one. Nothing for a name that is no chip of the catalogue.
std::optional<LawChip> kernel_chip(std::string_view system, std::string_view rate);

/// Its family ("hopper", "blackwell-consumer", ...), empty for a name that is no chip of the catalogue.
std::string chip_family(std::string_view system);

}  // namespace roofplan::model
