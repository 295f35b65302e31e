#pragma once

#include "model/hardware/figure.hpp"
#include "model/llm/kv_cache.hpp"
#include "model/llm/tensors.hpp"
#include "model/units/byte_count.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

struct Chip;

/// Scales, zero points and indices stored beside the elements of a matrix: `bits` for every patch of
/// `rows` x `cols` elements, patches at the edges counting whole. 0 means all rows or all columns.
struct ScaleRule {
  std::int64_t rows = 1;
  std::int64_t cols = 0;
  std::int64_t bits = 0;
  bool flattened = false;  ///< patches of `cols` elements of the matrix laid out as one row
};

/// A rate of the matrix units that a format can run at: used where the chip has `rate`, and `needs` too.
struct ComputeRule {
  std::string rate;   ///< key of Chip::dense_rate
  std::string needs;  ///< a further key that the chip must have; empty: none
};

/// How numbers are stored: element bits and the exact layout of what stands beside them.
struct NumberFormat {
  std::string id;
  std::string name;
  std::int64_t element_bits = 0;
  std::vector<ScaleRule> scales;
  std::int64_t block_elements = 0;  ///< ggml: elements of a block along a row; 0: no blocks
  std::int64_t block_bytes = 0;
  std::string fallback;            ///< ggml: format of rows that are no whole number of blocks
  Figure<double> bits_per_weight;  ///< of a large matrix, scales included
  std::vector<TensorClass> kept;   ///< classes that checkpoints of this format leave in 16 bits
  std::vector<ComputeRule> compute;
  bool gguf = false;       ///< a type of GGUF files
  bool for_cache = false;  ///< engines store a KV cache in it
  bool idealised = false;  ///< no such checkpoint exists

  /// True where a row of `cols` elements is a whole number of blocks.
  bool divides(std::int64_t cols) const { return block_elements == 0 || cols % block_elements == 0; }
};

/// Bytes of a matrix stored in `format`, scales included. A row that is no whole number of ggml blocks is
/// padded to one. Throws InputError (content) beyond 2^63.
ByteCount matrix_bytes(const NumberFormat& format, std::int64_t rows, std::int64_t cols);

/// Size of one KV-cache element in `format` when vectors of `head_dim` elements are stored: per-tensor
/// scales left out, since they do not grow with tokens.
ElementSize cache_element(const NumberFormat& format, std::int64_t head_dim);

/// The key of Chip::dense_rate at which `chip` multiplies weights stored in `format`: the first of its
/// compute rules that the chip has. A format without hardware support saves bytes and computes at the
/// 16-bit rate. Empty where the chip's rates are unknown.
std::string compute_rate(const NumberFormat& format, const Chip& chip);

/// Where in the stack of layers a rule of a mix holds.
enum class MixLayers {
  all,
  first_two,
  first_four,
  first_sixteenth,  ///< i < n/16, integer division
  first_eighth,     ///< i < n/8
  middle,           ///< n/8 <= i < 7n/8
  more_bits,        ///< i < n/8, or i >= 7n/8, or (i - n/8) mod 3 = 2
};

/// One exception to the base type of a GGUF mix; of several that hold, the last counts.
struct MixRule {
  std::string part;  ///< "q", "k", "v", "attention_output", "gate", "up", "down"
  MixLayers layers = MixLayers::all;
  std::int64_t min_gqa = 0;       ///< at least so many query heads per KV head
  std::int64_t experts = 0;       ///< exactly so many experts; 0: any number
  std::int64_t layer_count = 0;   ///< exactly so many layers; 0: any number
  std::vector<std::string> from;  ///< only where the type was one of these; empty: any
  std::string format;
};

/// A GGUF preset ("Q4_K_M"): which type each tensor gets.
struct FormatMix {
  std::string id;
  std::string name;
  std::string base;
  std::string embedding;
  std::string head;        ///< of the output matrix, and of a tied embedding
  std::string experts;     ///< empty: as base
  std::string checkpoint;  ///< format of the experts of checkpoints whose GGUF file this is; empty: of none
  std::vector<MixRule> rules;
  Provenance provenance;
};

/// All formats and mixes of data/formats.json.
class FormatTable {
 public:
  FormatTable() = default;
  FormatTable(std::vector<NumberFormat> formats, std::vector<FormatMix> mixes);

  /// Throws InputError (usage) with the nearest ids. A mix hides the plain type of the same id here: as
  /// weights, "q6_k" is the preset.
  const NumberFormat& format(std::string_view id) const;
  const NumberFormat* format_if(std::string_view id) const;
  const FormatMix* mix_if(std::string_view id) const;
  /// The format as KV cache. Throws InputError (usage) when engines have no such cache.
  const NumberFormat& cache_format(std::string_view id) const;
  /// What `--weights` takes: "native", every format and every mix.
  std::vector<std::string> weight_ids() const;
  std::vector<std::string> cache_ids() const;
  const std::vector<NumberFormat>& formats() const { return formats_; }
  const std::vector<FormatMix>& mixes() const { return mixes_; }

 private:
  std::vector<NumberFormat> formats_;
  std::vector<FormatMix> mixes_;
  std::map<std::string, std::size_t, std::less<>> format_index_, mix_index_;
};

}  // namespace roofplan::model
