#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/hardware/figure.hpp"
#include "model/hardware/system.hpp"
#include "model/units/quantity.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// What an engine's software does to the time of a step: the "speed" section of data/engines/<id>.json.
/// Factors multiply what good kernels reach on the chip (ChipEfficiency); overheads add to it.
struct EngineSpeed {
  /// Kernels that read weights of some number formats.
  struct Kernels {
    std::vector<std::string> formats;  ///< ids of data/formats.json; "*": every other
    Figure<double> memory, compute;
  };
  struct Overheads {
    Figure<Seconds> step;              ///< scheduling, sampling, detokenising: on the host
    Figure<Seconds> layer;             ///< gaps between kernels of one layer
    Figure<Seconds> moe_layer;         ///< further, of a routed layer
    Figure<Seconds> sequence;          ///< per sequence of the batch and step, on the host
    Figure<Seconds> sequence_layer;    ///< per sequence of the batch and layer
    Figure<Seconds> prefill_token;     ///< per prompt token, on the host
    Figure<Seconds> network_exchange;  ///< per exchange that leaves a scale-up domain: the host drives it
  };
  /// Time to first token around the bare prefill, and how prefills of a closed loop bunch.
  struct FirstToken {
    Figure<Seconds> base;   ///< arrival to scheduling, network, first sampling
    Figure<Seconds> token;  ///< per prompt token before it is scheduled: tokenising, one request at a time
    Figure<double> steps;   ///< decode steps waited for before the prefill starts, on a busy system
    Figure<double> wave;    ///< prefills waited for, per further concurrent request
  };
  /// How the engine's kernels stand to those that the kernel laws of a chip were fitted to.
  struct KernelLawUse {
    Figure<double> quantise;      ///< share of the benchmark's quantising kernel that is not fused away
    Figure<double> expert_fixed;  ///< share of the fixed time of the benchmark's expert kernels
    /// By family of chips, formats of weights whose expert kernels are not the benchmark's: none of its fixed
    /// time is theirs.
    std::map<std::string, std::vector<std::string>> own_experts;
  };
  /// How the times of a family of versions stand to those of all versions together.
  struct VersionFactor {
    std::string family;  ///< "0.19": all its patches, candidates and builds
    Figure<double> factor;
  };
  /// What the estimates of a chip rest on; `machine`: on kernels measured on the machine at hand, its engine
  /// was not.
  enum class Basis { catalogue, machine, family, datasheet };

  std::string id;
  std::vector<std::string> fitted_chips, fitted_families;  ///< on which the numbers were fitted
  std::string oldest, newest;  ///< families of versions among the fitted rows, "0.19"; empty: none is known
  std::vector<VersionFactor> versions;  ///< of which enough rows were fitted
  std::vector<Kernels> kernels;
  Figure<double> attention_memory, attention_compute;
  Figure<double> experts_memory, experts_compute;
  Figure<double>
      experts_fill;  ///< tokens per expert at which grouped products reach half their rate in prefill
  Figure<double> scan_memory, scan_compute;
  Figure<Seconds> launch;          ///< shortest kernel as this engine starts them; unknown: the chip's own
  Figure<Seconds> launch_batched;  ///< the same with several sequences or a prompt, where graphs do not apply
  bool expands_latent = true;      ///< MLA prefills with expanded heads; else absorbed, as it decodes
  std::optional<KernelLawUse> kernel_laws;  ///< nothing: efficiencies answer, for kernels of its own
  Figure<double> exchange;  ///< time of an exchange inside a step over that of a benchmark: ranks arrive late
  bool mixes_prefill = false;  ///< a step may hold prompt chunks and decoding sequences together
  std::string cache = "bf16";  ///< format of the cache in the rows fitted, which do not state it
  std::map<std::string, std::string> family_cache;  ///< the same on chips of some families
  Overheads overheads;
  Figure<double> chunk_tokens;  ///< of chunked prefill, by default
  FirstToken first_token;

  /// Format of the cache that the rows fitted on such a chip are taken to have had.
  const std::string& cache_on(const Chip& chip) const;
  const Kernels& kernels_for(std::string_view format) const;
  Basis basis(const Chip& chip) const;
  /// Whether a version ("0.19.1") belongs to the fitted families, the patches of the newest included. True
  /// for an empty one and where no families are known. Throws InputError (usage) for text that is no version
  /// and, with the known families, for one that is more than a major version ahead of them.
  bool fitted_version(std::string_view version) const;
  /// The same for one version of the engine: a version outside the fitted families rests on the next weaker
  /// basis, since software moves by more than the fit's own error from year to year.
  Basis basis(const Chip& chip, std::string_view version) const;
  /// Factor on the time of every step and prompt; 1 for an empty version and for families without their own.
  double version_factor(std::string_view version) const;
  /// What not knowing the factor adds to the uncertainty of a time: the standard deviation of the logarithm
  /// of the known families' factors; 0 for a version whose factor is known.
  double version_spread(std::string_view version) const;
};

/// "0.19" of "0.19.1rc2", "1.2" of "1.2.0rc6.post3"; empty for text that does not begin with two numbers.
std::string version_family(std::string_view version);

/// Reads the "speed" section of data/engines/<id>.json. Throws InputError: usage with the nearest names for
/// an unknown engine ("llama.cpp", "vllm@0.19": the version is not part of the id here), content for a
/// malformed section.
EngineSpeed load_engine_speed(const DataFiles& files, const Sources& sources, std::string_view engine);

}  // namespace roofplan::model
