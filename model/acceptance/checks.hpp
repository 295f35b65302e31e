#pragma once

#include "model/acceptance/acceptance.hpp"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace roofplan::model {

// One function a kind of evidence; each adds its checks, outliers and remarks.

/// Bus bandwidth of the largest message of each run against fabric_time(), results, mapping and transport.
void check_collectives(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// The runs of the logs against each other: slow nodes, pairs and groups by a robust outlier test, swapped
/// ranks, mixed releases of the library.
void compare_collectives(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// Inventory, errors, slowdowns and work of the accelerators.
void check_devices(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// Drivers and models by node, and busy accelerators, against each other.
void compare_devices(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// Results of dcgmi diag, and Xids.
void check_diagnostics(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// Copies of nvbandwidth and ports of perftest, against the links' rates and against each other.
void check_links(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// Rates of llama-bench against the model's prediction, figures of calibration files against the datasheet,
/// and both against each other.
void check_engines(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// NVLinks between the accelerators of each node, and how near its network cards are, against the other
/// nodes.
void check_topologies(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

/// Whether the name that the driver gives is that of the chip; nothing where it names no product.
std::optional<bool> names_chip(const std::string& name, const Chip& chip);

/// The check of one run, by its largest message.
Check rate_check(const CollectiveRun& run, const Promise& promise);

/// A node and a word that its logs say of it; one node may say several.
using NodeWord = std::pair<std::string, std::string>;

/// An outlier for every word that is not that of most nodes.
void compare_words(const std::string& kind, const std::string& name, const std::set<NodeWord>& words,
                   Acceptance& acceptance);

/// A check of a number that passes from expected x (1 - tolerance) on.
Check at_least(std::string name, double measured, double expected, double tolerance, std::string unit);

/// A failed check of a rate that is more than a link carries at all; nothing where it is not.
std::optional<Check> above_line(std::string name, BytesPerSecond measured, BytesPerSecond most);

/// The accelerators that a node shows against those of the product. More than it has are no delivery of it,
/// which leaves the verdict open.
Check inventory_check(const std::string& node, std::int64_t seen, const Promise& promise);

/// The hosts of a run, each once, in order of rank.
std::vector<std::string> hosts_of(const CollectiveRun& run);

}  // namespace roofplan::model
