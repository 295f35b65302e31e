#include "model/report/layer_groups.hpp"

#include "model/report/numbers.hpp"
#include "model/units/unit_text.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {
namespace {

std::string_view kind_name(Attention::Kind kind) {
  switch (kind) {
    case Attention::Kind::gqa:
      return "gqa";
    case Attention::Kind::mla:
      return "mla";
    case Attention::Kind::compressed:
      return "compressed";
  }
  return "";
}

std::string_view kind_name(Recurrent::Kind kind) {
  switch (kind) {
    case Recurrent::Kind::mamba1:
      return "mamba1";
    case Recurrent::Kind::mamba2:
      return "mamba2";
    case Recurrent::Kind::gated_delta_net:
      return "gated_delta_net";
    case Recurrent::Kind::kda:
      return "kda";
    case Recurrent::Kind::short_conv:
      return "short_conv";
  }
  return "";
}

Value attention_value(const Attention& a) {
  Value out = Value::object();
  out.add("kind", kind_name(a.kind)).add("heads", a.heads).add("head_dim", a.head_dim);
  if (a.kind == Attention::Kind::mla) {
    out.add("kv_lora_rank", a.kv_lora_rank).add("rope_dim", a.rope_dim).add("q_lora_rank", a.q_lora_rank);
  } else {
    out.add("kv_heads", a.kv_heads).add("v_head_dim", a.v_head_dim);
  }
  out.add("window", Value::known_or(a.window, Text("models.no_window")));
  if (a.compress_ratio > 0) out.add("compress_ratio", a.compress_ratio);
  if (a.index_heads > 0) out.add("index_heads", a.index_heads).add("index_top_k", a.index_top_k);
  return out;
}

Value group_value(const LayerGroup& group, const LayerGroupFacts& facts) {
  Value out = Value::object();
  out.add("name", group.name)
      .add("count", group.count)
      .add("params", facts.params)
      .add("active_params", facts.active_params)
      .add("kv_bytes_per_token", facts.kv_bytes_per_token)
      .add("state_bytes_per_sequence", facts.state_bytes_per_sequence);
  out.add("attention",
          group.attention ? attention_value(*group.attention) : Value::unknown(Text("models.no_attention")));
  out.add("recurrent", group.recurrent ? Value::object().add("kind", kind_name(group.recurrent->kind))
                                       : Value::unknown(Text("models.not_recurrent")));
  out.add(
      "dense",
      group.dense
          ? Value::object().add("intermediate", group.dense->intermediate).add("gated", group.dense->gated)
          : Value::unknown(Text("models.no_dense")));
  if (!group.moe) return out.add("moe", Value::unknown(Text("models.no_moe")));
  return out.add("moe", Value::object()
                            .add("experts", group.moe->experts)
                            .add("top_k", group.moe->top_k)
                            .add("intermediate", group.moe->intermediate)
                            .add("shared_intermediate", group.moe->shared_intermediate));
}

std::string mixer_text(const LayerGroup& group) {
  if (group.recurrent) return std::string(kind_name(group.recurrent->kind));
  if (!group.attention) return "-";
  const Attention& a = *group.attention;
  switch (a.kind) {
    case Attention::Kind::mla:
      return fmt::format("MLA {}+{}, {} heads", a.kv_lora_rank, a.rope_dim, a.heads);
    case Attention::Kind::compressed:
      return fmt::format("compressed 1/{}, {} heads", a.compress_ratio, a.heads);
    case Attention::Kind::gqa:
      break;
  }
  return fmt::format("{} heads, {} KV of {}", a.heads, a.kv_heads, a.head_dim);
}

std::string ffn_text(const LayerGroup& group) {
  std::string out;
  if (group.dense) out = grouped(group.dense->intermediate);
  if (!group.moe) return out.empty() ? "-" : out;
  const MoeFfn& moe = *group.moe;
  if (!out.empty()) out += " + ";
  out += fmt::format("{} of {} experts of {}", moe.top_k, moe.experts, grouped(moe.intermediate));
  return moe.shared_intermediate > 0 ? out + fmt::format(", shared {}", grouped(moe.shared_intermediate))
                                     : out;
}

}  // namespace

Value layer_group_list(const Architecture& model, const ModelFacts& facts) {
  Value list = Value::list();
  for (std::size_t i = 0; i < model.groups.size(); ++i)
    list.push(group_value(model.groups[i], facts.layer_groups.at(i)));
  return list;
}

Table layer_group_table(const Architecture& model, const ModelFacts& facts) {
  using Align = Column::Align;
  Table table;
  table.title = Text("models.layers_title");
  table.columns = {Column(Text("models.layers"), Align::right),
                   Column(Text("models.group")),
                   Column(Text("models.mixer")),
                   Column(Text("models.window"), Align::right),
                   Column(Text("models.ffn")),
                   Column(Text("models.parameters"), Align::right)};
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    const LayerGroup& group = model.groups[i];
    const bool windowed = group.attention && group.attention->window;
    table.rows.push_back({Cell(grouped(group.count)), Cell(group.name), Cell(mixer_text(group)),
                          Cell(windowed ? grouped(*group.attention->window) : "-"), Cell(ffn_text(group)),
                          Cell(params_text(facts.layer_groups.at(i).params))});
  }
  return table;
}

}  // namespace roofplan::model::report
