#pragma once

#include "model/roofline/laws/cache_state.hpp"
#include "model/units/quantity.hpp"

#include <cstdint>

namespace roofplan::model {

/// C[m,n] = A[m,k] B[k,n]: m tokens, n outputs, k inputs, on one device. All at least 1.
struct GemmShape {
  double m = 1, n = 1, k = 1;
};

/// Heights of output tiles that a chip's library has, in rows.
enum class TileRows : std::uint8_t {
  only_128,
  from_128,  ///< 128 and 256
  from_16,   ///< 16, 32, 64, 128, 256
};
/// Widths of output tiles, in columns.
enum class TileColumns : std::uint8_t {
  doubling,  ///< 32, 64, 128, 256
  fine,      ///< 16 to 256 in small steps
};

/// What a chip's matrix products of one number format cost. Bandwidths are of one device.
struct GemmLaw {
  // Given by chip and format.
  int sm_count = 1;
  double weight_bytes = 2;  ///< per element of B
  double input_bytes = 2;   ///< per element of A as the kernel reads it
  bool quantises = false;   ///< A arrives in 16 bits and is quantised by a kernel of its own
  // Discrete structure.
  TileRows rows = TileRows::from_128;
  TileColumns columns = TileColumns::doubling;
  int largest_split = 8;  ///< of k over thread blocks; 1: the kernel does not split
  int vector_rows = 0;    ///< up to so many rows a matrix-vector kernel runs instead, without matrix units
  // Physical parameters.
  Seconds launch = {};             ///< of all kernels of the operator, including the fixed cost of quantising
  FlopPerSecond matrix_rate = {};  ///< all SMs together, in long kernels that are not yet throttled
  BytesPerSecond sm_rate = {};     ///< bytes in flight into one SM
  BytesPerSecond memory_rate = {};    ///< streaming from DRAM
  BytesPerSecond quantise_rate = {};  ///< reading 16 bits and writing the quantised input
  Seconds row_setup = {};             ///< fixed cost of quantising one row, over all SMs
  Seconds tile_setup = {};            ///< prologue and epilogue of one tile
  Seconds k_step = {};                ///< shortest time of a step of one element along k
  Seconds tile_floor = {};         ///< shortest time of a tile of 128 x 256, in proportion for smaller ones
  Seconds split_setup = {};        ///< second pass that adds up the parts of a split k
  double wave_smoothing = 0.5;     ///< 0: whole waves of tiles; 1: the last wave is spread evenly
  double throttle = 0.0;           ///< how much slower kernels far longer than 0.4 ms run, for power
  Seconds vector_launch = {};      ///< of the matrix-vector kernel, quantising included
  FlopPerSecond vector_rate = {};  ///< of the matrix-vector kernel
  Bytes l2_size = {};              ///< of weights that stay in the L2 between launches; zero: none
};

/// Time of one matrix product:
/// launch + quantise + sqrt(core^2 + memory^2), core = the fastest tile and split of
/// waves x (max(k/s x step, floor) + setup) + combining, step = max(FLOP, bytes in flight, latency) of a tile
/// (roofline of Williams et al., doi:10.1145/1498765.1498785, per SM and tile; wave quantisation as in
/// NVIDIA's "Matrix Multiplication Background" guide). Form chosen on held-out shapes of the source
/// aiconfigurator-kernels. Up to `vector_rows` rows: vector_launch + sqrt(FLOP^2 + memory^2).
Seconds gemm_time(const GemmShape& shape, const GemmLaw& law, CacheState cache = CacheState::cold);

}  // namespace roofplan::model
