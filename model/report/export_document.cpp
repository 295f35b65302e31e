#include "model/report/export_document.hpp"

#include "model/report/parallel_text.hpp"

namespace roofplan::model::report {

void describe_export(Document& document, const LaunchSettings& s, const std::string& text) {
  Value settings = Value::object();
  settings.add("engine", s.engine)
      .add("engine_version",
           s.engine_version.empty() ? Value::unknown(Text("export.version_open")) : Value(s.engine_version))
      .add("model", s.model.empty()
                        ? Value::unknown(Text("export.model_needed", {{"checkpoint", s.checkpoint}}))
                        : Value(s.model))
      .add("weights", s.weights)
      .add("kv", s.cache)
      .add("parallel", parallel_value(s.plan))
      .add("nodes_per_replica", s.nodes_per_replica)
      .add("gpus_per_node", s.devices_per_node_used())
      .add("replicas", s.plan.dp)
      .add("max_context", s.context)
      .add("max_batch", s.max_batch)
      .add("chunk_tokens", s.chunk_tokens)
      .add("memory_fraction", Value::known_or(s.memory_fraction, Text("export.no_share")))
      .add("draft_tokens", s.draft_tokens);
  document.result.add("text", text).add("settings", std::move(settings));
  document.blocks.emplace_back(Verbatim{text});
  if (s.model.empty())
    document.warnings.emplace_back(Text("export.model_needed", {{"checkpoint", s.checkpoint}}));
  if (s.quantise_fp8) document.warnings.emplace_back(Text("export.fp8_at_load", {{"model", s.model}}));
  if (s.engine_version.empty())
    document.warnings.emplace_back(Text("export.no_version", {{"engine", s.engine_name}}));
}

void describe_training(Document& document, const TrainingSettings& s, const std::string& text) {
  Value parallel = Value::object();
  parallel.add("tp", s.tp).add("pp", s.pp).add("ep", s.ep).add("cp", s.cp).add("dp", s.dp);
  Value settings = Value::object();
  settings.add("framework", "megatron-lm")
      .add("nodes", s.nodes)
      .add("gpus_per_node", s.devices_per_node)
      .add("parallel", std::move(parallel))
      .add("micro_batch", s.train.micro_batch)
      .add("global_batch", s.train.global_batch)
      .add("samples", s.samples())
      .add("precision", s.train.precision);
  document.result.add("text", text).add("settings", std::move(settings));
  document.blocks.emplace_back(Verbatim{text});
}

}  // namespace roofplan::model::report
