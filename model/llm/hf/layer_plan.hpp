#pragma once

#include "model/llm/hf/config.hpp"
#include "model/llm/hf/family.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace roofplan::model::hf {

/// Which parts one layer has, before their shapes.
struct LayerPlan {
  enum class Mixer { full, window, recurrent, none };
  enum class Ffn { dense, moe, both, none };

  Mixer mixer = Mixer::full;
  Ffn ffn = Ffn::dense;
  std::int64_t window = 0;   ///< tokens, for Mixer::window
  bool indexer = true;       ///< false where a layer reuses the selection of an earlier one
  bool shared_kv = false;    ///< reads the cache of an earlier layer
  std::int64_t pooling = 0;  ///< DeepSeek-V4: tokens per cached entry; 0: window only

  bool operator==(const LayerPlan&) const = default;
};

/// One entry per layer. `notes` takes what was decided without a key.
std::vector<LayerPlan> layer_plan(const Config& config, const Family& family,
                                  std::vector<std::string>& notes);

/// Fills the mixers: layer_types, patterns, windows, recurrent layers.
void plan_mixers(const Config& config, const Family& family, std::vector<LayerPlan>& layers,
                 std::vector<std::string>& notes);
/// Fills the feed-forward parts: which layers are routed.
void plan_ffns(const Config& config, const Family& family, std::vector<LayerPlan>& layers);

/// Number of routed experts; 0 for a dense model.
std::int64_t expert_count(const Config& config);
/// Declared context length in tokens; 0 when the file does not say.
std::int64_t context_length(const Config& config);

}  // namespace roofplan::model::hf
