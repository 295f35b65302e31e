#include "model/export/launch_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace roofplan::model {
namespace {

constexpr std::int64_t kCardsInHost = 8;

[[noreturn]] void refuse(const std::string& message, const std::string& expected) {
  throw InputError(InputError::Kind::usage, message, expected);
}

void check_engine(const EngineProfile& engine) {
  if (engine.id != "ideal") return;
  refuse("the ideal engine is a bound, no program: it has no launch line",
         "--set engine.ref=vllm, sglang, trtllm or llama.cpp");
}

bool is_gguf(const FormatTable& formats, const std::string& weights) {
  if (formats.mix_if(weights) != nullptr) return true;
  const NumberFormat* format = formats.format_if(weights);
  return format != nullptr && format->gguf;
}

void check_weights(const FormatTable& formats, const EngineProfile& engine, const std::string& weights) {
  const NumberFormat* format = formats.format_if(weights);
  if (format != nullptr && format->idealised && formats.mix_if(weights) == nullptr) {
    refuse(fmt::format("no checkpoint is in {}, an idealised format", weights),
           "a format of real checkpoints, as nvfp4, awq or q4_k_m");
  }
  const bool mixed_up = is_gguf(formats, weights) != engine.memory.gguf && weights != "native";
  const bool sixteen_bits = weights == "bf16" || weights == "fp16";
  if (mixed_up && !(engine.memory.gguf && sixteen_bits)) {
    refuse(fmt::format("{} does not run weights in {}", engine.name, weights),
           engine.memory.gguf ? "a GGUF format" : "a format that is none of GGUF");
  }
}

/// The folder of a config.json, which is what engines take.
std::string checkpoint_path(const std::string& path) {
  const std::filesystem::path file(path);
  if (file.extension() != ".json" && file.extension() != ".safetensors") return path;
  return file.has_parent_path() ? file.parent_path().string() : ".";
}

void choose_checkpoint(LaunchSettings& settings, const Scenario& scenario, const SpeedRequest& request,
                       const Architecture& model) {
  const std::string native = WeightPlan(*request.fit.formats, model, "native").main_format().id;
  const bool as_published = settings.weights == "native" || settings.weights == native;
  const bool from_path = is_model_path(scenario.model.ref);
  const bool reads_gguf = request.fit.engine->memory.gguf;
  const bool is_gguf_path = from_path && scenario.model.ref.ends_with(".gguf");
  const std::string published = from_path ? checkpoint_path(scenario.model.ref) : model.hf_name;
  const std::string format = settings.weights == "native" ? native : settings.weights;
  settings.checkpoint =
      fmt::format("{} in {}{}", model.id, format, reads_gguf && !is_gguf_path ? ", a GGUF file" : "");
  if (reads_gguf) {
    if (is_gguf_path && settings.weights == "native") settings.model = scenario.model.ref;
    return;
  }
  if (as_published) settings.model = published;
  const bool loads_fp8 = settings.engine == "vllm" || settings.engine == "sglang";
  if (!as_published && settings.weights == "fp8" && native == "bf16" && loads_fp8) {
    settings.model = published;
    settings.quantise_fp8 = true;
  }
}

void place(LaunchSettings& settings, const System& system, std::int64_t count) {
  settings.devices_per_node = devices_per_node(system, count);
  const std::int64_t devices = settings.devices_per_replica();
  if (devices <= settings.devices_per_node) return;
  settings.nodes_per_replica = (devices + settings.devices_per_node - 1) / settings.devices_per_node;
  if (devices % settings.nodes_per_replica != 0) {
    refuse(fmt::format("a replica of {} devices does not spread evenly over {} nodes of {}", devices,
                       settings.nodes_per_replica, settings.devices_per_node),
           "degrees whose product fills nodes evenly");
  }
}

void look_at(LaunchSettings& settings, const Architecture& model) {
  settings.has_mtp = model.side.mtp_layers > 0;
  for (const LayerGroup& group : model.groups) {
    settings.has_experts = settings.has_experts || group.moe.has_value();
    settings.has_windows = settings.has_windows || (group.attention && group.attention->window);
  }
}

void check_drafts(const LaunchSettings& settings) {
  if (settings.draft_tokens == 0 || settings.has_mtp) return;
  refuse(
      fmt::format("the plan drafts {} tokens a step, but {} has no module that drafts and a scenario names "
                  "no draft model",
                  settings.draft_tokens, settings.checkpoint),
      "--set engine.spec_decode.draft_tokens=0");
}

}  // namespace

std::int64_t devices_per_node(const System& system, std::int64_t count) {
  if (system.system_class == System::Class::card)
    return std::min(kCardsInHost, count * std::max<std::int64_t>(1, system.accelerators));
  const auto trays = system.other.find("compute_trays");
  if (trays == system.other.end() || !trays->second.known()) return system.accelerators;
  return std::max<std::int64_t>(1, system.accelerators / static_cast<std::int64_t>(*trays->second));
}

LaunchSettings launch_settings(const Scenario& scenario, const SpeedRequest& request,
                               const SpeedAnswer& answer, const ModelFile& model) {
  if (request.disaggregation) {
    refuse("separate pools for prefill and decode need a router between them, which is no launch line",
           "a scenario without disagg");
  }
  if (scenario.train) {
    refuse("the scenario plans a training run, and what is written here serves a model",
           "export sbatch, which writes the job file of the training run, or a scenario without train");
  }
  const EngineProfile& engine = *request.fit.engine;
  check_engine(engine);
  check_weights(*request.fit.formats, engine, request.fit.weights);
  LaunchSettings settings;
  settings.engine = engine.id;
  settings.engine_name = engine.name;
  settings.engine_version = scenario.engine.version.value_or("");
  settings.title = scenario.name.empty() ? fmt::format("{} on {}", scenario.model.ref, scenario.system.ref)
                                         : scenario.name;
  settings.weights = request.fit.weights;
  settings.cache = answer.fit.cache_format;
  settings.plan = answer.parallel;
  settings.context = answer.fit.context;
  settings.max_batch = answer.fit.limits.max_batch;
  settings.chunk_tokens = answer.fit.limits.chunk_tokens;
  if (engine.memory.budget != EngineMemory::Budget::everything)
    settings.memory_fraction = answer.fit.memory_fraction;
  settings.draft_tokens = request.draft_tokens;
  settings.hybrid_cache = request.fit.hybrid_cache;
  settings.prefix_caching = request.prefix_hit > 0;
  look_at(settings, model.architecture);
  choose_checkpoint(settings, scenario, request, model.architecture);
  check_drafts(settings);
  place(settings, *request.fit.system, request.fit.count);
  return settings;
}

}  // namespace roofplan::model
