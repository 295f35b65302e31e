#include "model/fabric/expert_exchange.hpp"

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

Bytes size(const ExpertExchange& x, double bytes_per_element) {
  return static_cast<double>(x.tokens) * static_cast<double>(x.hidden) * bytes_per_element *
         copies_per_token(x) * unit::B;
}

Seconds time(const FabricPath& path, const ExpertExchange& x, Bytes bytes, double bytes_per_element) {
  if (x.ranks <= 1 || x.tokens <= 0) return Seconds{};
  const int element = std::max(1, static_cast<int>(bytes_per_element));
  return fabric_time(path, {Collective::all_to_all, std::max(1.0, x.imbalance) * bytes, x.ranks, element});
}

}  // namespace

double copies_per_token(const ExpertExchange& x) {
  if (!x.once_per_rank) return x.top_k;
  const double ranks = std::max(1, x.ranks);
  return ranks * (1.0 - std::pow(1.0 - 1.0 / ranks, x.top_k));
}

Bytes dispatch_size(const ExpertExchange& x) {
  return size(x, x.dispatch_bytes);
}

Bytes combine_size(const ExpertExchange& x) {
  return size(x, x.combine_bytes);
}

Seconds dispatch_time(const FabricPath& path, const ExpertExchange& x) {
  return time(path, x, dispatch_size(x), x.dispatch_bytes);
}

Seconds combine_time(const FabricPath& path, const ExpertExchange& x) {
  return time(path, x, combine_size(x), x.combine_bytes);
}

}  // namespace roofplan::model
