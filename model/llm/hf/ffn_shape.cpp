#include "model/json/json.hpp"
#include "model/llm/hf/shapes.hpp"
#include "model/units/byte_count.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::hf {
namespace {

std::int64_t expert_width(const Config& config) {
  if (const auto w = config.count({"moe_intermediate_size", "expert_intermediate_size", "moe_ffn_hidden_size",
                                   "ffn_config.ffn_hidden_size"});
      w && *w > 0)
    return *w;
  return config.required({"intermediate_size", "moe_intermediate_size"});
}

/// Total width of the shared experts: a width by its own name, or a number of experts of the usual width.
std::int64_t shared_width(const Config& config, const Family& family, std::int64_t width) {
  if (const auto total =
          config.count({"shared_expert_intermediate_size", "share_expert_dim", "shared_intermediate_size"}))
    return *total;
  const std::int64_t experts =
      config.count_or({"n_shared_experts", "num_shared_experts"}, family.shared_experts, 1024);
  const std::int64_t each = config.count_or({"moe_shared_expert_intermediate_size"}, width);
  return checked_mul(experts, each);
}

bool has_router_bias(const Config& config, const Family& family) {
  return family.router_bias || config.is_set({"use_routing_bias", "use_moe_router_bias"}) ||
         config.word({"topk_method"}) == "noaux_tc";
}

}  // namespace

DenseFfn dense_shape(const Config& config, const Family& family, const LayerPlan& plan) {
  DenseFfn f;
  f.gated = family.gated;
  f.bias = family.biases || config.is_set({"mlp_bias"});
  const auto width = config.count({"intermediate_size_mlp", "dense_intermediate_size", "intermediate_size",
                                   "ffn_dim", "n_inner", "ffn_hidden_size"});
  if (width && *width > 0) {
    f.intermediate = *width;
  } else if (!family.gated) {
    f.intermediate = checked_mul(4, hidden_size(config));
  } else {
    f.intermediate = config.required({"intermediate_size", "ffn_dim", "n_inner"});
  }
  if (plan.shared_kv && config.is_set({"use_double_wide_mlp"}))
    f.intermediate = checked_mul(2, f.intermediate);
  return f;
}

MoeFfn moe_shape(const Config& config, const Family& family) {
  MoeFfn f;
  f.experts = expert_count(config);
  f.top_k = config.required({"num_experts_per_tok", "num_experts_per_token", "experts_per_token",
                             "top_k_experts", "moe_top_k", "ffn_config.moe_top_k", "moe_topk"},
                            1 << 20);
  if (f.top_k > f.experts)
    config.fail("num_experts_per_tok", fmt::format("{} of {} experts per token", f.top_k, f.experts),
                "no more than the experts");
  f.intermediate = expert_width(config);
  f.gated = family.gated;
  f.bias = family.expert_bias;
  f.router_bias = has_router_bias(config, family);
  f.shared_intermediate = shared_width(config, family, f.intermediate);
  f.shared_gate = family.shared_gate && f.shared_intermediate > 0;
  f.latent = config.count_or({"moe_latent_size", "routed_expert_hidden_size"}, 0);
  // Gemma 4 scales the router's input and each expert's output by learned vectors.
  if (config.is_set({"enable_moe_block"})) f.router_extra_elements = hidden_size(config) + f.experts;
  return f;
}

}  // namespace roofplan::model::hf
