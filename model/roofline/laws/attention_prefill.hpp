#pragma once

#include "model/units/quantity.hpp"

#include <vector>

namespace roofplan::model {

/// New tokens of each sequence against themselves and what stands before them, one layer, on one device.
struct AttentionPrefillShape {
  double batch = 1;
  double tokens = 1;   ///< new, per sequence
  double context = 0;  ///< tokens in the cache before them
  double heads = 1, kv_heads = 1;
  double head_dim = 128;  ///< mean of key and value width
  double window = 0;      ///< tokens seen; 0: all
};

/// A fused attention kernel (FlashAttention, Dao et al., arXiv:2205.14135) for head widths up to a largest
/// one.
struct PrefillKernel {
  // Discrete structure.
  int largest_head_dim = 256;
  int query_tile = 128, kv_tile = 64;  ///< tokens; query_tile is a multiple of kv_tile
  int halved_above = 1024;             ///< head width above which the query tile is half as high
  // Physical parameters.
  Seconds launch = {};
  FlopPerSecond matrix_rate = {};   ///< all SMs together
  double exponentials_per_ns = 20;  ///< of one SM: softmax holds up narrow heads
  BytesPerSecond io_rate = {};      ///< rotary embedding and cache write, a kernel of its own
  Seconds task_setup = {};          ///< of one query tile
  double chain = 1.0;               ///< how much slower than average work the longest task runs alone
  double extra_window_tiles = 0.5;  ///< visited beyond those that a window needs
  double wave_smoothing = 0.5;      ///< as in waves()
};

struct AttentionPrefillLaw {
  int sm_count = 1;
  double input_bytes = 2;                   ///< per element of the queries as the kernel reads them
  double kv_bytes = 2;                      ///< per element of the cache
  std::vector<PrefillKernel> kernels = {};  ///< by rising largest_head_dim, at least one

  /// The first that is wide enough, else the widest.
  const PrefillKernel& kernel(double head_dim) const;
};

/// Key-value tiles that all query tiles of one head visit together: the causal staircase, less what lies
/// before a window. Exact when `context` is a multiple of kv_tile.
double visited_tiles(const AttentionPrefillShape& shape, double query_tile, double kv_tile,
                     double extra_window_tiles);

/// Time: launch + smooth maximum of (all tiles over all SMs, the longest query tile) + input and output, with
/// a tile taking the 2-norm of matrix time 4 TQ TK d / rate and exponentials TQ TK / rate.
Seconds attention_prefill_time(const AttentionPrefillShape& shape, const AttentionPrefillLaw& law);

}  // namespace roofplan::model
