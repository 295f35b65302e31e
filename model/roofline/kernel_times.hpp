#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/formats.hpp"
#include "model/roofline/engine_speed.hpp"
#include "model/roofline/kernel_time_store.hpp"
#include "model/roofline/laws/kernel_laws.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The kernels that an engine runs on a chip with fitted laws, and the times that operators point to.
class KernelTimes {
 public:
  /// For a chip of that family. `laws` must outlive the construction of the operators only, `store`, where
  /// times of this chip are kept for others too, all use of them; nullptr keeps them here.
  KernelTimes(const KernelLaws& laws, const NumberFormat& kv, const EngineSpeed::KernelLawUse& use,
              std::string_view family, KernelTimeStore* store = nullptr);

  /// A matrix product of all tokens; nullptr where the chip has no law for the format. Quantising the input
  /// costs the engine's share: it is fused into the operator before. Engines choose kernels by timing them,
  /// so a format whose benchmark never splits k is split as the 16-bit products are.
  const KernelTime* gemm(const NumberFormat& weights, double n, double k);
  /// The routed experts of a layer, by the fastest kernel that was measured for the format. Of the
  /// benchmark's time per expert nothing remains (it starts groups one by one, engines all at once), of its
  /// fixed time the engine's share, nothing for kernels of the engine's own.
  const KernelTime* experts(const NumberFormat& weights, const MoeFfn& moe, double hidden, double moe_tp,
                            double ep);
  /// Attention of a layer whose device holds `heads` query heads and `kv_heads` key-value heads; nullptr for
  /// attention that no law covers (indexers, compressed caches).
  const KernelTime* attention(const Attention& attention, Phase phase, double heads, double kv_heads);

 private:
  std::unique_ptr<KernelTime> make_gemm(const std::string& format, double n, double k) const;
  std::unique_ptr<KernelTime> make_experts(const NumberFormat& weights, const ExpertGemmShape& shape,
                                           double experts, double ep, double fixed) const;
  std::unique_ptr<KernelTime> make_latent_attention(Phase phase, double heads) const;
  std::unique_ptr<KernelTime> make_attention(Phase phase, double heads, double kv_heads, double width,
                                             double window) const;

  const KernelLaws* laws_;
  std::string kv_;
  double quantise_, expert_fixed_;
  std::vector<std::string> own_experts_;  ///< formats
  KernelTimeStore own_;
  KernelTimeStore* store_;
};

}  // namespace roofplan::model
