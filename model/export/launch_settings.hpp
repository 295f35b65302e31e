#pragma once

#include "model/catalog/scenario.hpp"
#include "model/llm/files/model_path.hpp"
#include "model/serving/speed.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace roofplan::model {

/// What a plan assumes of the engine that runs it, in the plan's own terms. Launch lines and job files say
/// nothing else.
struct LaunchSettings {
  std::string engine;          ///< id, "vllm"
  std::string engine_name;     ///< "vLLM"
  std::string engine_version;  ///< as asked; empty: none
  std::string title;           ///< the scenario's name, else model and system
  std::string model;           ///< Hugging Face name or path; empty: whoever launches must name a checkpoint
  std::string checkpoint;      ///< what that checkpoint is: "llama-3.1-70b in nvfp4"
  bool quantise_fp8 = false;   ///< the engine makes fp8 of a 16-bit checkpoint when it loads it
  std::string weights, cache;  ///< formats
  ParallelPlan plan;
  std::int64_t devices_per_node = 1;   ///< accelerators under one operating system
  std::int64_t nodes_per_replica = 1;  ///< operating systems that one replica spans
  std::int64_t context = 0;            ///< tokens of the longest sequence, prompt and output together
  std::int64_t max_batch = 0;          ///< sequences of one attention group
  std::int64_t chunk_tokens = 0;       ///< of one prefill step
  std::optional<double> memory_fraction;
  std::int64_t draft_tokens = 0;
  bool has_mtp = false;  ///< the model drafts with modules of its own
  bool has_experts = false;
  bool has_windows = false;
  bool hybrid_cache = true;     ///< windowed layers keep their window only
  bool prefix_caching = false;  ///< the plan counts on hits

  std::int64_t devices_per_replica() const { return plan.devices_per_replica(); }
  std::int64_t replicas_per_node() const {
    return std::max<std::int64_t>(1, devices_per_node / devices_per_replica());
  }
  std::int64_t devices_per_node_used() const { return devices_per_replica() / nodes_per_replica; }
};

/// Accelerators under one operating system: a compute tray of a rack, a node, a box. Cards are taken to
/// share a host, eight at most.
std::int64_t devices_per_node(const System& system, std::int64_t count);

/// The settings that `answer` rests on; it must fit. Throws InputError (usage) for what no launch line can
/// say: a training run, the ideal engine, idealised formats, formats that the engine does not read, pools of their own for
/// prefill and decode, draft tokens without a module that drafts, a replica that fills no whole nodes.
LaunchSettings launch_settings(const Scenario& scenario, const SpeedRequest& request,
                               const SpeedAnswer& answer, const ModelFile& model);

}  // namespace roofplan::model
