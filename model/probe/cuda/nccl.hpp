#pragma once

#include "model/probe/gpu/shared_library.hpp"

#include <array>
#include <cstddef>
#include <optional>

struct CUstream_st;

namespace roofplan::probe::nccl {

// The part of NCCL's interface that is used, so that it is opened at run time and its header is not needed.
// Values as in NVIDIA, NCCL Documentation, "NCCL API".

using Result = int;  // 0: done
using Communicator = struct CommunicatorTag*;
struct UniqueId {
  std::array<char, 128> bytes;
};
inline constexpr int kFloat32 = 7, kSum = 0;

struct Functions {
  Result (*get_unique_id)(UniqueId*);
  Result (*init_rank)(Communicator*, int count, UniqueId, int rank);
  Result (*init_all)(Communicator*, int count, const int* devices);
  Result (*destroy)(Communicator);
  Result (*group_start)();
  Result (*group_end)();
  Result (*all_reduce)(const void*, void*, std::size_t count, int type, int operation, Communicator,
                       CUstream_st*);
  Result (*all_gather)(const void*, void*, std::size_t count_each, int type, Communicator, CUstream_st*);
  Result (*reduce_scatter)(const void*, void*, std::size_t count_each, int type, int operation, Communicator,
                           CUstream_st*);
};

class Library {
 public:
  static std::optional<Library> open();
  const Functions& functions() const { return f_; }
  /// Whether it joins processes too.
  bool has_ranks() const { return f_.get_unique_id != nullptr && f_.init_rank != nullptr; }

 private:
  Library() : library_({"libnccl.so.2", "libnccl.so", "/usr/local/cuda/lib64/libnccl.so"}) {}
  bool find_all();

  SharedLibrary library_;
  Functions f_{};
};

}  // namespace roofplan::probe::nccl
