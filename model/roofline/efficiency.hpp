#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/hardware/figure.hpp"
#include "model/hardware/system.hpp"
#include "model/units/quantity.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// What good kernels reach of a chip's datasheet rates: fractions in (0, 1], and the shortest time of a
/// kernel inside a captured graph. The smooth form of the laws, used where no fitted kernel law of the chip
/// is at hand. Compute fractions are by format of the arithmetic ("bf16", "fp8", "int8", "nvfp4").
struct ChipEfficiency {
  struct Gemm {
    Figure<double> memory;
    double overlap = 1;  ///< of reading with computing: 1 where the file states none
    std::map<std::string, Figure<double>> compute;
    std::map<std::string, Figure<Seconds>> launch;
  };
  struct Attention {
    Figure<double> compute;  ///< prefill, of the dense 16-bit rate
    Figure<double> memory;   ///< decode, reading the cache
    double overlap = 1;
    Figure<Seconds> launch_decode, launch_prefill;
  };
  struct Experts {
    Figure<double> memory;
    double overlap = 1;
    std::map<std::string, Figure<double>> compute;
    Figure<Seconds> launch;
  };

  /// Whether the fractions were measured on that very chip.
  bool measured_on(const Chip& chip) const;

  std::string id;
  std::vector<std::string> families, chips;  ///< that it describes; a chip goes before its family
  Gemm gemm;
  Attention attention;
  Experts experts;
  Figure<Seconds> elementwise_launch;
};

/// data/efficiencies.
class EfficiencyCatalog {
 public:
  /// Throws InputError (content) for malformed files and fractions outside (0, 1].
  EfficiencyCatalog(const DataFiles& files, const Sources& sources);

  /// The entry of the chip itself, else of its family, else nullptr.
  const ChipEfficiency* find(const Chip& chip) const;
  /// The same, and for a chip of an unknown family the entry with the lowest 16-bit compute fraction.
  const ChipEfficiency& of(const Chip& chip) const;
  const std::vector<ChipEfficiency>& all() const { return entries_; }

 private:
  std::vector<ChipEfficiency> entries_;
};

}  // namespace roofplan::model
