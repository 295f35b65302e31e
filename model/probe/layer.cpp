#include "model/probe/layer.hpp"

#include "model/calibration/this_system.hpp"
#include "model/catalog/catalog.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace roofplan::probe {
namespace {

bool outside_layers(std::string_view op) {
  return op.starts_with("embedding.") || op.starts_with("head.");
}

}  // namespace

std::vector<LayerShape::Matrix> LayerShape::matrices() const {
  return {{(heads + 2 * kv_heads) * head_dim, hidden},
          {hidden, heads * head_dim},
          {2 * intermediate, hidden},
          {hidden, intermediate}};
}

double LayerShape::elements() const {
  double sum = 0;
  for (const Matrix& m : matrices()) sum += m.elements();
  return sum;
}

double LayerShape::attention_flop(std::int64_t batch, std::int64_t depth) const {
  return 4.0 * static_cast<double>(batch * depth) * static_cast<double>(heads * head_dim);
}

double LayerShape::cache_elements(std::int64_t batch, std::int64_t depth) const {
  return 2.0 * static_cast<double>(batch * depth) * static_cast<double>(kv_heads * head_dim);
}

LayerShape layer_shape(const model::Architecture& model) {
  for (const model::LayerGroup& group : model.groups) {
    if (!group.attention || group.attention->kind != model::Attention::Kind::gqa || !group.dense) continue;
    const model::Attention& a = *group.attention;
    return {model.hidden, a.heads, a.kv_heads, a.head_dim, group.dense->intermediate};
  }
  throw model::InputError(model::InputError::Kind::usage,
                          fmt::format("{} has no dense layer with grouped-query attention", model.id),
                          "a model that has one, such as qwen3-0.6b");
}

std::vector<model::OperatorShare> predicted_layer(const model::Architecture& model, std::string_view format,
                                                  std::int64_t batch, std::int64_t depth,
                                                  const model::Calibration& calibration) {
  auto files = model::this_system_files(calibration);
  if (files.empty()) {
    throw model::InputError(model::InputError::Kind::content,
                            "the calibration determines no matrix product of the machine");
  }
  model::Catalog catalog;
  for (auto& [path, text] : files) catalog.lay_over(path, std::move(text), path);
  const model::Chip& chip = catalog.systems().find("this").chip;
  const model::EfficiencyCatalog efficiencies(catalog.files(), catalog.sources());
  const model::WeightPlan weights(catalog.formats(), model, format);
  model::EngineSpeed bare = model::load_engine_speed(catalog.files(), catalog.sources(), "ideal");
  bare.launch = {};
  model::StepSetup setup;
  setup.model = &model;
  setup.weights = &weights;
  setup.kv = &catalog.formats().format(format);
  setup.chip = &chip;
  setup.efficiency = &efficiencies.of(chip);
  setup.engine = &bare;
  const model::StepModel step(setup);
  std::vector<model::OperatorShare> out =
      step.breakdown(model::Phase::decode, {static_cast<double>(batch), 1, static_cast<double>(depth)});
  std::erase_if(out, [](const model::OperatorShare& op) {
    return outside_layers(op.name) || op.kind == model::OperatorKind::software;
  });
  const auto layers = static_cast<double>(model.layers());
  for (model::OperatorShare& op : out) {
    op.count /= layers;
    op.flop = op.flop / layers;
    op.bytes = op.bytes / layers;
    op.time = op.time / layers;
  }
  return out;
}

model::Seconds total_time(const std::vector<model::OperatorShare>& operators) {
  model::Seconds sum;
  for (const model::OperatorShare& op : operators) sum += op.time;
  return sum;
}

}  // namespace roofplan::probe
