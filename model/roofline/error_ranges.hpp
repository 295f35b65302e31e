#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/roofline/engine_speed.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofplan::model {

/// What an estimate is of. Ranges are kept for the times of these, whatever a table measured.
enum class Estimate {
  token_alone,  ///< between two tokens of the only open request
  token,        ///< between two tokens, several requests open
  first_token,
  prefill,
  throughput,  ///< between two tokens of all requests together, as many open as fit
  kernel,      ///< one launch
};
const char* to_text(Estimate estimate);

/// Factors of an estimated time between which 80 % of the measured times lay: the 10th and 90th percentile
/// of measured / estimated, 1 always inside. An 80 % prediction interval by ranks of exchangeable residuals
/// (Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005, chapter 2).
struct ErrorRange {
  double low = 1, high = 1;
  std::size_t n = 0;  ///< measured rows behind it

  /// Wider by something else unknown, independent of it and normal in the logarithm: in quadrature with
  /// 1.282 standard deviations `log_spread` on each side.
  ErrorRange widened(double log_spread) const;
};

/// data/ranges.json: by subject (an engine, an engine's separate pools, a kernel of a chip), estimate and
/// what the estimate rests on. `validate --ranges` makes the file from tables of measurements.
class ErrorRanges {
 public:
  using Basis = EngineSpeed::Basis;
  using Entries = std::map<std::pair<Estimate, Basis>, ErrorRange>;

  /// The subject that holds the rows of all engines together.
  static constexpr const char* kAnyEngine = "any engine";
  /// The subject of the decode steps that this machine measured itself, with the basis `machine`.
  static constexpr const char* kThisMachine = "this machine";
  /// The engine that adds nothing to the kernels.
  static constexpr const char* kBareKernels = "ideal";
  /// The subject of an engine's separate pools.
  static std::string pools_of(std::string_view engine);

  ErrorRanges() = default;
  /// Throws InputError (content) for a malformed file and where a range of `kAnyEngine` is missing.
  ErrorRanges(const DataFiles& files, const Sources& sources);

  void add(const std::string& subject, Estimate estimate, Basis basis, const ErrorRange& range);
  /// The very range, or nullptr.
  const ErrorRange* find(std::string_view subject, Estimate estimate, Basis basis) const;
  /// The range to state: the subject's own, else of a kindred estimate, else that of any engine; never
  /// narrower than on a stronger basis, as what was carried over cannot be known better than what was fitted.
  /// On the machine at hand with steps of its own: those, times what the engine errs by on fitted chips;
  /// first tokens and prefill, of which it has none, as carried over.
  ErrorRange of(std::string_view subject, Estimate estimate, Basis basis) const;
  const std::map<std::string, Entries, std::less<>>& all() const { return subjects_; }
  /// Of the tables behind the ranges, ids of data/sources.json.
  const std::vector<std::string>& sources() const { return sources_; }

 private:
  const ErrorRange* nearest(std::string_view subject, Estimate estimate, Basis basis) const;

  std::map<std::string, Entries, std::less<>> subjects_;
  std::vector<std::string> sources_;
};

const char* to_text(EngineSpeed::Basis basis);

}  // namespace roofplan::model
