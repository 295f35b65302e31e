#pragma once

#include "model/probe/gpu/shared_library.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

struct CUstream_st;

namespace roofplan::probe::lt {

// The part of cuBLASLt's interface that is used, so that the library is opened at run time and its header is
// not needed. Values as in NVIDIA, cuBLAS Library, "Using the cuBLASLt API"; they are kept across versions.

using Status = int;  // 0: done
using Handle = struct HandleTag*;
using Operation = struct OperationTag*;
using Layout = struct LayoutTag*;
using Preference = struct PreferenceTag*;

enum class DataType : int {
  float32 = 0,
  float16 = 2,
  int8 = 3,
  int32 = 10,
  bfloat16 = 14,
  e4m3 = 28,
  e2m1 = 33
};
enum class Compute : int { float32 = 68, tf32 = 77, int32 = 72 };
enum class OperationField : int {
  transpose_a = 3,
  transpose_b = 4,
  scale_a = 17,
  scale_b = 18,
  scale_mode_a = 31,
  scale_mode_b = 32,
};
enum class ScaleMode : int { whole = 0, of_16_ue4m3 = 1, of_32_ue8m0 = 2 };
enum class LayoutField : int { batches = 5, batch_stride = 6 };
enum class PreferenceField : int { workspace_bytes = 1 };
inline constexpr int kTransposed = 1;

struct Algorithm {
  std::array<std::uint64_t, 8> data;
};
struct Choice {
  Algorithm algorithm;
  std::size_t workspace;
  Status status;
  float waves;
  std::array<int, 4> reserved;
};

struct Functions {
  Status (*create)(Handle*);
  Status (*destroy)(Handle);
  std::size_t (*version)();
  Status (*operation_create)(Operation*, Compute, DataType scale);
  Status (*operation_destroy)(Operation);
  Status (*operation_set)(Operation, OperationField, const void*, std::size_t);
  Status (*layout_create)(Layout*, DataType, std::uint64_t rows, std::uint64_t columns, std::int64_t leading);
  Status (*layout_destroy)(Layout);
  Status (*layout_set)(Layout, LayoutField, const void*, std::size_t);
  Status (*preference_create)(Preference*);
  Status (*preference_destroy)(Preference);
  Status (*preference_set)(Preference, PreferenceField, const void*, std::size_t);
  Status (*choose)(Handle, Operation, Layout a, Layout b, Layout c, Layout d, Preference, int wanted, Choice*,
                   int* found);
  Status (*multiply)(Handle, Operation, const void* alpha, const void* a, Layout, const void* b, Layout,
                     const void* beta, const void* c, Layout, void* d, Layout, const Algorithm*,
                     void* workspace, std::size_t workspace_bytes, CUstream_st*);
};

/// The library with every function; nothing where it, or one of them, is not there.
class Library {
 public:
  static std::optional<Library> open();
  const Functions& functions() const { return f_; }

 private:
  Library()
      : library_({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so",
                  "/usr/local/cuda/lib64/libcublasLt.so"}) {}
  bool find_all();

  SharedLibrary library_;
  Functions f_{};
};

}  // namespace roofplan::probe::lt
