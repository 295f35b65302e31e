#include "model/llm/files/tensor_inventory.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace roofplan::model {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::vector<std::string_view> segments_of(std::string_view name) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t dot = name.find('.');
    out.push_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    name.remove_prefix(dot + 1);
  }
}

bool is_vision(std::string_view segment) {
  static constexpr std::array<std::string_view, 18> kNames{"visual",
                                                           "vision_tower",
                                                           "vision_model",
                                                           "vision_encoder",
                                                           "vision_embedder",
                                                           "audio_tower",
                                                           "vision_embed_tokens",
                                                           "audio_model",
                                                           "audio_encoder",
                                                           "mm_projector",
                                                           "embed_vision",
                                                           "multi_modal_projector",
                                                           "vision_language_adapter",
                                                           "embed_audio",
                                                           "image_newline",
                                                           "patch_merger",
                                                           "sound_encoder",
                                                           "vision_projector"};
  return is_one_of(segment, kNames);
}

/// A module of its own for multi-token prediction, with layers numbered from 0.
bool is_draft_module(std::string_view segment) {
  return segment == "mtp" || segment.starts_with("mtp_");
}

/// Names that only a layer for multi-token prediction has, among the numbered layers of the model.
bool is_draft_part(std::string_view segment) {
  static constexpr std::array<std::string_view, 5> kNames{"nextn", "eh_proj", "enorm", "hnorm",
                                                          "shared_head"};
  return is_one_of(segment, kNames);
}

bool is_embedding(std::string_view segment) {
  static constexpr std::array<std::string_view, 18> kNames{"embed_tokens",
                                                           "wte",
                                                           "wpe",
                                                           "embeddings",
                                                           "embedding",
                                                           "embed_in",
                                                           "token_embd",
                                                           "token_types",
                                                           "position_embd",
                                                           "word_embeddings",
                                                           "position_embeddings",
                                                           "token_type_embeddings",
                                                           "tok_embeddings",
                                                           "embed_positions",
                                                           "embed_tokens_per_layer",
                                                           "per_layer_model_projection",
                                                           "per_layer_token_embd",
                                                           "per_layer_model_proj"};
  return is_one_of(segment, kNames);
}

bool is_norm(std::string_view segment) {
  static constexpr std::array<std::string_view, 5> kVectors{"sinks", "attn_sinks", "A_log", "ssm_a", "ssm_d"};
  return contains(segment, "norm") || contains(segment, "Norm") || segment.starts_with("ln_") ||
         is_one_of(segment, kVectors);
}

bool is_attention(std::string_view segment) {
  static constexpr std::array<std::string_view, 9> kNames{"q_proj", "k_proj", "v_proj", "o_proj", "qkv_proj",
                                                          "wq",     "wk",     "wv",     "wo"};
  return is_one_of(segment, kNames) || contains(segment, "attn") || contains(segment, "attention");
}

bool is_recurrent(std::string_view segment) {
  static constexpr std::array<std::string_view, 10> kNames{
      "linear_attn", "mamba",    "conv1d",     "x_proj", "dt_proj",
      "in_proj",     "out_proj", "short_conv", "conv",   "shortconv"};
  return is_one_of(segment, kNames) || segment.starts_with("ssm_");
}

bool is_router(std::string_view segment) {
  return segment == "gate" || segment == "router" || segment == "ffn_gate_inp";
}

bool is_expert(std::string_view segment) {
  return segment == "experts" || segment == "switch_mlp" || segment.ends_with("_exps");
}

/// The matrices around experts of a smaller width count with the shared part: every token reads them.
bool is_shared_expert(std::string_view segment) {
  return segment.starts_with("shared_expert") || segment.ends_with("_shexp") || contains(segment, "_latent_");
}

bool is_shared_gate(std::string_view segment) {
  return segment == "shared_expert_gate" || segment == "ffn_gate_inp_shexp";
}

bool is_dense_ffn(std::string_view segment) {
  static constexpr std::array<std::string_view, 18> kNames{"mlp",
                                                           "feed_forward",
                                                           "fc1",
                                                           "fc2",
                                                           "up_proj",
                                                           "down_proj",
                                                           "gate_proj",
                                                           "ffn",
                                                           "intermediate",
                                                           "w1",
                                                           "w2",
                                                           "w3",
                                                           "dense_h_to_4h",
                                                           "dense_4h_to_h",
                                                           "inp_gate",
                                                           "proj",
                                                           "per_layer_input_gate",
                                                           "per_layer_projection"};
  return is_one_of(segment, kNames) || segment.starts_with("ffn_");
}

std::optional<TensorClass> class_of(const std::vector<std::string_view>& segments, std::size_t dimensions) {
  const auto any = [&](auto test) { return std::any_of(segments.begin(), segments.end(), test); };
  const auto has = [&](std::string_view word) { return any([&](std::string_view s) { return s == word; }); };
  if (any(is_shared_gate)) return TensorClass::router;
  if (segments.back().ends_with("bias") || any(is_norm)) return TensorClass::norm;
  if (any(is_embedding)) return TensorClass::embedding;
  if (dimensions <= 1) return TensorClass::norm;
  if (has("lm_head") || has("embed_out") || segments.front() == "output") return TensorClass::head;
  if (has("linear_attn")) return TensorClass::recurrent;
  if (has("indexer")) return TensorClass::indexer;
  if (any(is_attention)) return TensorClass::attention;
  if (any(is_router)) return TensorClass::router;
  if (any(is_shared_expert)) return TensorClass::shared_expert;
  if (any(is_expert)) return TensorClass::expert;
  if (any(is_recurrent)) return TensorClass::recurrent;
  if (any(is_dense_ffn)) return TensorClass::dense_ffn;
  return std::nullopt;
}

std::optional<std::int64_t> layer_of(const std::vector<std::string_view>& segments) {
  static constexpr std::array<std::string_view, 5> kLists{"layers", "blk", "h", "blocks", "layer"};
  constexpr std::size_t kMostDigits = 9;
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    const std::string_view number = segments[i + 1];
    const bool digits =
        !number.empty() && number.size() <= kMostDigits &&
        std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (digits && is_one_of(segments[i], kLists)) return std::stoll(std::string(number));
  }
  return std::nullopt;
}

}  // namespace

TensorPlace place_of_tensor(std::string_view name, std::size_t dimensions) {
  const std::vector<std::string_view> segments = segments_of(name);
  const auto any = [&](auto test) { return std::any_of(segments.begin(), segments.end(), test); };
  const std::string_view first = segments.front();
  if (any(is_vision) || first == "v" || first == "mm" || first == "a") return {ModelPart::vision, {}, {}};
  const std::optional<TensorClass> kind = class_of(segments, dimensions);
  if (any(is_draft_module)) return {ModelPart::draft, kind, {}};
  return {any(is_draft_part) ? ModelPart::draft : ModelPart::text, kind, layer_of(segments)};
}

}  // namespace roofplan::model
