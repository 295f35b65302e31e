#include "model/fabric/collective.hpp"

namespace roofplan::model {

std::string_view to_text(Collective op) {
  switch (op) {
    case Collective::all_reduce:
      return "all_reduce";
    case Collective::all_gather:
      return "all_gather";
    case Collective::reduce_scatter:
      return "reduce_scatter";
    case Collective::all_to_all:
      return "all_to_all";
    case Collective::broadcast:
      return "broadcast";
    case Collective::send_recv:
      return "send_recv";
  }
  return {};
}

std::optional<Collective> collective_from(std::string_view name) {
  for (const Collective op : {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
                              Collective::all_to_all, Collective::broadcast, Collective::send_recv}) {
    if (name == to_text(op)) return op;
  }
  if (name == "alltoall") return Collective::all_to_all;
  if (name == "sendrecv") return Collective::send_recv;
  return std::nullopt;
}

double bus_factor(Collective op, int ranks) {
  const double n = ranks;
  switch (op) {
    case Collective::all_reduce:
      return 2.0 * (n - 1.0) / n;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
      return (n - 1.0) / n;
    case Collective::broadcast:
    case Collective::send_recv:
      return 1.0;
  }
  return 1.0;
}

BytesPerSecond algorithm_bandwidth(const Message& message, Seconds time) {
  return message.bytes / time;
}

BytesPerSecond bus_bandwidth(const Message& message, Seconds time) {
  return bus_factor(message.op, message.ranks) * algorithm_bandwidth(message, time);
}

}  // namespace roofplan::model
