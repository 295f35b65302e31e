#include "model/calibration/desktop_layout.hpp"

#include "model/calibration/hardware_rates.hpp"
#include "model/calibration/published_rows.hpp"
#include "model/calibration/served_speeds.hpp"
#include "model/calibration/table_words.hpp"
#include "model/roofline/step_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

namespace roofplan::model {
namespace {

/// "8x H100 SXM 80GB" -> 8.
std::int64_t accelerators_in(const std::string& system) {
  const std::size_t times = system.find("x ");
  const bool counted = times != std::string::npos && times > 0 && times < 3 &&
                       std::all_of(system.begin(), system.begin() + static_cast<std::ptrdiff_t>(times),
                                   [](unsigned char c) { return std::isdigit(c) != 0; });
  return counted ? std::stoll(system.substr(0, times)) : 1;
}

/// Builds each step model once and answers the rows.
class DesktopTable {
 public:
  DesktopTable(const CsvTable& table, const CalibrationSet& calibrations)
      : rows_(table),
        catalog_(calibrations.files()),
        data_(catalog_, calibrations),
        rates_(data_),
        served_(data_) {}

  RowPrediction predict(std::size_t row) {
    RowPrediction p = rows_.named(row);
    p.measured = rows_.table().positive(row, rows_.table().column("value"));
    if (p.state == RowPrediction::State::excluded) return p;
    if (HardwareRates::predicts(p.metric)) {
      rates_.predict({p.system, p.engine + " " + text(row, "quant") + " " + text(row, "note"),
                      number(row, "n_systems", 1)},
                     p);
      return p;
    }
    p.reason = refusal(row, p);
    if (!p.reason.empty()) return p;
    if (p.metric == "total_tok_s") {
      serve(row, p);
    } else {
      answer(row, p);
    }
    return p;
  }

 private:
  std::string text(std::size_t row, const char* column) const { return rows_.text(row, column); }
  double number(std::size_t row, const char* column, double otherwise) const {
    return rows_.number(row, column, otherwise);
  }

  std::string refusal(std::size_t row, RowPrediction& p) const {
    if (p.metric.find("power") != std::string::npos)
      return "a power, which follows from the load of a whole system";
    if (p.metric == "net_bw_Gbps") return "a rate of a link alone, whose share of the port is not stated";
    if (p.metric != "decode_tok_s" && p.metric != "agg_decode_tok_s" && p.metric != "prefill_tok_s" &&
        p.metric != "total_tok_s")
      return "the metric is not a speed of one model";
    if (number(row, "n_systems", 1) > 1) return "several systems without a stated plan";
    if (catalog_.systems().recognise(p.system) == nullptr) return "unknown system";
    if (engine_word(p.engine).empty()) return "no profile of the engine";
    if (model_word(catalog_.models(), p.model).empty()) return "no model of that name in the catalogue";
    const std::string quant = text(row, "quant");
    if (quant.empty() || quant.find("not stated") != std::string::npos) {
      p.state = RowPrediction::State::undetermined;
      return "no weight format is stated";
    }
    const std::vector<std::string> known = catalog_.formats().weight_ids();
    if (std::find(known.begin(), known.end(), format_word(quant, p.engine)) == known.end())
      return "unknown weight format";
    return {};
  }

  struct Built {
    Architecture model;
    const EngineSpeed* engine = nullptr;
    std::unique_ptr<WeightPlan> weights;
    std::unique_ptr<StepModel> steps;
    EngineSpeed::Basis basis = EngineSpeed::Basis::datasheet;
  };

  const Built& built(const RowPrediction& p, const std::string& format) {
    auto& entry = built_[fmt::format("{}|{}|{}|{}", p.system, p.model, p.engine, format)];
    if (entry) return *entry;
    entry = std::make_unique<Built>();
    const Chip& chip = catalog_.systems().recognise(p.system)->chip;
    entry->model = catalog_.models().find(model_word(catalog_.models(), p.model));
    entry->engine = &data_.engine_speed(engine_word(p.engine));
    entry->weights = std::make_unique<WeightPlan>(catalog_.formats(), entry->model, format);
    StepSetup setup;
    setup.model = &entry->model;
    setup.weights = entry->weights.get();
    setup.kv = &catalog_.formats().cache_format("fp16");
    setup.chip = &chip;
    setup.efficiency = &data_.efficiencies().of(chip);
    setup.engine = entry->engine;
    setup.laws = &data_.kernel_laws(chip.id);
    setup.kernel_times = &data_.kernel_times(chip.id);
    setup.routing_exponent = *data_.routing().text;
    entry->steps = std::make_unique<StepModel>(setup);
    entry->basis = entry->engine->basis(chip);
    return *entry;
  }

  /// Requests that come and go, prompts included, on one system of several accelerators.
  void serve(std::size_t row, RowPrediction& p) {
    ServedLoad load;
    load.system = p.system;
    load.engine = engine_word(p.engine);
    load.model = model_word(catalog_.models(), p.model);
    load.weights = format_word(text(row, "quant"), p.engine);
    load.gpus = accelerators_in(p.system);
    load.parallel = {load.gpus, 1, 1, 1};
    load.prompt = static_cast<std::int64_t>(number(row, "prompt_tokens", 1));
    load.output = static_cast<std::int64_t>(std::max(1.0, number(row, "generated_tokens", 1)));
    load.concurrency = number(row, "batch", 1);
    const auto answer = served_.answer(load, p);
    if (!answer) return;
    p.predicted = p.low = p.high = answer->output / unit::tok_s;
    p.estimate = Estimate::first_token;  // eight tokens after a prompt: prefill and its wait
    p.rate = true;
  }

  void answer(std::size_t row, RowPrediction& p) {
    const Built& b = built(p, format_word(text(row, "quant"), p.engine));
    const double depth = number(row, "context_depth", 0);
    if (p.metric == "prefill_tok_s") {
      const double prompt = number(row, "prompt_tokens", 512);
      p.estimate = Estimate::prefill;
      p.predicted = prompt / (b.steps->prefill(prompt, depth) / unit::s);
      p.most = prompt / (b.steps->shortest(Phase::prefill, {1, prompt, depth}) / unit::s);
    } else {
      const double batch = number(row, "batch", 1);
      p.estimate = batch > 1 ? Estimate::token : Estimate::token_alone;
      const double at = depth + number(row, "generated_tokens", 0) / 2;
      const double counted = p.metric == "agg_decode_tok_s" ? batch : 1;
      p.predicted = counted / (b.steps->decode_step(batch, at) / unit::s);
      p.most = counted / (b.steps->shortest(Phase::decode, {batch, 1, at}) / unit::s);
    }
    p.state = RowPrediction::State::predicted;
    p.low = p.high = p.predicted;
    p.subject = b.engine->id;
    p.basis = b.basis;
    p.rate = true;
  }

  PublishedRows rows_;
  Catalog catalog_;
  SpeedData data_;
  HardwareRates rates_;
  ServedSpeeds served_;
  std::map<std::string, std::unique_ptr<Built>> built_;
};

}  // namespace

std::vector<TableLayout> desktop_layouts() {
  return {{"speeds of desktop systems",
           {"system", "n_systems", "engine", "model", "quant", "prompt_tokens", "generated_tokens",
            "context_depth", "batch", "metric", "value", "note"},
           predict_each<DesktopTable>}};
}

}  // namespace roofplan::model
