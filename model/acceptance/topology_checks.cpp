#include "model/acceptance/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace roofplan::model {
namespace {

using Path = TopologyMatrix::Path;

std::int64_t links_of(const std::string& path) {
  if (!path.starts_with("NV")) return 0;
  return std::stoll(path.substr(2));
}

/// "GPU 2" of "GPU2".
std::string shown(const std::string& gpu) {
  return "GPU " + gpu.substr(3);
}

/// NVLinks between any two accelerators of a node behind NVSwitches; 0 where the system has none, nothing
/// where their number is not known.
std::optional<std::int64_t> links_promised(const Promise& promise) {
  const Chip& chip = promise.system->chip;
  if (!chip.scale_up_link.known() || promise.system->scale_up_size < 2) return 0;
  if (!chip.compute_capability.known()) return std::nullopt;
  const auto& links = promise.limits->nvlinks;
  const auto found = links.find(chip.compute_capability.text);
  return found == links.end() ? std::nullopt : std::optional(found->second);
}

Check pair_check(const TopologyMatrix& matrix, std::string part, const std::string& path,
                 const std::string& wanted) {
  Check check;
  check.name = "topology.nvlink";
  check.node = matrix.place.node;
  check.part = std::move(part);
  check.measured = path;
  check.expected = wanted;
  check.pass = false;
  check.reason = Text(links_of(path) > 0 ? "accept.topology.fewer" : "accept.topology.not_linked");
  return check;
}

/// A check for each pair that is not joined as promised, or one for a GPU all of whose pairs are not.
void check_nvlinks(const TopologyMatrix& matrix, std::int64_t promised, Acceptance& acceptance) {
  const std::string wanted = fmt::format("NV{}", promised);
  std::map<std::pair<std::string, std::string>, std::string> wrong;  // each pair once
  std::map<std::string, std::int64_t> pairs, of_gpu;
  for (const Path& path : matrix.paths) {
    if (!path.to.starts_with("GPU")) continue;
    ++pairs[path.from];
    if (links_of(path.path) >= promised) continue;
    ++of_gpu[path.from];
    wrong.emplace(std::minmax(path.from, path.to), path.path);
  }
  for (const auto& [gpu, count] : of_gpu) {
    if (count < 2 || count < pairs[gpu] || of_gpu.size() < 3) continue;
    const auto others_fine = [&](const auto& entry) {
      return entry.first == gpu || entry.second < pairs[entry.first];
    };
    if (!std::all_of(of_gpu.begin(), of_gpu.end(), others_fine)) continue;
    const auto first = std::find_if(wrong.begin(), wrong.end(), [&](const auto& entry) {
      return entry.first.first == gpu || entry.first.second == gpu;
    });
    acceptance.checks.push_back(pair_check(matrix, shown(gpu), first->second, wanted));
    std::erase_if(wrong,
                  [&](const auto& entry) { return entry.first.first == gpu || entry.first.second == gpu; });
    break;
  }
  for (const auto& [ends, path] : wrong)
    acceptance.checks.push_back(
        pair_check(matrix, fmt::format("{}, {}", shown(ends.first), shown(ends.second)), path, wanted));
  if (!of_gpu.empty() || pairs.empty()) return;
  Check check;
  check.name = "topology.nvlink";
  check.node = matrix.place.node;
  check.detail = fmt::format("{} GPUs", pairs.size());
  check.measured = check.expected = wanted;
  check.pass = true;
  acceptance.checks.push_back(std::move(check));
}

/// How far each accelerator is from its nearest network card, "PXB PXB SYS"; empty without cards.
std::string nearest_cards(const TopologyMatrix& matrix) {
  static constexpr std::array<std::string_view, 6> kNear{"PIX", "PXB", "PHB", "NODE", "SYS", "SOC"};
  std::map<std::int64_t, std::size_t> nearest;
  for (const Path& path : matrix.paths) {
    if (path.to.starts_with("GPU")) continue;
    const auto at =
        static_cast<std::size_t>(std::find(kNear.begin(), kNear.end(), path.path) - kNear.begin());
    const auto [entry, fresh] = nearest.emplace(std::stoll(path.from.substr(3)), at);
    if (!fresh) entry->second = std::min(entry->second, at);
  }
  std::string out;
  for (const auto& [gpu, at] : nearest) {
    if (at < kNear.size()) out.append(out.empty() ? "" : " ").append(kNear[at]);
  }
  return out;
}

}  // namespace

void check_topologies(const Evidence& evidence, const Promise& promise, Acceptance& acceptance) {
  const auto promised = links_promised(promise);
  std::set<NodeWord> cards;
  for (const TopologyMatrix& matrix : evidence.topologies) {
    if (const std::string near = nearest_cards(matrix); !near.empty()) cards.emplace(matrix.place.node, near);
    const bool cards_in_a_host = promise.system->system_class == System::Class::card;
    if (!cards_in_a_host && !evidence.attached_gpus.contains(matrix.place.node))
      acceptance.checks.push_back(inventory_check(matrix.place.node, matrix.gpus, promise));
    if (matrix.gpus < 2 || promised == 0) continue;
    if (promised) {
      check_nvlinks(matrix, *promised, acceptance);
      continue;
    }
    Check check;
    check.name = "topology.nvlink";
    check.node = matrix.place.node;
    check.reason = Text("accept.no_expectation");
    acceptance.checks.push_back(std::move(check));
  }
  compare_words("topology", "topology.cards", cards, acceptance);
}

}  // namespace roofplan::model
