#pragma once

#include "model/llm/architecture.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace roofplan::model::hf {

/// What a model class of Transformers fixes in code rather than in config.json: the defaults of missing keys
/// and the parts that have no key.
struct Family {
  enum class Mtp {
    unknown,   ///< modules declared by the config are left out, and said so
    deepseek,  ///< two norms, a 2H x H projection, one layer like the last, one head norm
    dense,     ///< the same with a dense layer (K-EXAONE)
    declared,  ///< declared by the config, absent from the published files (MiniMax-M2)
  };
  enum class Positions { rotary, learned, learned_after_two };

  std::string_view architecture;  ///< class name in "architectures"
  std::string_view model_type;
  std::string_view name;  ///< as people call it

  bool tied = false;  ///< default of tie_word_embeddings
  Attention::QkNorm qk_norm = Attention::QkNorm::none;
  bool qk_norm_by_key = false;  ///< only where use_qk_norm is true
  bool qkv_bias = false;        ///< default of attention_bias for q, k and v
  bool o_bias_by_key = true;    ///< attention_bias covers the output projection too
  int norms = 2;                ///< norms of the hidden width per layer
  bool norm_bias = false;       ///< LayerNorm with bias
  bool gated = true;
  bool biases = false;            ///< biases on all projections and the FFN
  bool widths_by_expert = false;  ///< intermediate_size is the width of an expert
  int window_period = 0;          ///< every n-th layer is full when sliding_window has no pattern
  bool window_by_flag = false;    ///< sliding_window counts only with use_sliding_window
  bool router_bias = false;
  bool expert_bias = false;
  bool shared_gate = false;
  int shared_experts = 0;  ///< that no key declares
  bool sinks = false;
  bool single_blocks = false;  ///< a layer is a mixer or a feed-forward part, never both
  bool output_gate = false;
  Mtp mtp = Mtp::unknown;
  bool mtp_copies = false;  ///< files hold copies of embedding and head with the MTP module
  Positions positions = Positions::rotary;
  bool embedding_norm = false;
  bool encoder = false;
};

/// The families known by name.
std::span<const Family> families();

/// By class name, else by model_type; null when neither is known.
const Family* find_family(std::string_view architecture, std::string_view model_type);

}  // namespace roofplan::model::hf
