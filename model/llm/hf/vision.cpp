#include "model/json/json.hpp"
#include "model/llm/hf/shapes.hpp"
#include "model/llm/hf/side_modules.hpp"
#include "model/units/byte_count.hpp"

namespace roofplan::model::hf {
namespace {

/// A tower's own keys; every count is bounded, so that products of two stay in 64 bits.
struct Tower {
  JsonReader config;
  std::int64_t text_width;

  std::int64_t at(std::string_view key) const { return config.at(key).as_integer(1, kMostWidth); }
  std::int64_t at_or(std::string_view key, std::int64_t otherwise) const {
    const auto value = config.find(key);
    return value ? value->as_integer(0, kMostWidth) : otherwise;
  }
  bool has(std::string_view key) const { return config.has(key); }
};

std::int64_t linear(std::int64_t in, std::int64_t out) {
  return checked_mul(in + 1, out);
}

std::int64_t square(std::int64_t n) {
  return checked_mul(n, n);
}

/// Transformer block with biases and two LayerNorms, an ungated MLP.
std::int64_t vit_block(std::int64_t h, std::int64_t ffn) {
  return 4 * linear(h, h) + linear(h, ffn) + linear(ffn, h) + 4 * h;
}

/// Gemma 3: SigLIP with learned positions, a norm and one projection without bias.
std::int64_t siglip(const Tower& t) {
  const std::int64_t h = t.at("hidden_size"), patch = t.at("patch_size");
  const std::int64_t patches = square(t.at("image_size") / patch);
  const std::int64_t embed = linear(checked_mul(3, square(patch)), h) + checked_mul(patches, h);
  const std::int64_t blocks = checked_mul(t.at("num_hidden_layers"), vit_block(h, t.at("intermediate_size")));
  return embed + blocks + 2 * h + checked_mul(h, t.text_width) + h;
}

/// Gemma 4: gated MLP, four norms and two head norms a block, no biases, two position tables.
std::int64_t gemma4(const Tower& t) {
  const std::int64_t h = t.at("hidden_size"), patch = t.at("patch_size"), ffn = t.at("intermediate_size");
  const std::int64_t block = 4 * square(h) + checked_mul(3 * h, ffn) + 4 * h + 2 * t.at("head_dim");
  const std::int64_t embed =
      checked_mul(3 * square(patch), h) + 2 * checked_mul(t.at("position_embedding_size"), h);
  return embed + checked_mul(t.at("num_hidden_layers"), block) + checked_mul(h, t.text_width);
}

/// Llama 4: class token, pixel shuffle by two, a two-layer adapter, then the projection.
std::int64_t llama4(const Tower& t) {
  const std::int64_t h = t.at("hidden_size"), patch = t.at("patch_size"), ffn = t.at("intermediate_size");
  const std::int64_t positions = square(t.at("image_size") / patch) + 1;
  const std::int64_t out = t.at("vision_output_dim");
  const std::int64_t embed = checked_mul(3 * square(patch), h) + h + checked_mul(positions, h) + 4 * h;
  const std::int64_t adapter = checked_mul(4 * h, out) + square(out);
  return embed + checked_mul(t.at("num_hidden_layers"), vit_block(h, ffn)) + adapter +
         checked_mul(out, t.text_width);
}

/// Two biased layers on merged patches behind a norm of `normed` elements.
std::int64_t patch_merger(std::int64_t merged, std::int64_t out, std::int64_t normed) {
  return normed + linear(merged, merged) + linear(merged, out);
}

/// Qwen3-VL and Qwen3.5: learned positions, a merger, one more merger per deep-stack level.
std::int64_t qwen3_vl(const Tower& t) {
  const std::int64_t h = t.at("hidden_size"), out = t.at("out_hidden_size");
  const std::int64_t pixels = checked_mul(3 * t.at_or("temporal_patch_size", 2), square(t.at("patch_size")));
  const std::int64_t merged = checked_mul(h, square(t.at_or("spatial_merge_size", 2)));
  std::int64_t sum = linear(pixels, h) + checked_mul(t.at("num_position_embeddings"), h);
  sum = checked_add(sum, checked_mul(t.at("depth"), vit_block(h, t.at("intermediate_size"))));
  sum = checked_add(sum, patch_merger(merged, out, 2 * h));
  if (const auto levels = t.config.find("deepstack_visual_indexes"))
    sum = checked_add(sum, checked_mul(static_cast<std::int64_t>(levels->elements().size()),
                                       patch_merger(merged, out, 2 * merged)));
  return sum;
}

/// Qwen2.5-VL: RMSNorm, gated MLP with biases, no position table.
std::int64_t qwen25_vl(const Tower& t) {
  const std::int64_t h = t.at("hidden_size"), out = t.at("out_hidden_size"), ffn = t.at("intermediate_size");
  const std::int64_t pixels = checked_mul(3 * t.at_or("temporal_patch_size", 2), square(t.at("patch_size")));
  const std::int64_t merged = checked_mul(h, square(t.at_or("spatial_merge_size", 2)));
  const std::int64_t block = 4 * linear(h, h) + 2 * linear(h, ffn) + linear(ffn, h) + 2 * h;
  return checked_mul(pixels, h) + checked_mul(t.at("depth"), block) + patch_merger(merged, out, h);
}

/// Kimi K2.5: MoonViT with a learned spatial table and one merger on 2 x 2 patches.
std::int64_t moonvit(const Tower& t) {
  const std::int64_t h = t.at("vt_hidden_size"), patch = t.at("patch_size");
  const std::int64_t table = checked_mul(t.at("init_pos_emb_height"), t.at("init_pos_emb_width"));
  const std::int64_t blocks =
      checked_mul(t.at("vt_num_hidden_layers"), vit_block(h, t.at("vt_intermediate_size")));
  const std::int64_t sum =
      linear(checked_mul(3, square(patch)), h) + 2 * h + patch_merger(4 * h, t.text_width, 2 * h);
  return checked_add(checked_add(sum, blocks), checked_mul(table, h));
}

}  // namespace

std::int64_t vision_elements(const Config& config, const Family& family, std::vector<std::string>& notes) {
  if (config.root().has("audio_config"))
    notes.push_back("the audio tower is left out: its shape is not known");
  const auto vision = config.root().find("vision_config");
  if (!vision) {
    if (family.architecture.find("ConditionalGeneration") != std::string_view::npos)
      notes.push_back("the config says nothing about a vision tower; none is counted");
    return 0;
  }
  const Tower tower{*vision, hidden_size(config)};
  const auto type = vision->find("model_type");
  const std::string kind = type ? type->as_string() : std::string{};
  if (kind == "siglip_vision_model") return siglip(tower);
  if (kind == "gemma4_vision") return gemma4(tower);
  if (kind == "llama4_vision_model") return llama4(tower);
  if (tower.has("num_position_embeddings") && tower.has("out_hidden_size")) return qwen3_vl(tower);
  if (kind == "qwen2_5_vl" && tower.has("out_hidden_size")) {
    // HyperCLOVA X puts one biased layer between the tower and the text model.
    const bool extra = family.name == "HyperCLOVA X";
    return checked_add(qwen25_vl(tower), extra ? linear(tower.at("out_hidden_size"), tower.text_width) : 0);
  }
  const auto projector = vision->find("mm_projector_type");
  if (projector && projector->as_string() == "patchmerger" && tower.has("vt_hidden_size"))
    return moonvit(tower);
  notes.push_back("the vision tower is left out: its shape is not known");
  return 0;
}

}  // namespace roofplan::model::hf
