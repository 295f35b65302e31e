#include "model/acceptance/link_bound.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// The fastest link of an accelerator inside its domain, per direction; zero where none is known.
BytesPerSecond inside_line(const Chip& chip) {
  BytesPerSecond line;
  for (const Figure<BytesPerSecond>* link : {&chip.scale_up_link, &chip.host_link}) {
    if (link->known() && **link > line) line = **link;
  }
  return line;
}

/// Bus bandwidth over the rate at which a domain takes data in, of `domains` domains.
double outside_factor(Collective op, int ranks, int domains) {
  const double factor = bus_factor(op, ranks);
  if (op == Collective::all_gather || op == Collective::reduce_scatter)
    return factor * domains / (domains - 1);
  return op == Collective::all_reduce ? factor : 1;
}

}  // namespace

std::optional<BytesPerSecond> link_bound(const Promise& promise, Collective op, int ranks) {
  if (ranks < 2) return std::nullopt;
  const FabricPath& path = promise.path;
  const BytesPerSecond port = path.outside.line_rate, line = inside_line(promise.system->chip);
  const bool across = ranks > path.domain_ranks;
  std::optional<BytesPerSecond> bound;
  if (path.domain_ranks > 1 && line.base() > 0)
    bound = (op == Collective::all_reduce ? bus_factor(op, ranks) : 1.0) * (across ? line + port : line);
  if (across && port.base() > 0) {
    const int domains = (ranks + path.domain_ranks - 1) / path.domain_ranks;
    const BytesPerSecond outside = path.domain_ranks * outside_factor(op, ranks, domains) * port;
    bound = bound ? std::min(*bound, outside) : outside;
  }
  return bound;
}

}  // namespace roofplan::model
