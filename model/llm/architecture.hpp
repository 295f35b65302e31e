#pragma once

#include "model/units/byte_count.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// Softmax attention of one layer. Widths and counts are of the whole layer, before any parallel split.
struct Attention {
  enum class Kind {
    gqa,         ///< a cache of K and V per KV head: MHA (kv_heads == heads), GQA, MQA (kv_heads == 1)
    mla,         ///< a cache of one latent per token (DeepSeek-V2, arXiv:2405.04434, section 2.1)
    compressed,  ///< one latent shared by all heads, pooled over tokens by `compress_ratio` (DeepSeek-V4)
  };
  enum class QkNorm { none, per_head, full_width };

  Kind kind = Kind::gqa;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;           ///< of the cache; meaningless for mla
  std::int64_t head_dim = 0;           ///< width of q and k per head (mla: nope + rope)
  std::int64_t v_head_dim = 0;         ///< width of v per head
  std::optional<std::int64_t> window;  ///< tokens kept by a sliding or chunked layer; nothing: all
  bool qkv_bias = false;
  bool o_bias = false;
  bool cached = true;        ///< false: encoders, and layers that read the cache of an earlier layer
  bool sinks = false;        ///< one learned logit per head (gpt-oss)
  bool output_gate = false;  ///< q projection doubled by an output gate (Qwen3-Next)
  bool k_is_v =
      false;  ///< values are the keys: one projection, one cache entry possible (Gemma 4 global layers)
  QkNorm qk_norm = QkNorm::none;

  // MLA; q_lora_rank 0 means an undivided q projection.
  std::int64_t q_lora_rank = 0;
  std::int64_t kv_lora_rank = 0;
  std::int64_t nope_dim = 0;
  std::int64_t rope_dim = 0;

  // DeepSeek sparse attention: an indexer of its own, with a key cache of index_head_dim per token.
  std::int64_t index_heads = 0;
  std::int64_t index_head_dim = 0;
  std::int64_t index_top_k = 0;

  std::int64_t compress_ratio = 0;  ///< compressed: tokens per cached entry beyond the window; 0: window only
  std::int64_t o_lora_rank = 0;     ///< grouped low-rank output projection (DeepSeek-V4); 0: none
  std::int64_t o_groups = 0;

  bool operator==(const Attention&) const = default;
};

/// A layer whose memory of the past has a constant size.
struct Recurrent {
  enum class Kind { mamba1, mamba2, gated_delta_net, kda, short_conv };

  Kind kind = Kind::mamba2;
  std::int64_t conv_kernel = 0;  ///< taps; engines keep conv_kernel - 1 columns
  // Mamba: inner width = heads x head_dim (mamba2) or inner (mamba1, short_conv).
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t groups = 0;
  std::int64_t state_size = 0;
  std::int64_t inner = 0;
  std::int64_t dt_rank = 0;
  // Gated delta net and KDA.
  std::int64_t key_heads = 0;
  std::int64_t key_head_dim = 0;
  std::int64_t value_heads = 0;
  std::int64_t value_head_dim = 0;
  bool conv_bias = false;
  bool full_rank_gate = false;  ///< KDA: an undivided output gate projection
  bool inner_norms = false;     ///< norms on dt, B and C (Jamba)
  bool fp32_state = true;       ///< recurrent part kept in fp32 (else in 16 bits)

  bool operator==(const Recurrent&) const = default;
};

/// A dense feed-forward block.
struct DenseFfn {
  std::int64_t intermediate = 0;
  bool gated = true;  ///< three matrices, else two
  bool bias = false;

  bool operator==(const DenseFfn&) const = default;
};

/// A routed feed-forward block.
struct MoeFfn {
  std::int64_t experts = 0;
  std::int64_t top_k = 0;
  std::int64_t intermediate = 0;  ///< width of one expert
  bool gated = true;
  bool bias = false;                     ///< biases in the experts and the router (gpt-oss)
  bool router_bias = false;              ///< a correction bias per expert
  std::int64_t shared_intermediate = 0;  ///< total width of the shared experts; 0: none
  bool shared_gate = false;              ///< a gate vector on the shared expert (Qwen)
  std::int64_t latent = 0;               ///< experts work at this width instead of hidden; 0: hidden
  std::int64_t router_extra_elements =
      0;  ///< further small vectors of the router (Gemma 4: input and expert scales)

  bool operator==(const MoeFfn&) const = default;
};

/// A run of layers that are alike. A layer may have a mixer (attention or recurrent), a feed-forward part,
/// both in parallel (dense beside routed), or only one of them (Nemotron-H).
struct LayerGroup {
  std::string name;  ///< e.g. "full attention + moe"
  std::int64_t count = 0;
  std::optional<Attention> attention;
  std::optional<Recurrent> recurrent;
  std::optional<DenseFfn> dense;
  std::optional<MoeFfn> moe;
  std::int64_t norm_elements = 0;  ///< elements of the norms per layer outside attention and recurrent parts
  std::int64_t per_layer_input = 0;  ///< width of a per-layer embedding added behind gates (Gemma 3n, 4 E)

  /// Alike but for name and count.
  bool same_layer(const LayerGroup& other) const {
    return attention == other.attention && recurrent == other.recurrent && dense == other.dense &&
           moe == other.moe && norm_elements == other.norm_elements &&
           per_layer_input == other.per_layer_input;
  }
};

/// Modules beside the text model, told apart since a server may or may not load them.
struct SideModules {
  std::int64_t mtp_params = 0;  ///< multi-token-prediction modules without copies of embedding and head
  std::int64_t mtp_layers = 0;
  std::int64_t vision_params = 0;     ///< vision/audio towers and projectors
  std::int64_t duplicate_params = 0;  ///< second copies of embedding and head that the files hold
  std::int64_t scale_params = 0;      ///< quantisation scales that the Hub counts as parameters
};

/// What a tensor belongs to; the unit in which checkpoints choose number formats.
enum class TensorClass {
  embedding,
  head,
  attention,
  indexer,
  dense_ffn,
  expert,
  shared_expert,
  router,
  recurrent,
  norm,  ///< norms, biases, sinks and the other vectors
};
inline constexpr std::size_t kTensorClasses = 10;

/// How the published weights are stored, by tensor class; format ids as in data/formats.json.
struct NativeFormat {
  std::array<std::string, kTensorClasses> by_class = {"bf16", "bf16", "bf16", "bf16", "bf16",
                                                      "bf16", "bf16", "bf16", "bf16", "bf16"};
  std::string kv;  ///< format of the KV cache that the checkpoint carries scales for; empty: none

  const std::string& of(TensorClass c) const { return by_class[static_cast<std::size_t>(c)]; }
  std::string& of(TensorClass c) { return by_class[static_cast<std::size_t>(c)]; }
};

/// Exact bytes of the weights as the files of a model hold them, scales included.
struct StoredWeights {
  using ByClass = std::array<ByteCount, kTensorClasses>;

  std::vector<ByClass> layers;  ///< of each layer; empty: only the size of the files is known
  ByClass outside{};            ///< embedding, head and final norm
  ByteCount unrecognised;       ///< of the text model
  ByteCount mtp, vision;        ///< draft modules; towers and projectors
  ByteCount duplicates;         ///< second copies of embedding and head
  ByteCount files;              ///< headers and padding included
};

/// A language model as an ordered list of layers. Built by the importers, never by hand in code.
struct Architecture {
  std::string id;            ///< catalogue id, else the path it came from
  std::string hf_name;       ///< Hugging Face repository, may be empty
  std::string family;        ///< e.g. "Qwen3"
  std::string architecture;  ///< class name in config.json, e.g. "Qwen3MoeForCausalLM"
  std::int64_t hidden = 0;
  std::int64_t vocab = 0;
  std::int64_t max_context = 0;  ///< tokens; 0 when the file does not say
  bool tied_embeddings = false;
  std::int64_t embedding_extra = 0;  ///< learned positions and other embedding elements beside vocab x hidden
  std::int64_t final_norm_elements = 0;
  std::int64_t head_bias = 0;  ///< elements of a bias on the output head
  std::vector<LayerGroup> groups;
  std::vector<std::uint16_t> order;  ///< group of each layer, first to last; size = number of layers
  SideModules side;
  NativeFormat native;
  std::optional<StoredWeights> stored;  ///< nothing: no files of weights were read
  bool stand_in = false;  ///< a shape chosen for a size alone: a format then holds for every parameter
  std::vector<std::string> assumptions;  ///< what was assumed or left out because the file does not say

  std::int64_t layers() const { return static_cast<std::int64_t>(order.size()); }
};

}  // namespace roofplan::model
