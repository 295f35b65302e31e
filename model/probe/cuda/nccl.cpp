#include "model/probe/cuda/nccl.hpp"

#include <utility>

namespace roofplan::probe::nccl {

bool Library::find_all() {
  const SharedLibrary& l = library_;
  l.find(f_.get_unique_id, {"ncclGetUniqueId"});
  l.find(f_.init_rank, {"ncclCommInitRank"});
  return l.find(f_.init_all, {"ncclCommInitAll"}) && l.find(f_.destroy, {"ncclCommDestroy"}) &&
         l.find(f_.group_start, {"ncclGroupStart"}) && l.find(f_.group_end, {"ncclGroupEnd"}) &&
         l.find(f_.all_reduce, {"ncclAllReduce"}) && l.find(f_.all_gather, {"ncclAllGather"}) &&
         l.find(f_.reduce_scatter, {"ncclReduceScatter"});
}

std::optional<Library> Library::open() {
  Library out;
  return out.library_.opened() && out.find_all() ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace roofplan::probe::nccl
