#pragma once

#include "model/catalog/sources.hpp"
#include "model/hardware/system.hpp"

#include <functional>
#include <string>

namespace roofplan::model {

/// An accelerator from the text of a file of data/chips. Every field of `Chip` must be there, with a value
/// or with the reason why it is unknown. Throws InputError (content) with file and JSON pointer for unknown,
/// duplicate and missing keys, wrong units and values that contradict each other.
Chip read_chip(const std::string& text, const std::string& file, const Sources& sources);

/// A system from the text of a file of data/systems; `chip_of` finds the chip that it names. Errors as
/// read_chip.
System read_system(const std::string& text, const std::string& file, const Sources& sources,
                   const std::function<const Chip*(const std::string& id)>& chip_of);

/// The "id" of such a file, without reading the rest.
std::string read_id(const std::string& text, const std::string& file);

}  // namespace roofplan::model
