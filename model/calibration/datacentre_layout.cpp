#include "model/calibration/datacentre_layout.hpp"

#include "model/calibration/benchmark_runs.hpp"
#include "model/calibration/hardware_rates.hpp"
#include "model/calibration/published_rows.hpp"
#include "model/calibration/served_speeds.hpp"
#include "model/calibration/table_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace roofplan::model {
namespace {

using State = RowPrediction::State;

bool of_serving(const std::string& metric) {
  static const std::vector<std::string> kMetrics{"output_tok_s",    "output_tok_s_gpu", "total_tok_s",
                                                 "total_tok_s_gpu", "ttft_ms",          "tpot_ms"};
  return std::find(kMetrics.begin(), kMetrics.end(), metric) != kMetrics.end();
}

bool whole_number(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool routes(const Architecture& model) {
  return std::any_of(model.groups.begin(), model.groups.end(),
                     [](const LayerGroup& group) { return group.moe.has_value(); });
}

class DatacentreTable {
 public:
  DatacentreTable(const CsvTable& table, const CalibrationSet& calibrations)
      : rows_(table),
        catalog_(calibrations.files()),
        data_(catalog_, calibrations),
        runs_(catalog_.files(), catalog_.sources()),
        speeds_(data_),
        rates_(data_) {}

  RowPrediction predict(std::size_t row) {
    RowPrediction p = rows_.named(row);
    p.measured = rows_.table().number(row, rows_.table().column("value"));
    if (p.state == State::excluded) return p;
    if (p.measured <= 0) {
      p.reason = "no value above zero";
    } else if (HardwareRates::predicts(p.metric)) {
      rates_.predict(hardware_row(row), p);
    } else if (of_serving(p.metric)) {
      serve(row, p);
    } else {
      p.reason = reason_of(p.metric);
    }
    return p;
  }

 private:
  std::string text(std::size_t row, const char* column) const { return rows_.text(row, column); }
  std::int64_t whole(std::size_t row, const char* column, std::int64_t otherwise) const {
    return whole_number(text(row, column)) ? std::max<std::int64_t>(1, std::stoll(text(row, column)))
                                           : otherwise;
  }

  static std::string reason_of(const std::string& metric) {
    if (metric.starts_with("train_") || metric.starts_with("time_to_train"))
      return "a training run, which no row here states whole";
    if (metric.find("power") != std::string::npos || metric.find("_w_") != std::string::npos)
      return "a power, which follows from the load of a whole system";
    return "not a figure that the model predicts from a row";
  }

  HardwareRow hardware_row(std::size_t row) const {
    HardwareRow out;
    out.system = text(row, "system");
    out.what = text(row, "engine") + " " + text(row, "batch_or_concurrency") + " " +
               text(row, "precision_weights") + " " + text(row, "note");
    out.ranks = static_cast<double>(whole(row, "n_gpus", 1));
    return out;
  }

  std::string refusal(std::size_t row, const RowPrediction& p, const std::string& engine) const {
    if (!whole_number(text(row, "isl"))) return "the input length is not stated";
    if (!whole_number(text(row, "osl"))) return "the output length is not stated";
    if (engine.empty()) return "no profile of the engine";
    if (text(row, "engine").find("isagg") != std::string::npos) return "worker count not stated";
    if (catalog_.systems().recognise(p.system) == nullptr) return "unknown system";
    if (model_word(catalog_.models(), p.model).empty()) return "no model of that name in the catalogue";
    if (text(row, "precision_weights").empty()) return "no weight format is stated";
    if (!whole_number(text(row, "n_gpus"))) return "the number of accelerators is not stated";
    const std::string load = text(row, "batch_or_concurrency");
    const bool queued = load == "max load" || load == "Offline";
    if (!queued && !concurrency_in(load)) return "neither open requests nor an offline run are stated";
    return {};
  }

  ServedLoad load_of(std::size_t row, const std::string& engine) const {
    ServedLoad load;
    load.system = text(row, "system");
    load.model = model_word(catalog_.models(), text(row, "model"));
    load.engine = engine;
    if (rows_.table().has("engine_version")) load.version = version_family(text(row, "engine_version"));
    const std::string precision = text(row, "precision_weights");
    load.weights =
        served_format(catalog_.models().find(load.model), precision.substr(0, precision.find(' ')));
    load.gpus = whole(row, "n_gpus", 1);
    const std::int64_t ranks = whole(row, "dp", 1);
    load.parallel.attention_dp = ranks;
    load.parallel.tp = std::max(whole(row, "tp", 1), ranks);
    load.parallel.pp = whole(row, "pp", 1);
    load.parallel.ep = whole(row, "ep", 1);
    load.parallel.dp = 1;
    load.prompt = whole(row, "isl", 1);
    load.output = whole(row, "osl", 1);
    load.concurrency = concurrency_in(text(row, "batch_or_concurrency"));
    if (rows_.table().has("source") && !load.concurrency) take_run(text(row, "source"), load);
    return load;
  }

  /// Adds what the publisher says of all its runs.
  void take_run(const std::string& source, ServedLoad& load) const {
    const BenchmarkRun* run = runs_.cited(source);
    if (run == nullptr) return;
    load.requests = run->requests_of(load.prompt, load.output);
    const Architecture model = catalog_.models().find(load.model);
    load.cache = run->cache_of(model.id, catalog_.systems().recognise(load.system)->chip.family);
    if (run->attention_dp_with_experts && routes(model))
      load.parallel.attention_dp = load.parallel.tp.value_or(1);
  }

  void serve(std::size_t row, RowPrediction& p) {
    const std::string engine = engine_word(p.engine);
    p.reason = refusal(row, p, engine);
    if (!p.reason.empty()) return;
    const ServedLoad load = load_of(row, engine);
    const auto answer = speeds_.answer(load, p);
    if (!answer) return;
    p.operation = load.concurrency ? "open requests" : "all queued";
    p.estimate = load.concurrency ? Estimate::token : Estimate::throughput;
    p.rate = true;
    const double output = answer->output / unit::tok_s;
    const double gpus = p.metric.ends_with("_gpu") ? static_cast<double>(load.gpus) : 1.0;
    const double tokens = static_cast<double>(load.prompt + load.output) / static_cast<double>(load.output);
    if (p.metric.starts_with("output")) p.predicted = output / gpus;
    if (p.metric.starts_with("total")) p.predicted = output * tokens / gpus;
    if (p.metric.ends_with("_ms")) {
      const bool first = p.metric == "ttft_ms";
      p.rate = false;
      p.estimate = first ? Estimate::first_token : Estimate::token;
      p.predicted = (first ? answer->state.ttft : answer->state.tpot.value_or(Seconds())) / unit::ms;
    }
    p.low = p.high = p.predicted;
  }

  PublishedRows rows_;
  Catalog catalog_;
  SpeedData data_;
  BenchmarkRuns runs_;
  ServedSpeeds speeds_;
  HardwareRates rates_;
};

}  // namespace

std::vector<TableLayout> datacentre_layouts() {
  return {{"published figures of data-centre systems",
           {"system", "n_gpus", "engine", "model", "precision_weights", "tp", "pp", "ep", "dp", "isl", "osl",
            "batch_or_concurrency", "metric", "value", "note"},
           predict_each<DatacentreTable>}};
}

}  // namespace roofplan::model
