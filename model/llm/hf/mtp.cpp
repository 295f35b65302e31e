#include "model/json/json.hpp"
#include "model/llm/hf/shapes.hpp"
#include "model/llm/hf/side_modules.hpp"
#include "model/llm/parameters.hpp"
#include "model/units/byte_count.hpp"

#include <algorithm>

namespace roofplan::model::hf {
namespace {

using Mixer = LayerPlan::Mixer;
using Ffn = LayerPlan::Ffn;

/// Nemotron-H lists the blocks of its module.
std::vector<LayerPlan> listed_blocks(const Config& config) {
  std::vector<LayerPlan> plans;
  const auto add = [&plans](Mixer mixer, Ffn ffn) {
    LayerPlan plan;
    plan.mixer = mixer;
    plan.ffn = ffn;
    plans.push_back(plan);
  };
  for (const char letter : config.word({"mtp_hybrid_override_pattern"}).value_or("")) {
    if (letter == '*') add(Mixer::full, Ffn::none);
    if (letter == 'E') add(Mixer::none, Ffn::moe);
    if (letter == '-') add(Mixer::none, Ffn::dense);
    if (letter == 'M') add(Mixer::recurrent, Ffn::none);
  }
  if (!plans.empty()) return plans;
  for (const std::string& kind : config.words("mtp_layers_block_type")) {
    if (kind == "attention") add(Mixer::full, Ffn::none);
    if (kind == "moe") add(Mixer::none, Ffn::moe);
    if (kind == "mlp") add(Mixer::none, Ffn::dense);
    if (kind == "mamba") add(Mixer::recurrent, Ffn::none);
  }
  return plans;
}

/// A full-attention layer like the last one of the model.
LayerPlan last_layer(const std::vector<LayerPlan>& plans) {
  LayerPlan plan = plans.back();
  plan.mixer = Mixer::full;
  plan.indexer = true;
  plan.window = 0;
  return plan;
}

}  // namespace

std::optional<MtpModule> mtp_module(const Config& config, const Family& family,
                                    const std::vector<LayerPlan>& plans, std::vector<std::string>& notes) {
  MtpModule mtp;
  mtp.modules =
      config.count_or({"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules"}, 0, 64);
  if (mtp.modules == 0) return std::nullopt;
  if (family.mtp == Family::Mtp::declared) {
    notes.push_back("the config declares MTP modules that the published files do not hold; not counted");
    return std::nullopt;
  }
  std::vector<LayerPlan> blocks = listed_blocks(config);
  if (blocks.empty() && family.mtp == Family::Mtp::unknown) {
    notes.push_back("the config declares MTP modules of a shape that is not known; not counted");
    return std::nullopt;
  }
  if (blocks.empty()) blocks.push_back(last_layer(plans));
  for (LayerPlan& block : blocks) {
    if (family.mtp == Family::Mtp::dense) block.ffn = Ffn::dense;
    mtp.layers.push_back(layer_shape(config, family, block));
    mtp.layers.back().count = 1;
  }
  return mtp;
}

std::int64_t mtp_elements(const Architecture& model, const MtpModule& mtp) {
  const std::int64_t h = model.hidden;
  std::int64_t each = checked_add(3 * h, checked_mul(2 * h, h));
  for (const LayerGroup& layer : mtp.layers) each = checked_add(each, layer_elements(model, layer));
  return checked_mul(each, mtp.modules);
}

}  // namespace roofplan::model::hf
