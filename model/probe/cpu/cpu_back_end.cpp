#include "model/probe/cpu/cpu_back_end.hpp"

#include "model/catalog/model_reference.hpp"
#include "model/probe/cpu/cpu_probes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace roofplan::probe {
namespace {

/// Batch and depth of the layers that are replayed.
constexpr std::array<std::pair<std::int64_t, std::int64_t>, 4> kReplays{
    {{1, 512}, {4, 512}, {16, 512}, {1, 4096}}};

/// A quarter of the free memory, so that nothing else suffers, between what caches need to be left behind and
/// what takes long to fill.
std::size_t arena_bytes(const DeviceState& state, const DeviceIdentity& identity, bool quick) {
  const std::int64_t free = state.free_memory.value_or(model::ByteCount(std::int64_t{1} << 30)).count();
  const std::int64_t wanted =
      std::max<std::int64_t>(quick ? 256'000'000 : 1'000'000'000, 8 * identity.cache.count());
  return static_cast<std::size_t>(std::clamp<std::int64_t>(free / 4, 64'000'000, wanted));
}

}  // namespace

CpuBackEnd::CpuBackEnd(const BackEndWish& wish) : wish_(wish) {}

const std::shared_ptr<CpuArena>& CpuBackEnd::arena() {
  if (!arena_) {
    const int threads = wish_.threads > 0 ? wish_.threads : device_.identity().units;
    arena_ = std::make_shared<CpuArena>(
        threads, arena_bytes(device_.state(), device_.identity(), wish_.quick), wish_.seed);
  }
  return arena_;
}

RunOptions CpuBackEnd::options() const {
  RunOptions out;
  out.rule.quantile = 0.1;
  out.rule.relative_error = wish_.quick ? 0.02 : 0.01;
  out.rule.time_limit = (wish_.quick ? 0.45 : 3.0) * model::unit::s;
  out.rounds = 3;
  out.seed = wish_.seed;
  return out;
}

std::vector<Probe> CpuBackEnd::probes() {
  return cpu_probes(arena(), wish_.quick);
}

std::vector<Replay> CpuBackEnd::replays(const model::Catalog& catalog) {
  std::vector<Replay> out;
  std::vector<std::string> names{"qwen3-0.6b"};
  if (!wish_.quick) names.push_back("llama-3.2-1b");
  for (const std::string& name : names) {
    const LayerShape layer = layer_shape(model::find_model(catalog, name).architecture);
    for (const auto& [batch, depth] : kReplays) {
      if (2 * layer.elements() + layer.cache_elements(batch, depth) > static_cast<double>(arena()->size()))
        continue;
      out.push_back({.what = {.model = name, .batch = static_cast<int>(batch), .depth = depth, .layers = 1},
                     .format = "fp32",
                     .probe = layer_probe(arena(), name, layer, batch, depth)});
    }
  }
  return out;
}

std::vector<std::string> CpuBackEnd::remarks() {
  return {
      "times are processor time of the slowest thread that a tenth of the executions beat, so that other "
      "programs count as little as can be",
      "matrix products were measured in fp32 alone: the kernels at hand compute narrower formats no "
      "faster, and only their bytes are fewer"};
}

}  // namespace roofplan::probe
