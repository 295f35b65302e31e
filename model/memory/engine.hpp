#pragma once

#include "model/hardware/system.hpp"
#include "model/units/byte_count.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// A default of an engine that depends on the device.
struct DeviceDefault {
  Figure<double> usual;
  std::optional<Figure<double>> large;    ///< on devices of at least EngineMemory::large_device
  std::optional<Figure<double>> unified;  ///< what plans launch with where CPU and GPU share the memory
};

/// What SGLang sets aside when no fraction is given: the larger of `floor` (on devices of at least
/// `floor_from`) and constant + chunk x per_chunk_token + batch x per_graph_sequence + ranks x per_rank.
struct StaticReserve {
  Figure<ByteCount> constant, per_chunk_token, per_graph_sequence, per_rank, floor, floor_from;
};

/// Memory behaviour of an inference engine, from data/engines.
struct EngineMemory {
  enum class Budget {
    everything,           ///< takes what it needs of what the system leaves
    fraction_of_visible,  ///< weights, peaks and cache inside a fraction of each device's memory (vLLM)
    static_fraction,      ///< weights and cache inside a fraction; peaks and graphs outside it (SGLang)
    fraction_of_free,     ///< cache inside a fraction of what weights and peaks leave (TensorRT-LLM)
  };
  enum class ComputeBuffer {
    none,
    profiled,  ///< activations of one chunk, or sampling, whichever is larger
    graph,     ///< logits and activations of one ubatch in fp32 (llama.cpp)
  };

  Budget budget = Budget::everything;
  ComputeBuffer compute_buffer = ComputeBuffer::none;
  Figure<double> fraction;
  bool graphs_in_budget = true;
  bool hybrid_cache = true;         ///< can keep only the window of windowed layers
  bool pools_cache = false;         ///< takes the whole budget as cache when it starts
  bool loads_vision = false;        ///< loads vision towers with the model
  bool embedding_on_host = false;   ///< keeps an untied input embedding in host memory where that is apart
  std::vector<std::string> splits;  ///< "tp", "pp", "ep", "dp", "cp", "attention_dp"
  std::vector<std::string> offers;  ///< weight formats it runs, from faithful to small
  bool gguf = false;                ///< runs GGUF formats
  Figure<double> block_tokens;      ///< of the paged cache
  std::optional<Figure<ByteCount>> large_device;
  std::vector<std::string>
      small_families;              ///< chip families that keep the usual defaults whatever their size
  DeviceDefault chunk_tokens;      ///< tokens of one prefill step
  DeviceDefault max_batch;         ///< sequences it prepares for
  Figure<double> logit_bytes;      ///< at sampling, per sequence and vocabulary entry
  Figure<ByteCount> graph_bytes;   ///< CUDA graphs, per sequence of the largest captured batch
  Figure<double> graph_max_batch;  ///< sequences
  Figure<ByteCount> context, libraries, hidden, comm_per_rank, attention_workspace, margin;
  std::optional<StaticReserve> static_reserve;

  bool can_split(std::string_view dimension) const;
};

struct EngineProfile {
  std::string id;  ///< "vllm"
  std::string name;
  std::vector<std::string> aliases;
  std::string version;  ///< as asked, empty: the newest known
  /// What it is built for, of "cuda", "rocm", "metal"; empty: anything.
  std::vector<std::string> platforms;
  EngineMemory memory;
};

/// What programs of the chip are built for: "cuda" where it has a compute capability, else its text
/// `platform`; empty: unknown.
std::string platform_of(const Chip& chip);

/// Whether the engine is built for the chip; on one of unknown platform every engine is taken to run.
bool runs_on(const EngineProfile& engine, const Chip& chip);

/// Whether version `a` is older than `b` ("0.9" before "0.19"); one that ends is older than its patches.
/// Throws InputError (usage) for text that is no version.
bool older_version(std::string_view a, std::string_view b);

/// All engines. Names may carry a version: "vllm@0.19".
class EngineTable {
 public:
  /// What an older version did otherwise.
  struct Older {
    std::string before;  ///< version
    std::optional<Figure<double>> fraction;
    std::optional<bool> graphs_in_budget;
  };
  struct Entry {
    EngineProfile profile;
    std::vector<Older> older;
  };

  EngineTable() = default;
  explicit EngineTable(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  /// Throws InputError (usage) with the nearest names, and for a version that is none.
  EngineProfile find(std::string_view name, std::string_view version = {}) const;
  /// Throws InputError (usage) with the engines that do, where the engine does not run on the system.
  void check_runs(const EngineProfile& engine, const System& system) const;
  std::vector<std::string> ids() const;

 private:
  std::vector<Entry> entries_;
};

/// The default of `what` that holds on a device of `system`.
const Figure<double>& default_on(const DeviceDefault& what, const EngineMemory& engine, const System& system);

}  // namespace roofplan::model
