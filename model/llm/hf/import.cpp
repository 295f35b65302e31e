#include "model/json/json.hpp"
#include "model/llm/hf/quantisation.hpp"
#include "model/llm/hf/shapes.hpp"
#include "model/llm/hf/side_modules.hpp"
#include "model/llm/hf_config.hpp"
#include "model/units/byte_count.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

using hf::Config;
using hf::Family;
using hf::LayerPlan;

void refuse_other_models(const JsonReader& root) {
  if (root.has("_class_name"))
    root.at("_class_name")
        .fail("a diffusion model, no language model", "the config.json of a language model");
  for (const auto key : {"is_encoder_decoder"})
    if (const auto on = root.find(key); on && on->as_bool())
      on->fail("encoder-decoder models are not known", "a decoder or an encoder");
}

std::string missing_keys(const Config& config) {
  std::string missing;
  const auto need = [&](std::initializer_list<std::string_view> names) {
    for (const auto name : names)
      if (config.has(name)) return;
    missing += fmt::format("{}{}", missing.empty() ? "" : ", ", *names.begin());
  };
  need({"hidden_size", "n_embd", "d_model"});
  need({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
  need({"num_attention_heads", "n_head", "n_heads"});
  need({"intermediate_size", "moe_intermediate_size", "ffn_dim", "n_inner"});
  need({"vocab_size"});
  return missing;
}

/// The family by the outer class, the text part's class, then the model types; else a generic decoder.
Family identify(const Config& config, const ImportOptions& options, Architecture& model) {
  const std::string outer = hf::class_name(config.root()).value_or("");
  const std::string inner = hf::class_name(config.text()).value_or("");
  const auto type_of = [](const JsonReader& part) {
    const auto type = part.find("model_type");
    return type ? type->as_string() : std::string{};
  };
  model.architecture = outer.empty() ? inner : outer;
  const Family* family = hf::find_family(outer, {});
  if (family == nullptr) family = hf::find_family(inner, {});
  if (family == nullptr) family = hf::find_family({}, type_of(config.root()));
  if (family == nullptr) family = hf::find_family({}, type_of(config.text()));
  if (family != nullptr) return *family;

  const std::string name = model.architecture.empty() ? type_of(config.root()) : model.architecture;
  const std::string missing = missing_keys(config);
  if (!options.assume || !missing.empty())
    config.root().fail(
        fmt::format("unknown architecture \"{}\"{}", name, missing.empty() ? "" : "; missing: " + missing),
        "a known architecture, or --assume to read this one by its keys",
        nearest_names(name, known_hf_architectures()));
  model.assumptions.push_back(
      fmt::format("the architecture \"{}\" is not known: read as a decoder with two RMSNorms a layer, a "
                  "gated feed-forward "
                  "part, rotary positions and no biases but those that the config declares",
                  name));
  Family generic;
  generic.qk_norm = Attention::QkNorm::per_head;
  generic.qk_norm_by_key = true;
  return generic;
}

bool tied_embeddings(const Config& config, const Family& family) {
  for (const JsonReader* part : {&config.root(), &config.text()})
    if (const auto flag = part->find("tie_word_embeddings")) return flag->as_bool();
  return family.tied;
}

void add_group(Architecture& model, LayerGroup group) {
  const auto same = [&group](const LayerGroup& g) { return g.same_layer(group); };
  auto it = std::find_if(model.groups.begin(), model.groups.end(), same);
  if (it == model.groups.end()) {
    model.groups.push_back(std::move(group));
    it = std::prev(model.groups.end());
    it->count = 0;
  }
  ++it->count;
  model.order.push_back(static_cast<std::uint16_t>(it - model.groups.begin()));
}

/// Layers from their plans; equal plans share one shape.
void add_layers(const Config& config, const Family& family, const std::vector<LayerPlan>& plans,
                Architecture& model) {
  std::vector<std::pair<LayerPlan, std::uint16_t>> known;
  for (const LayerPlan& plan : plans) {
    const auto it = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == plan; });
    if (it == known.end()) {
      add_group(model, hf::layer_shape(config, family, plan));
      known.emplace_back(plan, model.order.back());
      continue;
    }
    ++model.groups[it->second].count;
    model.order.push_back(it->second);
  }
}

/// Embedding elements beside vocab x hidden: positions, norms, token types and pooler, per-layer inputs.
std::int64_t embedding_extra(const Config& config, const Family& family, const Architecture& model) {
  const std::int64_t h = model.hidden;
  std::int64_t sum = 0;
  if (family.positions == Family::Positions::learned) sum = checked_mul(model.max_context, h);
  if (family.positions == Family::Positions::learned_after_two) sum = checked_mul(model.max_context + 2, h);
  if (family.embedding_norm) sum = checked_add(sum, 2 * h);
  if (family.encoder) {
    sum = checked_add(sum, checked_mul(config.count_or({"type_vocab_size"}, 2), h));
    sum = checked_add(sum, checked_mul(h + 1, h));
  }
  if (const std::int64_t width = config.count_or({"hidden_size_per_layer_input"}, 0); width > 0) {
    const std::int64_t rows = checked_add(config.count_or({"vocab_size_per_layer_input"}, model.vocab), h);
    sum = checked_add(sum, checked_add(width, checked_mul(checked_mul(width, model.layers()), rows)));
  }
  return sum;
}

void note_what_is_left_out(Architecture& model) {
  for (const LayerGroup& group : model.groups) {
    if (group.recurrent && group.recurrent->kind == Recurrent::Kind::kda) {
      model.assumptions.push_back(
          "the KDA layers have the parts of Kimi Linear; no published count confirms it");
      break;
    }
    if (group.attention && group.attention->kind == Attention::Kind::compressed) {
      model.assumptions.push_back(
          "parameters of the KV compressors and of the hyper-connections are not counted");
      break;
    }
  }
}

void count_side_modules(const Config& config, const Family& family, const std::vector<LayerPlan>& plans,
                        const JsonReader* sidecar, Architecture& model) {
  const auto mtp = plans.empty() ? std::nullopt : hf::mtp_module(config, family, plans, model.assumptions);
  if (mtp) {
    model.side.mtp_layers = mtp->modules;
    model.side.mtp_params = hf::mtp_elements(model, *mtp);
    if (family.mtp_copies) model.side.duplicate_params = checked_mul(2 * model.vocab, model.hidden);
  }
  model.side.vision_params = hf::vision_elements(config, family, model.assumptions);
  model.native = hf::native_format(config, sidecar, model, model.assumptions);
  model.side.scale_params = hf::scale_elements(model, mtp ? &*mtp : nullptr);
}

Architecture read_model(const Config& config, const JsonReader* sidecar, const ImportOptions& options) {
  Architecture model;
  const Family family = identify(config, options, model);
  model.family = family.name.empty() ? model.architecture : std::string(family.name);
  model.hidden = hf::hidden_size(config);
  model.vocab = config.required({"vocab_size", "padded_vocab_size"});
  model.max_context = hf::context_length(config);
  model.tied_embeddings = tied_embeddings(config, family);
  if (!family.encoder) model.final_norm_elements = (family.norm_bias ? 2 : 1) * model.hidden;
  if (config.is_set({"lm_head_bias"})) model.head_bias = model.vocab;
  std::vector<LayerPlan> plans;
  if (config.has("block_configs")) {
    for (LayerGroup& block : hf::searched_blocks(config)) add_group(model, std::move(block));
    if (model.groups.empty()) config.fail("block_configs", "a model without layers", "one entry a layer");
  } else {
    plans = hf::layer_plan(config, family, model.assumptions);
    add_layers(config, family, plans, model);
  }
  model.embedding_extra = embedding_extra(config, family, model);
  note_what_is_left_out(model);
  count_side_modules(config, family, plans, sidecar, model);
  return model;
}

}  // namespace

Architecture import_hf_config(std::string_view json_text, const std::string& file,
                              const ImportOptions& options) {
  JsonLimits limits;
  limits.bare_infinity = true;
  const Json document = parse_json(json_text, file, limits);
  const JsonReader root(document, file, options.pointer);
  if (!root.is_object()) root.fail("a config is an object", "a JSON object");
  refuse_other_models(root);
  const JsonReader text = hf::text_part(root);
  const Config config(root, text);
  Json sidecar_document;
  std::optional<JsonReader> sidecar;
  if (!options.hf_quant_config.empty()) {
    sidecar_document = parse_json(options.hf_quant_config, options.hf_quant_config_file, limits);
    sidecar.emplace(sidecar_document, options.hf_quant_config_file);
  }
  Architecture model = read_model(config, sidecar ? &*sidecar : nullptr, options);
  model.id = file;
  return model;
}

std::vector<std::string> known_hf_architectures() {
  std::vector<std::string> names;
  for (const Family& f : hf::families()) names.emplace_back(f.architecture);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace roofplan::model
