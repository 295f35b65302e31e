#pragma once

#include "model/acceptance/acceptance.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace roofplan::model {

/// The accelerators that the logs of one kind are of, by host. Kinds may name a host differently (its host
/// name, the file's name) and are therefore never added up.
struct Coverage {
  std::string kind;                                   ///< "nccl_tests"
  std::map<std::string, std::set<std::string>> gpus;  ///< empty set: the logs tell no accelerators apart

  /// Hosts; of single cards, the cards.
  std::size_t units(bool cards) const;
};

/// One for each kind of log. Runs without results and processes that each ran on their own cover nothing.
std::vector<Coverage> coverage_of(const Evidence& evidence);

/// Remarks that fewer hosts, or single cards, are in the logs than were promised, and adds an open check for
/// each host that tests of the links or of the accelerators ran on a part of. What monitoring shows is the
/// inventory's, see check_devices().
void check_coverage(const Evidence& evidence, const Promise& promise, Acceptance& acceptance);

}  // namespace roofplan::model
