#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/probe/machine_law.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace roofplan::probe {

/// Fits every law of machine_law.hpp that the probes of a calibration determine, and sets them in it:
///
///   memory/read     bytes            -> "machine/stream"
///   memory/threads  threads          -> "machine/threads"
///   product/FORMAT  m, n, k, bytes   -> "machine/product/FORMAT"
///   attention/FORMAT bytes, flop     -> "machine/attention/FORMAT"
///   attention_products/KIND bytes, flop -> "machine/attention_products/KIND"
///   elementwise     bytes            -> "machine/elementwise"
///   copy/KIND       bytes            -> "machine/copy/KIND"
///   collective/KIND bytes, ranks     -> "machine/collective/KIND/RANKS"
///   collective_in_graph/KIND bytes, ranks -> "machine/collective_in_graph/KIND/RANKS"
///
/// A law with no more points than parameters is left out: nothing would tell how well it fits. Outliers do
/// not bend a fit (see fit_least_squares).
void fit_machine(model::Calibration& calibration);

std::optional<StreamLaw> stream_law(const model::Calibration& calibration);
std::optional<ThreadLaw> thread_law(const model::Calibration& calibration);
std::optional<RooflineLaw> product_law(const model::Calibration& calibration, std::string_view format);
std::optional<RooflineLaw> attention_law(const model::Calibration& calibration, std::string_view format);
std::optional<CopyLaw> elementwise_law(const model::Calibration& calibration);
std::optional<CopyLaw> copy_law(const model::Calibration& calibration, std::string_view kind);

std::optional<RooflineLaw> product_attention_law(const model::Calibration& calibration,
                                                 std::string_view kind);
std::optional<CopyLaw> collective_law(const model::Calibration& calibration, std::string_view kind, int ranks,
                                      bool in_graph);

}  // namespace roofplan::probe
