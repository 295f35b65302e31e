#include "model/json/json.hpp"
#include "model/llm/hf/shapes.hpp"
#include "model/units/byte_count.hpp"

namespace roofplan::model::hf {
namespace {

Recurrent delta_net(const Config& config) {
  Recurrent r;
  r.kind = Recurrent::Kind::gated_delta_net;
  r.conv_kernel = config.count_or({"linear_conv_kernel_dim"}, 4);
  r.key_heads = config.required({"linear_num_key_heads"});
  r.key_head_dim = config.required({"linear_key_head_dim"});
  r.value_heads = config.required({"linear_num_value_heads"});
  r.value_head_dim = config.required({"linear_value_head_dim"});
  return r;
}

Recurrent kimi_delta(const Config& config) {
  Recurrent r;
  r.kind = Recurrent::Kind::kda;
  r.conv_kernel = config.count_or({"linear_attn_config.short_conv_kernel_size"}, 4);
  r.key_heads = r.value_heads = config.required({"linear_attn_config.num_heads"});
  r.key_head_dim = r.value_head_dim = config.required({"linear_attn_config.head_dim"});
  r.full_rank_gate = config.is_set({"linear_attn_config.use_full_rank_gate"});
  return r;
}

Recurrent mamba1(const Config& config) {
  const std::int64_t hidden = hidden_size(config);
  Recurrent r;
  r.kind = Recurrent::Kind::mamba1;
  r.inner = checked_mul(config.count_or({"mamba_expand"}, 2), hidden);
  r.state_size = config.required({"mamba_d_state"});
  r.conv_kernel = config.count_or({"mamba_d_conv"}, 4);
  const auto rank = config.find("mamba_dt_rank");
  r.dt_rank = rank && rank->is_number() ? rank->as_integer(1, kMostWidth) : ceil_div(hidden, 16);
  r.conv_bias = config.flag({"mamba_conv_bias"}).value_or(true);
  r.inner_norms = true;
  return r;
}

Recurrent mamba2(const Config& config) {
  Recurrent r;
  r.kind = Recurrent::Kind::mamba2;
  r.heads = config.required({"mamba_num_heads", "mamba_n_heads", "num_heads"});
  r.head_dim = config.required({"mamba_head_dim", "mamba_d_head", "head_dim"});
  r.groups = config.required({"n_groups", "mamba_n_groups"});
  r.state_size = config.required({"ssm_state_size", "mamba_d_state", "state_size"});
  r.conv_kernel = config.count_or({"conv_kernel", "mamba_d_conv"}, 4);
  r.conv_bias = config.flag({"use_conv_bias", "mamba_conv_bias"}).value_or(true);
  return r;
}

Recurrent short_conv(const Config& config) {
  Recurrent r;
  r.kind = Recurrent::Kind::short_conv;
  r.inner = config.count_or({"conv_dim"}, hidden_size(config));
  r.conv_kernel = config.required({"conv_L_cache"});
  r.conv_bias = config.is_set({"conv_bias"});
  return r;
}

Recurrent by_keys(const Config& config) {
  if (config.has("linear_attn_config")) return kimi_delta(config);
  if (config.has("linear_num_value_heads")) return delta_net(config);
  if (config.has("conv_L_cache")) return short_conv(config);
  if (config.has("mamba_dt_rank")) return mamba1(config);
  return mamba2(config);
}

}  // namespace

Recurrent recurrent_shape(const Config& config) {
  Recurrent r = by_keys(config);
  const auto type = config.word({"mamba_ssm_dtype", "mamba_ssm_cache_dtype"});
  r.fp32_state = !type || (*type != "bfloat16" && *type != "float16");
  return r;
}

}  // namespace roofplan::model::hf
