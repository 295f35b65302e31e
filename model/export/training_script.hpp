#pragma once

#include "model/catalog/scenario.hpp"
#include "model/hardware/system.hpp"
#include "model/llm/architecture.hpp"

#include <cstdint>
#include <string>

namespace roofplan::model {

/// A training run as its job file says it: degrees, batches and shape in Megatron-LM's terms.
struct TrainingSettings {
  std::string title, tokenizer;  ///< tokenizer: Hugging Face name; empty: whoever launches must name one
  std::int64_t nodes = 1, devices_per_node = 1;
  std::int64_t tp = 1, pp = 1, ep = 1, cp = 1, dp = 1;  ///< dp follows from the others
  TrainSettings train;
  Architecture model;
  std::int64_t samples() const { return train.tokens / train.seq; }
};

/// The settings of the scenario's training run on all accelerators that it uses. Throws InputError (usage)
/// for what no job file can say: a scenario without train, degrees left open or that do not divide the
/// devices, a batch that its micro-batches and replicas do not divide, adapters, and shapes beyond
/// grouped-query or latent attention with dense feed-forward layers, then routed ones.
TrainingSettings training_settings(const Scenario& scenario, const System& system, const Architecture& model);

/// A Slurm batch script that starts Megatron-LM's pretrain_gpt.py by torchrun in a container: nodes,
/// accelerators, degrees, batches, shape, data, tokeniser and checkpoints. Flags as in
/// megatron/training/arguments.py (Megatron-LM core 0.12 to 0.15).
std::string training_script(const TrainingSettings& settings, const std::string& program);

}  // namespace roofplan::model
