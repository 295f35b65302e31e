#pragma once

#include "model/fabric/domain_law.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roofplan::model {

/// In what state the links between domains are.
enum class LinkState {
  nominal,   ///< at line rate, as datasheets have it
  measured,  ///< as healthy installations measure it
  half,      ///< one of the two PCIe halves of the network card is used
  tcp,       ///< the library fell back to TCP sockets
  fault,     ///< after a cable was swapped on the running machine, until it restarts
};

/// "nominal", "measured", "half", "tcp", "fault".
std::string_view to_text(LinkState state);
std::optional<LinkState> link_state_from(std::string_view word);

/// The network between domains, as one accelerator sees it: each has its own share of the ports.
struct ScaleOutLaw {
  Seconds launch;              ///< kernel launch where a domain is a single accelerator
  Seconds hop;                 ///< small messages: from accelerator to accelerator through both network cards
  BytesPerSecond ll_rate;      ///< small messages, per accelerator
  Bytes ll_limit;              ///< largest message sent that way, per accelerator of a domain
  Seconds chunk_hop;           ///< large messages: filling one hop with chunks
  Seconds fill;                ///< extra time until a message is well above 256 MiB
  BytesPerSecond line_rate;    ///< per accelerator and direction
  double payload_share = 1.0;  ///< of the line rate, measured on healthy links
  double half_share = 0.5, tcp_share = 0.1, fault_share = 0.1;  ///< of the line rate, in those states
  double exchange_share = 1.0;   ///< of the payload rate that an all-to-all reaches
  double reduction_share = 0.5;  ///< of the payload rate that switches reach which reduce in the network
  BytesPerSecond chain_rate;     ///< more than two racks: rate of the tree's chains inside a rack
  Seconds chain_hop;             ///< the same: filling one rank of such a chain

  bool operator==(const ScaleOutLaw&) const = default;
};

/// Payload of one accelerator per direction in that state.
BytesPerSecond payload_rate(const ScaleOutLaw& law, LinkState state);
/// Payload of a link that is down for part of the time ("flapping"); `up_share` in (0, 1].
BytesPerSecond flapping_rate(const ScaleOutLaw& law, double up_share);

/// All that a message may cross, from one accelerator to any other.
struct FabricPath {
  std::optional<DomainLaw> inside;  ///< nothing where a domain is one accelerator
  int domain_ranks = 1;             ///< accelerators of a domain
  ScaleOutLaw outside;
  LinkState state = LinkState::nominal;
  bool in_network_reduction = false;  ///< switches add up (SHARP); matters beyond two domains only
  std::string inside_source, outside_source;  ///< ids of data/sources.json behind both; empty: none is named

  bool operator==(const FabricPath&) const = default;
};

/// Time of one call over `message.ranks` accelerators, domains filled one after another.
/// Up to one domain: domain_time(). Beyond, small messages go up and down a binary tree of domains (log2 N
/// hops each way), large ones are limited by the domain and by the network, of which the slower hides the
/// other but for a twentieth: rail-wise, every accelerator carries its 1/g of an all-reduce once for two
/// domains (2 (N-1)/N), twice for more (the library's tree), the ring's (n-1)/n / g of an all-gather or
/// reduce-scatter, and its (n-g)/n of an all-to-all. Throws InputError (usage) for more ranks than a domain
/// where the law outside has no line rate.
Seconds fabric_time(const FabricPath& path, const Message& message);

}  // namespace roofplan::model
