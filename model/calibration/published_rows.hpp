#pragma once

#include "model/calibration/table_layout.hpp"

#include <string>

namespace roofplan::model {

/// A table of published figures of whole systems: in each row one `metric` with its `value`, of a `system`
/// that runs a `model` with an `engine`, and a `note`.
class PublishedRows {
 public:
  /// `table` must outlive it.
  explicit PublishedRows(const CsvTable& table) : table_(table) {}

  std::string text(std::size_t row, const char* column) const;
  /// Throws InputError (content) for text that is no number.
  double number(std::size_t row, const char* column, double otherwise) const;
  const CsvTable& table() const { return table_; }
  /// The names and the metric of a row. It is excluded where its note marks it as an outlier or as
  /// speculative decoding, else unsupported for a reason that is still to be given.
  RowPrediction named(std::size_t row) const;

 private:
  const CsvTable& table_;
};

}  // namespace roofplan::model
