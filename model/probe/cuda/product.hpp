#pragma once

#include "model/probe/cuda/cuda_context.hpp"
#include "model/probe/gpu/gpu_work.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace roofplan::probe {

/// How the library takes a format of products.
struct ProductTypes {
  lt::DataType input, output;
  lt::Compute compute;
  lt::ScaleMode scale;
  Pattern pattern;               ///< of inputs
  Pattern scale_pattern;         ///< of scales of 1, where there are blocks
  Pattern output_pattern;        ///< float32 stands for int32 too
  int least_major, least_minor;  ///< compute capability that has it
};
ProductTypes product_types(ProductWork::Format format);

/// Y[m,n] = X[m,k] W[n,k]^T, `batches` of them one behind the other, by cuBLASLt with the fastest of the
/// algorithms that it proposes.
class LtProduct {
 public:
  /// `scales` are those of both inputs, for formats with a scale for each block, long enough for the longer.
  /// `upright` above nought: W lies as [k,n] with its rows so many numbers apart, and Y = X W. Nothing, with
  /// a sentence in the context's troubles, where the library has no algorithm for it.
  static std::optional<LtProduct> make(CudaContext& context, ProductWork::Format format, std::int64_t m,
                                       std::int64_t n, std::int64_t k, std::int64_t batches = 1,
                                       const void* scales = nullptr, std::int64_t upright = 0);

  /// Times the proposals, each a few times by `queue_once`, and keeps the fastest. False, with a sentence in
  /// the context's troubles, where none of them runs.
  bool choose(const std::function<void()>& queue_once);
  void queue(const void* x, const void* w, void* y);

 private:
  struct Handles;
  struct HandlesDeleter {
    void operator()(Handles* handles) const;
  };
  explicit LtProduct(CudaContext& context) : context_(&context) {}

  CudaContext* context_;
  std::unique_ptr<Handles, HandlesDeleter> handles_;
  std::vector<lt::Choice> proposals_;
  std::size_t chosen_ = 0;
  lt::Status status_ = 0;  ///< of the last product queued
  bool whole_numbers_ = false;
};

/// Whether a few numbers of Y are the products of their rows, by the host in double.

bool product_right(const ProductTypes& types, const void* x, const void* w, const void* y, std::int64_t m,
                   std::int64_t n, std::int64_t k);

}  // namespace roofplan::probe
