#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/fabric/domain_law.hpp"
#include "model/fabric/engine_all_reduce.hpp"

#include <string_view>
#include <vector>

namespace roofplan::model {

/// One measured call.
struct CollectivePoint {
  Message message;
  Seconds time;
};

/// The law that times it inside a domain: "collective/ring", or "collective/exchange" of all-to-all and
/// send/recv.
std::string_view domain_law_name(Collective op);

/// A law without fitted parameters for a measured or catalogue system: its wire and the ranks of one node,
/// told by the name ("b200_sxm", "dgx-h100", "gb200", ...). Throws InputError (content) for a name whose chip
/// is unknown.
DomainLaw unfitted_domain_law(std::string_view system);

/// Fits the library's collectives inside one domain: one set of parameters for all-reduce, all-gather,
/// reduce-scatter and broadcast ("collective/ring"), one for all-to-all and send/recv
/// ("collective/exchange"). A set whose operations have no points, or fewer than parameters, is left out.
/// Throws InputError (content) for non-positive sizes or times.
std::vector<CalibratedLaw> fit_domain_law(const DomainLaw& unfitted,
                                          const std::vector<CollectivePoint>& points);

/// Fits the engine's own all-reduce ("collective/engine_all_reduce") given the library's law.
CalibratedLaw fit_engine_all_reduce(const DomainLaw& library, const std::vector<CollectivePoint>& points);

/// The laws of a calibration, or nothing where it does not have them.
std::optional<DomainLaw> domain_law(const Calibration& calibration);
std::optional<EngineAllReduceLaw> engine_all_reduce_law(const Calibration& calibration);

}  // namespace roofplan::model
