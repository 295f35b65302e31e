#include "model/json/json.hpp"
#include "model/llm/hf/shapes.hpp"
#include "model/units/byte_count.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofplan::model::hf {
namespace {

using Mixer = LayerPlan::Mixer;
using Ffn = LayerPlan::Ffn;

std::int64_t norm_elements(const Config& config, const Family& family, const LayerPlan& plan) {
  std::int64_t norms = config.is_set({"use_post_norm"}) ? 4 : family.norms;
  // Gemma 4 norms the routed and the dense part apart, before and after.
  if (plan.ffn == Ffn::both) norms += 3;
  return checked_mul(norms * (family.norm_bias ? 2 : 1), hidden_size(config));
}

std::string mixer_name(const LayerGroup& group) {
  if (group.recurrent) {
    switch (group.recurrent->kind) {
      case Recurrent::Kind::mamba1:
        return "mamba-1";
      case Recurrent::Kind::mamba2:
        return "mamba-2";
      case Recurrent::Kind::gated_delta_net:
        return "gated delta net";
      case Recurrent::Kind::kda:
        return "kda";
      case Recurrent::Kind::short_conv:
        return "short convolution";
    }
  }
  if (!group.attention) return {};
  const Attention& a = *group.attention;
  if (a.kind == Attention::Kind::mla) return a.index_heads > 0 ? "mla with indexer" : "mla";
  if (a.kind == Attention::Kind::compressed)
    return a.compress_ratio > 0 ? fmt::format("latent pooled by {}", a.compress_ratio)
                                : fmt::format("latent, window {}", a.window.value_or(0));
  if (a.window) return fmt::format("attention, window {}", *a.window);
  return "full attention";
}

/// ffn_mult x two thirds of hidden, rounded up to a multiple of 256 (Llama-Nemotron's block_configs).
std::int64_t searched_width(const JsonReader& ffn, std::int64_t hidden) {
  if (const auto width = ffn.find("intermediate_size")) return width->as_integer(1, kMostWidth);
  const JsonReader mult = ffn.at("ffn_mult");
  const double width = 2.0 * mult.as_number() * static_cast<double>(hidden) / 3.0;
  if (!(width >= 1.0) || width > static_cast<double>(kMostWidth))
    mult.fail("the feed-forward width is out of range", "a positive multiple of the hidden size");
  return ceil_div(static_cast<std::int64_t>(width), 256) * 256;
}

bool refused_block(const JsonReader& part) {
  const auto linear = part.find("replace_with_linear");
  return linear && linear->as_bool();
}

bool is_no_op(const JsonReader& part) {
  const auto no_op = part.find("no_op");
  return no_op && no_op->as_bool();
}

LayerGroup searched_block(const Config& config, const JsonReader& block, std::int64_t heads,
                          std::int64_t hidden) {
  LayerGroup group;
  const JsonReader attention = block.at("attention"), ffn = block.at("ffn");
  for (const JsonReader& part : {attention, ffn})
    if (refused_block(part)) part.fail("blocks replaced by one linear layer are not known");
  if (!is_no_op(attention)) {
    Attention a;
    a.heads = heads;
    a.head_dim = a.v_head_dim = config.count_or({"head_dim"}, hidden / heads);
    const JsonReader per_group = attention.at("n_heads_in_group");
    const std::int64_t shared = per_group.as_integer(1, heads);
    if (heads % shared != 0) per_group.fail("the group does not divide the heads", "a divisor of the heads");
    a.kv_heads = heads / shared;
    if (const auto window = attention.find("window_length")) a.window = window->as_integer(1, kMostTokens);
    group.attention = a;
    group.norm_elements += hidden;
  }
  if (!is_no_op(ffn)) {
    group.dense = DenseFfn{searched_width(ffn, hidden), true, false};
    group.norm_elements += hidden;
  }
  return group;
}

}  // namespace

std::int64_t hidden_size(const Config& config) {
  return config.required({"hidden_size", "n_embd", "d_model"});
}

std::string group_name(const LayerGroup& group) {
  std::string name = mixer_name(group);
  const auto add = [&name](std::string_view part) {
    if (!name.empty()) name += " + ";
    name += part;
  };
  if (group.dense) add("dense");
  if (group.moe) add("moe");
  return name.empty() ? "no-op" : name;
}

LayerGroup layer_shape(const Config& config, const Family& family, const LayerPlan& plan) {
  LayerGroup group;
  if (plan.mixer == Mixer::full || plan.mixer == Mixer::window)
    group.attention = attention_shape(config, family, plan);
  if (plan.mixer == Mixer::recurrent) group.recurrent = recurrent_shape(config);
  if (plan.ffn == Ffn::dense || plan.ffn == Ffn::both) group.dense = dense_shape(config, family, plan);
  if (plan.ffn == Ffn::moe || plan.ffn == Ffn::both) group.moe = moe_shape(config, family);
  group.norm_elements = norm_elements(config, family, plan);
  if (const auto width = config.count({"hidden_size_per_layer_input"}); width && *width > 0) {
    group.per_layer_input = *width;
    group.norm_elements += hidden_size(config);
  }
  group.name = group_name(group);
  return group;
}

std::vector<LayerGroup> searched_blocks(const Config& config) {
  const std::int64_t heads = config.required({"num_attention_heads"});
  const std::int64_t hidden = hidden_size(config);
  if (hidden % heads != 0)
    config.fail("num_attention_heads", fmt::format("{} heads do not divide {}", heads, hidden));
  std::vector<LayerGroup> blocks;
  for (const JsonReader& block : config.find("block_configs")->elements()) {
    if (static_cast<std::int64_t>(blocks.size()) == kMostLayers) block.fail("too many layers");
    blocks.push_back(searched_block(config, block, heads, hidden));
    blocks.back().name = group_name(blocks.back());
  }
  return blocks;
}

}  // namespace roofplan::model::hf
