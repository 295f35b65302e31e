#include "model/calibration/desktop_layout.hpp"

#include "model/calibration/kernels/chip_laws.hpp"
#include "model/catalog/catalog.hpp"
#include "model/roofline/routing.hpp"
#include "model/roofline/step_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace roofplan::model {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string without(std::string text, std::string_view part) {
  const std::size_t at = text.find(part);
  return at == std::string::npos ? text : text.erase(at, part.size());
}

/// A model of the table's name, or of it without words that do not change the shape; empty: none.
std::string catalogue_name(const ModelCatalog& models, const std::string& name) {
  const std::string first = name.substr(0, name.find(' '));
  for (const std::string& candidate :
       {name, first, without(name, "-qat"), without(first, "-Coder"), without(name, " QAT")})
    if (models.contains(candidate)) return candidate;
  return {};
}

std::string engine_id(const std::string& words) {
  const std::string word = lower(words);
  if (word.starts_with("llama.cpp") && word.find("rpc") == std::string::npos) return "llama.cpp";
  if (word == "vllm") return "vllm";
  if (word.starts_with("sglang")) return "sglang";
  if (word.starts_with("tensorrt")) return "trtllm";
  return {};
}

std::string format_id(const std::string& quant, const std::string& engine) {
  const std::string word = lower(quant);
  if (word == "mxfp4") return engine == "llama.cpp" ? "mxfp4_moe" : "native";
  return word == "q4_k" ? "q4_k_m" : word;
}

/// Builds each step model once and answers the rows.
class DesktopTable {
 public:
  DesktopTable(const CsvTable& table, const CalibrationSet& calibrations)
      : table_(table),
        calibrations_(calibrations),
        efficiencies_(catalog_.files(), catalog_.sources()),
        routing_(load_routing(catalog_.files(), catalog_.sources())) {}

  RowPrediction predict(std::size_t row) {
    RowPrediction p;
    p.row = row;
    p.metric = text(row, "metric");
    p.system = text(row, "system");
    p.model = text(row, "model");
    p.engine = text(row, "engine");
    p.measured = table_.positive(row, table_.column("value"));
    const std::string note = text(row, "note");
    if (note.find("OUTLIER") != std::string::npos || note.find("SPEC-DECODE") != std::string::npos) {
      p.state = RowPrediction::State::excluded;
      p.reason = "marked as an outlier or as speculative decoding";
      return p;
    }
    p.state = RowPrediction::State::unsupported;
    p.reason = refusal(row, p);
    if (!p.reason.empty()) return p;
    answer(row, p);
    return p;
  }

 private:
  std::string text(std::size_t row, const char* column) const {
    return table_.text(row, table_.column(column));
  }
  double number(std::size_t row, const char* column, double otherwise) const {
    const std::size_t at = table_.column(column);
    return table_.blank(row, at) ? otherwise : table_.number(row, at);
  }

  std::string refusal(std::size_t row, RowPrediction& p) const {
    if (p.metric != "decode_tok_s" && p.metric != "agg_decode_tok_s" && p.metric != "prefill_tok_s")
      return "the metric is not a speed of one model";
    if (number(row, "n_systems", 1) > 1) return "several systems without a stated plan";
    if (catalog_.systems().recognise(p.system) == nullptr) return "unknown system";
    if (engine_id(p.engine).empty()) return "no profile of the engine";
    if (catalogue_name(catalog_.models(), p.model).empty()) return "no model of that name in the catalogue";
    const std::string quant = text(row, "quant");
    if (quant.empty()) {
      p.state = RowPrediction::State::undetermined;
      return "no weight format is stated";
    }
    const std::vector<std::string> known = catalog_.formats().weight_ids();
    if (std::find(known.begin(), known.end(), format_id(quant, engine_id(p.engine))) == known.end())
      return "unknown weight format";
    return {};
  }

  struct Built {
    Architecture model;
    EngineSpeed engine;
    std::unique_ptr<WeightPlan> weights;
    std::unique_ptr<StepModel> steps;
    EngineSpeed::Basis basis = EngineSpeed::Basis::datasheet;
  };

  const Built& built(const RowPrediction& p, const std::string& format) {
    auto& entry = built_[fmt::format("{}|{}|{}|{}", p.system, p.model, p.engine, format)];
    if (entry) return *entry;
    entry = std::make_unique<Built>();
    const Chip& chip = catalog_.systems().recognise(p.system)->chip;
    entry->model = catalog_.models().find(catalogue_name(catalog_.models(), p.model));
    entry->engine = load_engine_speed(catalog_.files(), catalog_.sources(), engine_id(p.engine));
    entry->weights = std::make_unique<WeightPlan>(catalog_.formats(), entry->model, format);
    StepSetup setup;
    setup.model = &entry->model;
    setup.weights = entry->weights.get();
    setup.kv = &catalog_.formats().cache_format("fp16");
    setup.chip = &chip;
    setup.efficiency = &efficiencies_.of(chip);
    setup.engine = &entry->engine;
    const ChipLaws laws(calibrations_, chip.id);
    setup.laws = &laws;
    setup.routing_exponent = *routing_.text;
    entry->steps = std::make_unique<StepModel>(setup);
    entry->basis = entry->engine.basis(chip);
    return *entry;
  }

  void answer(std::size_t row, RowPrediction& p) {
    const Built& b = built(p, format_id(text(row, "quant"), engine_id(p.engine)));
    const double depth = number(row, "context_depth", 0);
    if (p.metric == "prefill_tok_s") {
      const double prompt = number(row, "prompt_tokens", 512);
      p.estimate = Estimate::prefill;
      p.predicted = prompt / (b.steps->prefill(prompt, depth) / unit::s);
    } else {
      const double batch = number(row, "batch", 1);
      p.estimate = batch > 1 ? Estimate::token : Estimate::token_alone;
      const double at = depth + number(row, "generated_tokens", 0) / 2;
      p.predicted =
          (p.metric == "agg_decode_tok_s" ? batch : 1) / (b.steps->decode_step(batch, at) / unit::s);
    }
    p.state = RowPrediction::State::predicted;
    p.low = p.high = p.predicted;
    p.subject = b.engine.id;
    p.basis = b.basis;
    p.rate = true;
  }

  const CsvTable& table_;
  const CalibrationSet& calibrations_;
  Catalog catalog_;
  EfficiencyCatalog efficiencies_;
  RoutingExponents routing_;
  std::map<std::string, std::unique_ptr<Built>> built_;
};

std::vector<RowPrediction> predict(const CsvTable& table, const CalibrationSet& calibrations) {
  DesktopTable desktop(table, calibrations);
  std::vector<RowPrediction> out;
  for (std::size_t row = 0; row < table.size(); ++row) out.push_back(desktop.predict(row));
  return out;
}

}  // namespace

std::vector<TableLayout> desktop_layouts() {
  return {{"speeds of desktop systems",
           {"system", "n_systems", "engine", "model", "quant", "prompt_tokens", "generated_tokens",
            "context_depth", "batch", "metric", "value", "note"},
           predict}};
}

}  // namespace roofplan::model
