#pragma once

#include "model/units/quantity.hpp"

#include <optional>
#include <string_view>

namespace roofplan::model {

/// What a group of ranks exchanges.
enum class Collective { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, send_recv };

/// "all_reduce" ... "send_recv", as nccl-tests names its programs.
std::string_view to_text(Collective op);
/// Reads those names, and "alltoall", "sendrecv". Nothing for another word.
std::optional<Collective> collective_from(std::string_view name);

/// One call of a collective. `bytes` is the size that nccl-tests prints: the vector of one rank for
/// all-reduce, broadcast and send/recv; the vector of all ranks together for all-gather and reduce-scatter;
/// all that one rank sends, its own share included, for all-to-all.
struct Message {
  Collective op = Collective::all_reduce;
  Bytes bytes;
  int ranks = 2;          ///< at least 1; one rank exchanges nothing
  int element_bytes = 2;  ///< size of one element, which decides the reduction kernel
};

/// Bus bandwidth / algorithm bandwidth: 2(n-1)/n for all-reduce, (n-1)/n for all-gather, reduce-scatter and
/// all-to-all, 1 for the others (nccl-tests, doc/PERFORMANCE.md).
double bus_factor(Collective op, int ranks);

/// Message size over time (nccl-tests, doc/PERFORMANCE.md).
BytesPerSecond algorithm_bandwidth(const Message& message, Seconds time);
/// Algorithm bandwidth x bus_factor: comparable with the rate of a link, in bytes (not bits) per second.
BytesPerSecond bus_bandwidth(const Message& message, Seconds time);

}  // namespace roofplan::model
