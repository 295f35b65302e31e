#pragma once

#include "model/llm/architecture.hpp"
#include "model/units/byte_count.hpp"

#include <cstdint>

namespace roofplan::model {

/// Size of one cached element as an exact ratio: bf16 {16, 1}, fp8 {8, 1}, ggml q8_0 {272, 32} bits.
struct ElementSize {
  std::int64_t bits = 16;
  std::int64_t elements = 1;  ///< that `bits` hold together

  /// Bytes of `n` elements, rounded up. Throws InputError (content) beyond 2^63.
  ByteCount bytes(std::int64_t n) const;
};

/// What one layer of a group keeps of one sequence. Elements, since formats differ.
struct LayerCache {
  std::int64_t entry_elements = 0;      ///< K and V of one cached token; MLA: latent and rope key
  std::int64_t tokens_per_entry = 1;    ///< pooling (DeepSeek-V4); entries beyond the window = tokens / this
  std::int64_t window = 0;              ///< tokens kept at full resolution; 0: every token is
  bool keeps_all = true;                ///< false: nothing beyond the window
  std::int64_t index_bytes = 0;         ///< per entry: fp8 indexer key and its fp32 scale per 128 elements
  std::int64_t conv_elements = 0;       ///< of the convolution, (kernel - 1) columns, kept in 16 bits
  std::int64_t recurrent_elements = 0;  ///< of the recurrent state
  bool fp32_state = true;               ///< recurrent elements in fp32, else in 16 bits
  bool attends = false;

  /// Cached elements of a sequence of `tokens` tokens as the architecture needs them.
  std::int64_t elements_at(std::int64_t tokens) const;
  /// Indexer bytes of a sequence of `tokens` tokens.
  ByteCount index_bytes_at(std::int64_t tokens) const;
  /// Constant state of one sequence.
  ByteCount state_bytes() const;
};

/// Full attention: kv_heads x (k + v width) elements a token. MLA: kv_lora_rank + rope_dim, whatever the
/// heads (arXiv:2405.04434, section 2.1.2). Window: the same while it fills. State of recurrent layers:
/// conv (kernel - 1) x convolved width and the recurrent matrix (arXiv:2405.21060; Qwen3-Next; Jamba).
LayerCache layer_cache(const LayerGroup& group);

/// Whole model, one sequence. The keys of `models show`.
struct CacheNeed {
  ByteCount per_token;         ///< growth once every window is full, rounded up
  ByteCount window_per_token;  ///< of the windowed layers until they are full
  ByteCount window_cap;        ///< of the windowed layers when full
  ByteCount engine_per_token;  ///< every attention layer at full length in pages of the largest layer
  ByteCount index_per_token;   ///< indexer keys, apart from the above, rounded up
  ByteCount state;             ///< recurrent layers, whatever the length
};
CacheNeed cache_need(const Architecture& model, ElementSize kv);

/// Cache of one sequence of `tokens` tokens (indexer keys and state not included).
/// hybrid: windowed layers keep their window only; otherwise every attention layer keeps `tokens`, in
/// pages of the largest layer, as engines reserve without a hybrid manager.
ByteCount kv_bytes(const Architecture& model, ElementSize kv, std::int64_t tokens, bool hybrid = true);
/// Indexer keys of one sequence (DeepSeek sparse attention).
ByteCount index_bytes(const Architecture& model, std::int64_t tokens);
/// Recurrent state of one sequence.
ByteCount state_bytes(const Architecture& model);

}  // namespace roofplan::model
