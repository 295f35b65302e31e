#include "model/memory/fit_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

void warn_of_question(const FitRequest& request, const FitAnswer& answer, const WeightPlan& weights,
                      std::vector<Text>& out) {
  const EngineMemory& engine = request.engine->memory;
  if (answer.context_assumed)
    out.push_back(Text("fit.context_assumed", {{"context", grouped(answer.context)}}));
  if (auto beyond = beyond_model(*request.model, answer.context)) out.push_back(std::move(*beyond));
  if (weights.main_format().idealised)
    out.push_back(Text("fit.idealised_format", {{"format", weights.id()}}));
  if (request.model->stand_in && !weights.main_format().kept.empty()) {
    Architecture checkpoint = *request.model;
    checkpoint.stand_in = false;
    const WeightPlan real(*request.formats, checkpoint, weights.id());
    out.push_back(Text("fit.every_parameter",
                       {{"format", weights.id()}, {"bytes", weight_bytes(checkpoint, real).text}}));
  }
  if (weights.main_format().gguf && !engine.gguf)
    out.push_back(Text("fit.unusual_format", {{"format", weights.id()}, {"engine", request.engine->name}}));
  if (!request.weights_asked.empty() && weights.mix() != nullptr)
    out.push_back(Text("fit.gguf_file", {{"engine", request.engine->name},
                                         {"asked", request.weights_asked},
                                         {"mix", weights.mix()->name},
                                         {"experts", weights.mix()->experts},
                                         {"base", weights.mix()->base}}));
  if (request.hybrid_cache && !engine.hybrid_cache)
    out.push_back(Text("fit.no_hybrid_cache", {{"engine", request.engine->name}}));
  if (engine.loads_vision && request.model->side.vision_params > 0)
    out.push_back(Text("fit.vision_loaded", {{"bytes", answer.weights.vision}}));
}

void warn_of_plan(const FitRequest& request, const FitAnswer& answer, const Deployment& deployment,
                  std::vector<Text>& out) {
  const std::int64_t sequences = deployment.group_share(answer.concurrency);
  const std::int64_t domain = std::max<std::int64_t>(1, request.system->scale_up_size);
  if (request.max_batch && *request.max_batch < sequences)
    out.push_back(
        Text("fit.batch_below_load", {{"max_batch", *request.max_batch}, {"sequences", sequences}}));
  if (answer.parallel.tp > domain)
    out.push_back(Text("fit.tp_across_boxes", {{"tp", answer.parallel.tp}, {"domain", domain}}));
  if (answer.parallel.pp > 1 && !request.parallel.pp)
    out.push_back(Text("fit.stages", {{"pp", answer.parallel.pp}, {"tp", answer.parallel.tp}}));
}

void warn_of_memory(const FitRequest& request, const FitAnswer& answer, const Deployment& deployment,
                    std::vector<Text>& out) {
  const Figure<double>& usual = request.engine->memory.fraction;
  const ByteCount usable = deployment.visible() - deployment.system_reserved();
  if (usual.known() && answer.memory_fraction < *usual && !request.memory_fraction)
    out.push_back(Text("fit.fraction_lowered", {{"usual", fmt::format("{:.2f}", *usual)},
                                                {"fraction", fmt::format("{:.3f}", answer.memory_fraction)},
                                                {"free", usable}}));
  if (answer.range && answer.range->fits_low != answer.range->fits_high)
    out.push_back(
        Text("fit.at_the_edge", {{"low", answer.range->usable_low}, {"high", answer.range->usable_high}}));
  if (answer.load_peak > usable)
    out.push_back(Text("fit.load_twice", {{"peak", answer.load_peak}, {"usable", usable}}));
}

}  // namespace

Text fit_verdict(const FitRequest& request, const FitAnswer& answer) {
  const Text::Argument devices("count", answer.devices);
  if (answer.fits) return Text("fit.verdict_fits", {devices, {"free", answer.device.free}});
  if (answer.starts) return Text("fit.verdict_deficit", {devices, {"deficit", answer.deficit}});
  return Text("fit.verdict_no_start",
              {devices, {"deficit", answer.deficit}, {"engine", request.engine->name}});
}

Text binding_constraint(const FitAnswer& answer, const Deployment& deployment) {
  const DeviceMemory& d = answer.device;
  const ByteCount budget = d.visible - d.reserved;
  if (deployment.start_shortfall(deployment.system_reserved()) > ByteCount())
    return Text("fit.fraction_beyond_free", {{"fraction", fmt::format("{:.3g}", answer.memory_fraction)},
                                             {"free", d.visible - d.system_reserved}});
  if (d.weights > budget) return Text("fit.binding_weights", {{"weights", d.weights}, {"budget", budget}});
  if (d.cache_room == ByteCount())
    return Text("fit.binding_peaks",
                {{"weights", d.weights}, {"peaks", d.activation() + d.workspace()}, {"budget", budget}});
  const Text::Argument room("room", d.cache_room), needed("needed", d.cache + d.state);
  if (!answer.starts)
    return Text("fit.binding_one_sequence", {room, needed, {"context", grouped(answer.context)}});
  return Text("fit.binding_cache", {room, needed, {"sequences", grouped(answer.concurrency)}});
}

std::optional<Text> beyond_model(const Architecture& model, std::int64_t context) {
  if (model.max_context <= 0 || context <= model.max_context) return std::nullopt;
  return Text("fit.context_beyond_model",
              {{"context", grouped(context)}, {"trained", grouped(model.max_context)}});
}

std::vector<Text> fit_warnings(const FitRequest& request, const FitAnswer& answer, const WeightPlan& weights,
                               const Deployment& deployment) {
  std::vector<Text> out;
  warn_of_question(request, answer, weights, out);
  warn_of_plan(request, answer, deployment, out);
  warn_of_memory(request, answer, deployment, out);
  return out;
}

}  // namespace roofplan::model
