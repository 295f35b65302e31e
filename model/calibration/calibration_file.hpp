#pragma once

#include "model/calibration/error_statistics.hpp"
#include "model/calibration/least_squares.hpp"
#include "model/units/byte_count.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofplan::model {

/// A fitted number of a law, in `unit` (the grammar of model/units, "us", "GB/s", or "1" for a bare number).
struct CalibratedValue {
  std::string name;
  double value = 0.0;
  std::string unit = "1";
  double relative_std = 0.0;  ///< standard deviation / |value|
  bool determined = true;     ///< false: on a bound or known to less than 50 %, not to be read as physics
};

/// The parameters of one law on one system, with how well they reproduce the points they were fitted to.
struct CalibratedLaw {
  std::string
      law;  ///< kind and variant, "collective/all_reduce", "gemm/bfloat16", "attention_decode/packed/fp8"
  std::vector<CalibratedValue> values = {};
  std::vector<std::pair<std::string, std::string>> choices =
      {};  ///< discrete structure, such as the tile menu
  ErrorStatistics residuals = {};

  bool has(std::string_view name) const;
  /// Throws InputError (content) with the nearest names when the law has no such value.
  double value(std::string_view name) const;
  /// The choice of that name, or `otherwise`.
  std::string choice(std::string_view name, std::string_view otherwise = {}) const;
  /// Adds what a fit found, `units` in the order of the parameters.
  void add(const FitResult& fit, const std::vector<std::string>& units);
};

/// One microbenchmark of `calibrate`.
struct ProbeResult {
  std::string name;
  std::vector<std::pair<std::string, std::string>> params = {};
  double value = 0.0;
  std::string unit = {};
  double median = 0.0, p10 = 0.0, p90 = 0.0;
  int n = 0;
};

/// One operator of a replay, run alone. Zero: not predicted, or not measured.
struct ReplayPart {
  std::string op;
  double predicted_s = 0.0, measured_s = 0.0;
};

/// A model run on the machine itself, after the fit.
struct ReplayResult {
  std::string model;
  int batch = 1;
  long long depth = 0;
  double predicted_s = 0.0, measured_s = 0.0;
  int layers = 0;  ///< of the model that were run, without embedding and head; 0: all of it
  std::vector<ReplayPart> parts = {};
  int devices = 1;  ///< that divided each layer (tensor parallel), its collectives among the parts
};

/// One figure of the machine held against its datasheet.
struct CalibrationVerdict {
  std::string name;  ///< "bandwidth_bytes_s", "bf16_flop_s"
  double measured = 0.0;
  std::optional<double> datasheet = std::nullopt;
  std::optional<bool> reached = std::nullopt;  ///< what healthy machines of the kind reach
  std::string reason = {};                     ///< why there is no datasheet
};

/// What the points were measured on.
struct CalibratedDevice {
  std::string system;  ///< catalogue id, or the name used by the table of points
  std::string name;    ///< as the driver or the table calls it
  int accelerators = 1;
  std::string driver = {}, software = {}, date = {};  ///< empty where unknown
  // Of a machine that `calibrate` ran on; empty and zero for a table of points.
  std::string kind = {};                ///< "cpu" or "cuda"
  std::string compute_capability = {};  ///< "9.0"
  std::string fingerprint = {};         ///< the same for the very device on every run
  int units = 0;                        ///< cores, or streaming multiprocessors
  bool unified_memory = false;
  ByteCount memory = {}, cache = {};  ///< total and last-level cache, of one accelerator

  bool measured_here() const { return !kind.empty(); }
};

/// The calibration of one machine or of one catalogue system.
struct Calibration {
  CalibratedDevice device;
  std::vector<ProbeResult> probes;
  std::vector<CalibratedLaw> fit;
  std::vector<ReplayResult> replay;
  std::vector<CalibrationVerdict> verdict;
  std::vector<std::string> notes;    ///< what a reader must know, in sentences
  std::vector<std::string> sources;  ///< ids in data/sources.json of the points fitted

  const CalibratedLaw* find(std::string_view law) const;
  /// Throws InputError (content) with the nearest laws when there is none.
  const CalibratedLaw& at(std::string_view law) const;
  /// Replaces the law of the same name, or adds it.
  void set(CalibratedLaw law);
};

/// Reads a calibration document (schema roofplan.calibration, version 1). Throws InputError (content) with
/// file and JSON pointer for another schema, unknown keys, missing or non-finite numbers.
Calibration parse_calibration(std::string_view text, const std::string& file);
Calibration read_calibration(const std::string& path);

/// The document as text: numbers with six significant digits, fitted ones with four, a line per
/// law. parse_calibration() reads it
/// back.
std::string calibration_text(const Calibration& calibration);

/// The catalogue calibration of a system, data/calibrations/<system>.json, or nothing where there is none.
std::optional<Calibration> catalogue_calibration(std::string_view system);

}  // namespace roofplan::model
