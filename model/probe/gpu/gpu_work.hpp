#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roofplan::probe {

/// Going over a set of `bytes` again and again: it comes from the last cache where it fits there.
struct MemoryWork {
  enum class Kind : std::uint8_t {
    read,
    write,
    copy,         ///< half of the set to the other half
    driver_copy,  ///< the same by cudaMemcpy
    triad,        ///< two thirds of the set to the last
  };
  Kind kind = Kind::read;
  std::int64_t bytes = 0;
  int passes = 1;  ///< over the set in one execution, for reading; odd

  bool operator==(const MemoryWork&) const = default;
};

/// C[m,n] = X[m,k] W[n,k]^T, weights from memory. `quantises`: X arrives in bfloat16 and is quantised first.
struct ProductWork {
  enum class Format : std::uint8_t { bfloat16, float16, tf32, fp8, int8, nvfp4, mxfp8, mxfp4 };
  Format format = Format::bfloat16;
  std::int64_t m = 1, n = 1, k = 1;
  bool quantises = false;

  bool operator==(const ProductWork&) const = default;
  double flop() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
  double weight_bytes() const;
};

/// Decode attention in bfloat16: one new token of each of `batch` sequences against `depth` cached ones.
struct AttentionWork {
  std::int64_t batch = 1, depth = 1, heads = 1, kv_heads = 1, head_dim = 128;
  /// MLA with absorbed projections: width of the values, the first numbers of each cached row. 0: values of
  /// their own, as wide as the keys.
  std::int64_t latent = 0;

  bool operator==(const AttentionWork&) const = default;
  /// Whether it runs as two batched products with a softmax between, for want of a kernel of its own; `depth`
  /// and `head_dim` are multiples of 8 then.
  bool by_products() const { return latent > 0 || (head_dim != 64 && head_dim != 128); }
  double flop() const;
  double cache_bytes() const;
  /// Of caches and, between products, of scores: written, gone over by the softmax, read again.
  double moved_bytes() const;
};

/// Routed experts in bfloat16, spread evenly: tokens gathered, gate and up, activation, down, joined.
struct ExpertsWork {
  std::int64_t tokens = 1, top_k = 1, experts = 1;
  std::int64_t distinct = 1;  ///< experts that get a token
  std::int64_t hidden = 1, inner = 1;

  bool operator==(const ExpertsWork&) const = default;
  /// Rows of each expert's product: the routed tokens over the experts, rounded up.
  std::int64_t rows() const;
  double weight_bytes() const;
};

/// What lies between products, in bfloat16.
struct ElementwiseWork {
  enum class Kind : std::uint8_t {
    norm,  ///< residual added, then RMSNorm: two rows read, two written
    gate,  ///< silu(gate) up: two rows read, one written
  };
  Kind kind = Kind::norm;
  std::int64_t rows = 1, width = 8;

  bool operator==(const ElementwiseWork&) const = default;
  double bytes() const;
};

/// Kernels that do nothing.
struct LaunchWork {
  enum class Kind : std::uint8_t {
    answered,  ///< one launch until the host knows that it ended
    in_a_row,  ///< each of many launches queued one by one
    in_graph,  ///< each of many in a captured graph
  };
  Kind kind = Kind::answered;

  bool operator==(const LaunchWork&) const = default;
};

/// One copy between memories. For peers `from` and `to` are devices.
struct TransferWork {
  enum class Kind : std::uint8_t { host_to_device, device_to_host, peer };
  Kind kind = Kind::host_to_device;
  std::int64_t bytes = 0;
  int from = 0, to = 0;

  bool operator==(const TransferWork&) const = default;
};

/// A collective over the first `ranks` devices, one process; bytes as nccl-tests counts them: of the whole
/// result for all-gather, of the input else.
struct CollectiveWork {
  enum class Kind : std::uint8_t { all_reduce, all_gather, reduce_scatter };
  Kind kind = Kind::all_reduce;
  std::int64_t bytes = 0;
  int ranks = 2;
  /// As one work of a captured graph among others: the other devices only take part in it, so that no rank
  /// waits for another's work. Else five in a row, launched by the host.
  bool captured = false;

  bool operator==(const CollectiveWork&) const = default;
};

using GpuWork = std::variant<MemoryWork, ProductWork, AttentionWork, ExpertsWork, ElementwiseWork, LaunchWork,
                             TransferWork, CollectiveWork>;

const char* to_text(MemoryWork::Kind kind);
const char* to_text(TransferWork::Kind kind);
const char* to_text(CollectiveWork::Kind kind);
/// As calibrations name it: "bfloat16", "float16", "tf32", "fp8", "int8", "nvfp4", "mxfp8", "mxfp4".
const char* to_text(ProductWork::Format format);
/// Bytes of one element, its share of a block's scale included.
double element_bytes(ProductWork::Format format);

}  // namespace roofplan::probe
