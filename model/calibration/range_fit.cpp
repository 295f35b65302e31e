#include "model/calibration/range_fit.hpp"

#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace roofplan::model {
namespace {

using State = RowPrediction::State;
using Ratios = std::map<std::tuple<std::string, Estimate, EngineSpeed::Basis>, std::vector<double>>;

/// Kernels come in hundreds; of served rows fewer would let one odd row be an end of the range.
constexpr std::size_t kFewestLaunches = 10, kFewestRows = 30;
constexpr double kOutside = 0.1;  // on each side

/// The value of that rank, 1-based, brought into the list.
double ranked(const std::vector<double>& sorted, double rank) {
  const double last = static_cast<double>(sorted.size());
  return sorted[static_cast<std::size_t>(std::clamp(rank, 1.0, last)) - 1];
}

/// Rounded outward to three decimals.
double rounded(double value, bool up) {
  constexpr double kDigits = 1000;
  const double units = value * kDigits;
  constexpr double kExact = 1e-6;  // 0.84 x 1000 is not quite 840
  return (up ? std::ceil(units - kExact) : std::max(1.0, std::floor(units + kExact))) / kDigits;
}

}  // namespace

void apply_ranges(std::span<RowPrediction> rows, const ErrorRanges& ranges) {
  for (RowPrediction& row : rows) {
    if (row.state != State::predicted || row.subject.empty()) continue;
    ErrorRange range;
    if (row.estimate == Estimate::kernel) {
      const ErrorRange* own = ranges.find(row.subject, row.estimate, row.basis);
      if (!own) continue;
      range = *own;
    } else {
      range = ranges.of(row.subject, row.estimate, row.basis).widened(row.spread);
    }
    row.low = row.predicted * (row.rate ? 1 / range.high : range.low);
    row.high = row.predicted * (row.rate ? 1 / range.low : range.high);
  }
}

std::vector<RowPrediction> predict_rows(const CsvTable& table, const CalibrationSet& calibrations,
                                        const ErrorRanges& ranges) {
  std::vector<RowPrediction> rows = layout_of(table).predict(table, calibrations);
  apply_ranges(rows, ranges);
  return rows;
}

ErrorRange range_of(std::vector<double> ratios) {
  std::sort(ratios.begin(), ratios.end());
  const double next = static_cast<double>(ratios.size() + 1);
  const double low = ranked(ratios, std::floor(kOutside * next));
  const double high = ranked(ratios, std::ceil((1 - kOutside) * next - 1e-9));
  return {std::min(1.0, low), std::max(1.0, high), ratios.size()};
}

ErrorRanges fit_ranges(std::span<const RowPrediction> rows) {
  Ratios ratios;
  for (const RowPrediction& row : rows) {
    if (row.state != State::predicted || row.subject.empty()) continue;
    const double time = row.rate ? row.predicted / row.measured : row.measured / row.predicted;
    ratios[{row.subject, row.estimate, row.basis}].push_back(time);
    if (row.estimate == Estimate::kernel || row.subject.ends_with(" separate pools")) continue;
    ratios[{ErrorRanges::kAnyEngine, row.estimate, row.basis}].push_back(time);
  }
  ErrorRanges out;
  for (auto& [key, values] : ratios) {
    const bool launches = std::get<Estimate>(key) == Estimate::kernel;
    if (values.size() < (launches ? kFewestLaunches : kFewestRows)) continue;
    out.add(std::get<0>(key), std::get<1>(key), std::get<2>(key), range_of(std::move(values)));
  }
  return out;
}

std::string ranges_text(const ErrorRanges& ranges, const std::vector<std::string>& sources) {
  std::vector<std::string> subjects;
  for (const auto& [subject, entries] : ranges.all()) {
    std::vector<std::string> parts;
    for (const auto& [key, range] : entries) {
      parts.push_back(fmt::format("\"{}, {}\": [{:.3f}, {:.3f}, {}]", to_text(key.first), to_text(key.second),
                                  rounded(range.low, false), rounded(range.high, true), range.n));
    }
    subjects.push_back(fmt::format("  {}: {{{}}}", Json(subject).dump(), fmt::join(parts, ", ")));
  }
  const std::string note =
      "[low, high, rows]: factors of the estimated time between which 80 % of the measured times lie; made "
      "by validate --ranges from the tables that the sources name";
  return fmt::format(
      "{{\n\"schema\": \"roofplan.ranges\", \"schema_version\": 1, \"kind\": \"measured\",\n\"note\": {},\n"
      "\"sources\": {},\n\"ranges\": {{\n{}\n}}}}\n",
      Json(note).dump(), Json(sources).dump(), fmt::join(subjects, ",\n"));
}

}  // namespace roofplan::model
