#pragma once

#include "model/roofline/laws/cache_state.hpp"
#include "model/units/quantity.hpp"

#include <cstdint>

namespace roofplan::model {

/// How a decode kernel splits the cache of one sequence over thread blocks.
enum class SplitRule : std::uint8_t {
  none,          ///< never
  whole_chunks,  ///< the smaller of tokens / chunk and waves x SMs / units, both rounded down
  any_chunks,    ///< the same, both rounded up
};

/// A kernel that reads the key-value cache once per unit of work and may split it over thread blocks, adding
/// up the parts afterwards (FlashDecoding, Dao et al. 2023). Rates are of one device.
struct SplitKvKernel {
  // Discrete structure.
  int token_tile = 128;   ///< the cache is read in whole tiles of so many tokens
  int blocks_per_sm = 1;  ///< thread blocks that one SM holds
  int heads_per_block = 64;
  int cluster = 1;  ///< thread blocks that work on one unit together
  SplitRule rule = SplitRule::whole_chunks;
  int split_chunk = 128;  ///< tokens
  int split_waves = 8;    ///< thread blocks wanted per SM
  // Physical parameters.
  Seconds launch = {};
  Seconds block_setup = {};  ///< of a thread block that has tokens to read
  Seconds empty_block = {};  ///< of one that finds none (a window shorter than the cache it was split by)
  Seconds reduction = {};    ///< per doubling of the number of parts
  BytesPerSecond memory_rate = {};  ///< from DRAM
  BytesPerSecond block_rate = {};   ///< bytes in flight into one thread block
  BytesPerSecond query_rate = {};   ///< queries in and outputs out
  Seconds matrix_tile = {};         ///< shortest time of a tile of 128 tokens x 128 wide x 16 query rows
  Bytes l2_size = {};               ///< of caches that stay in the L2 between launches
  double l2_gain = 1.0;             ///< speed of the L2, of memory_rate
  double wave_smoothing = 0.0;      ///< as in waves()
};

/// What one launch has to do.
struct SplitKvWork {
  double units = 1;            ///< thread blocks before splitting
  double tokens_held = 1;      ///< cache length that the split is chosen by, the new token included
  double tokens_read = 1;      ///< cache length that is read (a window), the new token included
  double bytes_per_token = 0;  ///< read by one unit
  double distinct_units = 1;   ///< units whose bytes differ, the others reread them through the L2
  double query_bytes = 0;
  double width = 128;      ///< mean of key and value width
  double query_rows = 16;  ///< of one unit, padded
};

/// Time of one launch: launch + sqrt(latency^2 + memory^2) + queries + reduction, with
/// latency = waves x (setup + tiles of a part x max(bytes in flight, matrix time)).
Seconds split_kv_time(const SplitKvWork& work, const SplitKvKernel& kernel, int sm_count, CacheState cache);

}  // namespace roofplan::model
