#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/calibration/serving_table.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roofplan::model {

/// The rows of one engine that its numbers are fitted to: one pool, precision, concurrency and both times
/// stated, exclusion rules passed.
///
/// The time between tokens is fitted first, at the batch that the measured times tell (Little's law over the
/// cycle of a request), so that it does not lean on the first token. There it is affine in the engine's
/// overheads (time_between_tokens()), so it is evaluated once per row and overhead, and fits with rows left
/// out cost next to nothing. The first token is fitted after it, at the same batch.
class EngineFit {
 public:
  /// `table` must outlive it. Throws InputError as the table does.
  EngineFit(ServingTable& table, const std::string& engine);

  std::size_t rows() const { return rows_.size(); }
  /// The engine with its numbers fitted to the rows whose `column` is not `value`; an empty column leaves
  /// none out. Nothing where fewer than four rows a parameter remain. Each parameter has a plausible range
  /// and a prior that counts as much as 25 rows that miss by 10 %: rows of few models determine some of
  /// them only together. Families of versions with eight rows and more get a factor on every time, 1 the
  /// prior, since software of one engine differs by some 10 % from family to family.
  std::optional<EngineSpeed> fitted(const std::string& column = {}, const std::string& value = {}) const;
  /// The same as laws, "engine/between_tokens" and "engine/first_token", with how well they are determined.
  std::vector<CalibratedLaw> laws() const;

 private:
  /// A time that is affine in the overheads between tokens.
  struct AffineTime {
    double base_s = 0;               ///< with all overheads at their origin
    std::vector<double> per_unit_s;  ///< more per unit of each

    double seconds(std::span<const double> overheads) const;
  };
  struct Row {
    std::size_t row = 0;
    std::string family;                               ///< of the engine's version
    double batch = 1, others = 0;                     ///< sequences that decode; other requests
    double between_s = 0, first_s = 0, decode_s = 0;  ///< measured; decode_s from first to last token
    double prompt_tokens = 0;
    AffineTime between, step;  ///< at that batch
    AffineTime alone, queued;  ///< prompt_times()
  };
  struct Result;

  Row measure(std::size_t row, const std::vector<ServedDeployment>& variants) const;
  Result fit(const std::string& column, const std::string& value) const;

  ServingTable& table_;
  EngineSpeed start_;
  std::vector<Row> rows_;
};

/// Predictions of every row that an engine fitted without it gives, by the values of `column` ("model" or
/// "system"); rows of engines that nothing else determines are left as they are.
std::vector<RowPrediction> predict_left_out(ServingTable& table, const std::string& column);

}  // namespace roofplan::model
