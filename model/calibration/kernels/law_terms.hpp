#pragma once

#include "model/calibration/calibration_file.hpp"
#include "model/calibration/least_squares.hpp"
#include "model/units/quantity.hpp"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace roofplan::model {

/// A physical parameter of a law: how it is named and written, where it is searched, and where it lives.
/// One list of them serves the fit, the file and the reading of the file.
template <class Law>
struct LawTerm {
  std::string name, unit;
  double start = 1, low = 0, high = 1;  ///< in `unit`
  std::function<void(Law&, double)> set;
};

/// A term of a typed quantity; `unit_value` is what one `unit` is.
template <class Law, class D>
LawTerm<Law> term(std::string name, std::string unit, Quantity<D> unit_value, Quantity<D> Law::*member,
                  double start, double low, double high) {
  return {std::move(name), std::move(unit), start, low, high, [member, unit_value](Law& law, double v) {
            law.*member = v * unit_value;
          }};
}

/// A bare number.
template <class Law>
LawTerm<Law> term(std::string name, double Law::*member, double start, double low, double high) {
  return {std::move(name), "1", start, low, high, [member](Law& law, double v) { law.*member = v; }};
}

template <class Law>
LawTerm<Law> microseconds(std::string name, Seconds Law::*member, double start, double low, double high) {
  return term(std::move(name), "us", unit::us, member, start, low, high);
}

template <class Law>
LawTerm<Law> gigabytes_per_second(std::string name, BytesPerSecond Law::*member, double start, double low,
                                  double high) {
  return term(std::move(name), "GB/s", unit::GB_s, member, start, low, high);
}

template <class Law>
LawTerm<Law> teraflops(std::string name, FlopPerSecond Law::*member, double start, double low, double high) {
  return term(std::move(name), "TFLOP/s", unit::TFLOP_s, member, start, low, high);
}

template <class Law>
Law with_values(Law law, const std::vector<LawTerm<Law>>& terms, std::span<const double> values) {
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i].set(law, values[i]);
  return law;
}

/// Sets the terms to the values of a calibrated law; a term that it lacks takes its starting value.
template <class Law>
void read_values(Law& law, const std::vector<LawTerm<Law>>& terms, const CalibratedLaw& from) {
  for (const LawTerm<Law>& t : terms) t.set(law, from.has(t.name) ? from.value(t.name) : t.start);
}

template <class Law>
std::vector<FitParameter> fit_parameters(const std::vector<LawTerm<Law>>& terms) {
  std::vector<FitParameter> out;
  for (const LawTerm<Law>& t : terms) out.push_back({t.name, t.start, t.low, t.high});
  return out;
}

template <class Law>
std::vector<std::string> units_of(const std::vector<LawTerm<Law>>& terms) {
  std::vector<std::string> out;
  for (const LawTerm<Law>& t : terms) out.push_back(t.unit);
  return out;
}

}  // namespace roofplan::model
