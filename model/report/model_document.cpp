#include "model/report/model_document.hpp"

#include "model/llm/model_facts.hpp"
#include "model/memory/weights.hpp"
#include "model/report/figures.hpp"
#include "model/report/layer_groups.hpp"
#include "model/report/numbers.hpp"

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

/// What is printed of a model, computed once for machines and people.
struct Summary {
  ModelFacts facts;
  ByteCount weights;     ///< of the text model
  ByteCount checkpoint;  ///< of everything in the files
};

std::int64_t widest_head(const Architecture& model) {
  std::int64_t widest = 1;  // a model without attention caches nothing
  for (const LayerGroup& group : model.groups) {
    if (group.attention) widest = std::max(widest, group.attention->head_dim);
  }
  return widest;
}

Summary summary_of(const Architecture& model, const FormatTable& formats, const std::string& weights,
                   const std::string& kv) {
  Summary out;
  out.facts = model_facts(model, cache_element(formats.cache_format(kv), widest_head(model)));
  const WeightPlan plan(formats, model, weights);
  const WeightBytes bytes = weight_bytes(model, plan);
  out.weights = bytes.text;
  out.checkpoint = bytes.in_file;
  return out;
}

void add_summary(Value& out, const Architecture& model, const Summary& s) {
  out.add("total_params", s.facts.params.total)
      .add("active_params", s.facts.params.active)
      .add("checkpoint_params", s.facts.params.checkpoint)
      .add("mtp_params", s.facts.params.mtp)
      .add("vision_params", s.facts.params.vision)
      .add("duplicate_params", s.facts.params.duplicates)
      .add("scale_params", s.facts.params.scales)
      .add("layers", model.layers())
      .add("hidden", model.hidden)
      .add("vocab", model.vocab)
      .add("max_context",
           model.max_context > 0 ? Value(model.max_context) : Value::unknown(Text("models.no_context")))
      .add("kv_bytes_per_token", s.facts.cache.per_token)
      .add("kv_window_bytes_per_token", s.facts.cache.window_per_token)
      .add("kv_window_cap_bytes", s.facts.cache.window_cap)
      .add("kv_bytes_per_token_engine", s.facts.cache.engine_per_token)
      .add("index_bytes_per_token", s.facts.cache.index_per_token)
      .add("state_bytes_per_sequence", s.facts.cache.state)
      .add("weights_bytes", s.weights)
      .add("checkpoint_bytes", s.checkpoint);
}

std::string context_text(const Architecture& model) {
  return model.max_context > 0 ? grouped(model.max_context) : "-";
}

Table list_of_facts(Text title) {
  Table table;
  table.title = std::move(title);
  table.show_header = false;
  table.columns = {Column(Text("models.fact")), Column(Text("models.amount"), Align::right),
                   Column(Text("models.remark"))};
  return table;
}

Table parameter_table(const ParameterCounts& p) {
  Table table = list_of_facts(Text("models.parameters_title"));
  const auto row = [&](const char* key, std::int64_t n, const char* remark) {
    table.rows.push_back(
        {Cell(Text(std::string(key))), Cell(grouped(n)), Cell(Text(std::string(remark)), Tone::faint)});
  };
  row("models.total", p.total, "models.total_remark");
  row("models.active", p.active, "models.active_remark");
  if (p.mtp > 0) row("models.mtp", p.mtp, "models.mtp_remark");
  if (p.vision > 0) row("models.vision", p.vision, "models.vision_remark");
  if (p.duplicates > 0) row("models.duplicates", p.duplicates, "models.duplicates_remark");
  if (p.scales > 0) row("models.scales", p.scales, "models.scales_remark");
  if (p.checkpoint != p.total) row("models.checkpoint", p.checkpoint, "models.checkpoint_remark");
  return table;
}

Table memory_table(const Architecture& model, const Summary& s, const std::string& weights,
                   const std::string& kv) {
  Table table = list_of_facts(Text("models.memory_title"));
  const auto row = [&](Text fact, std::string amount, Text remark) {
    table.rows.push_back(
        {Cell(std::move(fact)), Cell(std::move(amount)), Cell(std::move(remark), Tone::faint)});
  };
  row(Text{"models.weights", {{"format", weights}}}, to_text(s.weights), Text("models.weights_remark"));
  if (s.checkpoint != s.weights)
    row(Text("models.checkpoint_bytes"), to_text(s.checkpoint), Text("models.checkpoint_bytes_remark"));
  row(Text{"models.kv", {{"format", kv}}}, to_text(s.facts.cache.per_token), Text("models.kv_remark"));
  if (s.facts.cache.window_cap != ByteCount()) {
    row(Text("models.kv_window"), to_text(s.facts.cache.window_per_token), Text("models.kv_window_remark"));
    row(Text("models.kv_cap"), to_text(s.facts.cache.window_cap), Text("models.kv_cap_remark"));
  }
  if (s.facts.cache.engine_per_token != s.facts.cache.per_token) {
    row(Text("models.kv_engine"), to_text(s.facts.cache.engine_per_token), Text("models.kv_engine_remark"));
  }
  if (s.facts.cache.index_per_token != ByteCount()) {
    row(Text("models.kv_index"), to_text(s.facts.cache.index_per_token), Text("models.kv_index_remark"));
  }
  if (s.facts.cache.state != ByteCount())
    row(Text("models.state"), to_text(s.facts.cache.state), Text("models.state_remark"));
  if (model.max_context > 0) {
    const ByteCount full = s.facts.cache.per_token * model.max_context + s.facts.cache.window_cap +
                           s.facts.cache.index_per_token * model.max_context + s.facts.cache.state;
    row(Text{"models.full_sequence", {{"context", grouped(model.max_context)}}}, to_text(full),
        Text("models.full_sequence_remark"));
  }
  return table;
}

}  // namespace

void describe_model(Document& document, const ModelFile& model, const std::string& name,
                    const FormatTable& formats, const std::string& weights, const std::string& kv) {
  const Architecture& shape = model.architecture;
  const Summary s = summary_of(shape, formats, weights, kv);
  Value& result = document.result;
  result.add("id", shape.id).add("name", name);
  result.add("hf_name",
             shape.hf_name.empty() ? Value::unknown(Text("models.no_hf_name")) : Value(shape.hf_name));
  result.add("architecture", shape.architecture);
  add_summary(result, shape, s);
  result.add("layer_groups", layer_group_list(shape, s.facts));
  Value assumptions = Value::list();
  for (const std::string& text : shape.assumptions) {
    assumptions.push(text);
    document.warnings.push_back(Text{"models.assumed", {{"text", text}}});
  }
  result.add("assumptions", std::move(assumptions));
  for (const std::string& note : model.notes) document.warnings.push_back(as_is(note));

  document.blocks.emplace_back(Paragraph{Text{"models.headline",
                                              {{"name", name},
                                               {"params", params_text(s.facts.params.total)},
                                               {"active", params_text(s.facts.params.active)},
                                               {"layers", shape.layers()},
                                               {"context", context_text(shape)}}},
                                         Tone::strong});
  document.blocks.emplace_back(parameter_table(s.facts.params));
  document.blocks.emplace_back(memory_table(shape, s, weights, kv));
  document.blocks.emplace_back(layer_group_table(shape, s.facts));
}

void describe_models(Document& document, const Catalog& catalog) {
  Value rows = Value::list();
  Table table;
  table.columns = {Column(Text("models.id")),
                   Column(Text("models.parameters"), Align::right),
                   Column(Text("models.active"), Align::right),
                   Column(Text("models.layers"), Align::right),
                   Column(Text("models.context"), Align::right),
                   Column(Text("models.weights_native"), Align::right, "GiB"),
                   Column(Text("models.kv_bf16"), Align::right, "KiB"),
                   Column(Text("models.name"), Align::left, "", true)};
  for (const std::string& id : catalog.models().ids()) {
    const Architecture shape = catalog.models().find(id);
    const ModelEntry entry = catalog.models().entry(id, catalog.sources());
    const Summary s = summary_of(shape, catalog.formats(), "native", "bf16");
    Value row = Value::object().add("id", id).add("name", entry.name).add("family", entry.family);
    add_summary(row, shape, s);
    rows.push(std::move(row));
    table.rows.push_back({Cell(id, Tone::strong), Cell(params_text(s.facts.params.total)),
                          Cell(params_text(s.facts.params.active)), Cell(grouped(shape.layers())),
                          Cell(context_text(shape)), Cell(gib_text(s.weights)),
                          Cell(number_text(static_cast<double>(s.facts.cache.per_token.count()) / 1024)),
                          Cell(entry.name)});
  }
  table.footnotes = {Text("models.list_note")};
  document.result.add("models", std::move(rows));
  document.main_list = "models";
  document.blocks.emplace_back(std::move(table));
}

}  // namespace roofplan::model::report
