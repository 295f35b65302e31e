#include "model/calibration/engine_fit.hpp"

#include "model/calibration/error_statistics.hpp"
#include "model/calibration/least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace roofplan::model {
namespace {

constexpr double kLossScale = 0.1;
constexpr int kCycleIterations = 30;
constexpr std::size_t kPriorRows = 25, kRowsPerParameter = 4, kRowsPerVersion = 8;

/// A number of an engine that is fitted: where it is searched, what is expected, and where it lives.
struct EngineTerm {
  std::string name, unit;
  double low = 0, high = 1;
  double expected = 0, deviation = 1;
  double origin = 0;  ///< where the time is evaluated once for all
  std::function<void(EngineSpeed&, double)> set;
};

void set_time(Figure<Seconds>& figure, double value, Seconds unit_value) {
  figure.value = value * unit_value;
}

const std::vector<EngineTerm>& step_terms() {
  using E = EngineSpeed;
  static const std::vector<EngineTerm> kTerms{
      {"step", "us", 0, 3000, 50, 150, 0, [](E& e, double v) { set_time(e.overheads.step, v, unit::us); }},
      {"layer", "us", 0, 60, 8, 10, 0, [](E& e, double v) { set_time(e.overheads.layer, v, unit::us); }},
      {"moe_layer", "us", 0, 100, 8, 8, 0,
       [](E& e, double v) { set_time(e.overheads.moe_layer, v, unit::us); }},
      {"sequence", "us", 0, 50, 4, 6, 0, [](E& e, double v) { set_time(e.overheads.sequence, v, unit::us); }},
      {"quantise", "1", 0, 1, 0.2, 0.3, 0, [](E& e, double v) { e.kernel_laws->quantise.value = v; }},
      {"expert_fixed", "1", 0, 1.5, 0.8, 0.2, 0,
       [](E& e, double v) { e.kernel_laws->expert_fixed.value = v; }},
      {"exchange", "1", 0.8, 4, 1.2, 0.4, 1, [](E& e, double v) { e.exchange.value = v; }}};
  return kTerms;
}

EngineTerm version_term(const std::string& family) {
  return {"version " + family, "1", 0.6, 1.7, 1, 0.1, 1, [family](EngineSpeed& e, double v) {
            e.versions.push_back({family, {}});
            e.versions.back().factor.value = v;
          }};
}

const std::vector<EngineTerm>& first_token_terms() {
  using E = EngineSpeed;
  static const std::vector<EngineTerm> kTerms{
      {"base", "ms", 1, 300, 30, 60, 0, [](E& e, double v) { set_time(e.first_token.base, v, unit::ms); }},
      {"token", "us", 0, 20, 3, 2, 0, [](E& e, double v) { set_time(e.first_token.token, v, unit::us); }},
      {"steps", "1", 0, 30, 2, 6, 0, [](E& e, double v) { e.first_token.steps.value = v; }},
      {"wave", "1", 0, 0.4, 0.06, 0.05, 0, [](E& e, double v) { e.first_token.wave.value = v; }}};
  return kTerms;
}

std::vector<FitParameter> parameters_of(const std::vector<EngineTerm>& terms) {
  std::vector<FitParameter> out;
  for (const EngineTerm& t : terms) out.push_back({t.name, t.expected, t.low, t.high, false});
  return out;
}

/// Fits log(predicted / measured) of `count` rows, the priors as rows beside them.
FitResult fit_terms(const std::vector<EngineTerm>& terms, std::size_t count,
                    const std::function<double(std::size_t, std::span<const double>)>& log_ratio) {
  const ResidualFunction residuals = [&](std::span<const double> values, std::span<double> out) {
    for (std::size_t i = 0; i < count; ++i) out[i] = log_ratio(i, values);
    std::size_t at = count;
    for (std::size_t t = 0; t < terms.size(); ++t)
      for (std::size_t k = 0; k < kPriorRows; ++k)
        out[at++] = kLossScale * (values[t] - terms[t].expected) / terms[t].deviation;
  };
  return fit_least_squares(residuals, count + kPriorRows * terms.size(), parameters_of(terms),
                           {.loss_scale = kLossScale, .screened = 0, .starts = 1, .max_iterations = 200});
}

void apply(EngineSpeed& engine, const std::vector<EngineTerm>& terms, const std::vector<double>& values) {
  for (std::size_t t = 0; t < terms.size(); ++t) terms[t].set(engine, values[t]);
}

std::vector<std::string> units_of(const std::vector<EngineTerm>& terms) {
  std::vector<std::string> out;
  for (const EngineTerm& t : terms) out.push_back(t.unit);
  return out;
}

/// The engine with all overheads at their origin, and with one of them a unit further.
std::vector<EngineSpeed> variants_of(EngineSpeed engine) {
  engine.versions.clear();
  for (const EngineTerm& t : step_terms()) t.set(engine, t.origin);
  std::vector<EngineSpeed> out{engine};
  for (const EngineTerm& t : step_terms()) {
    out.push_back(engine);
    t.set(out.back(), t.origin + 1);
  }
  return out;
}

}  // namespace

struct EngineFit::Result {
  std::vector<const Row*> rows;
  std::vector<EngineTerm> terms;     ///< of the time between tokens: overheads, then versions
  std::vector<std::size_t> version;  ///< of each row, its index among them; beyond them: none
  FitResult step, first;
  EngineSpeed engine;

  double factor(std::size_t i, std::span<const double> values) const {
    return version[i] < values.size() ? values[version[i]] : 1.0;
  }
  double between(std::size_t i, std::span<const double> values) const {
    return factor(i, values) * rows[i]->between.seconds(values);
  }
  /// As closed_loop() has it, at the measured batch and time between tokens. The time that it looks back on
  /// is its own result: the measured one would hide in both sides.
  double first_token(std::size_t i, std::span<const double> overheads, std::span<const double> values) const {
    const Row& row = *rows[i];
    const double scale = factor(i, overheads);
    FirstTokenParts parts;
    parts.base_s = values[0] * 1e-3;
    parts.token_s = values[1] * 1e-6 * row.prompt_tokens;
    parts.busy_s = row.others > 0 ? values[2] * scale * row.step.seconds(overheads) : 0.0;
    parts.wave = values[3];
    parts.others = row.others;
    parts.alone_s = scale * row.alone.seconds(overheads);
    parts.queued_s = std::min(parts.alone_s, scale * row.queued.seconds(overheads));
    double time = parts.base_s + parts.alone_s;
    for (int n = 0; n < kCycleIterations; ++n)
      time = (time + first_token_seconds(parts, time, row.decode_s)) / 2;
    return time;
  }
  void take_versions();
};

/// Gives the families that enough rows ran a factor each.
void EngineFit::Result::take_versions() {
  std::map<std::string, std::size_t> count, index;
  for (const Row* row : rows) ++count[row->family];
  for (const auto& [family, n] : count) {
    if (family.empty() || n < kRowsPerVersion) continue;
    index[family] = terms.size();
    terms.push_back(version_term(family));
  }
  for (const Row* row : rows) {
    const auto at = index.find(row->family);
    version.push_back(at != index.end() ? at->second : terms.size() + index.size());
  }
}

EngineFit::EngineFit(ServingTable& table, const std::string& engine)
    : table_(table), start_(table.engine(engine)) {
  if (!start_.kernel_laws) return;
  const std::vector<EngineSpeed> variants = variants_of(start_);
  std::map<std::string, std::vector<ServedDeployment>> built;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (table.text(row, "engine") != engine || table.separate_pools(row) || !table.refusal(row).empty() ||
        table.text(row, "precision").empty() || !table.measured(row, "ttft_ms") ||
        !table.measured(row, "tpot_ms") || !(table.load_of(row).output_tokens > 1) ||
        !table.rule_of(row, table.text(row, "precision")).empty())
      continue;
    auto& deployments = built[table.deployment_key(row)];
    if (deployments.empty())
      for (const EngineSpeed& variant : variants) deployments.push_back(table.deploy(row, variant));
    rows_.push_back(measure(row, deployments));
  }
}

double EngineFit::AffineTime::seconds(std::span<const double> overheads) const {
  double time = base_s;
  for (std::size_t t = 0; t < per_unit_s.size(); ++t)
    time += per_unit_s[t] * (overheads[t] - step_terms()[t].origin);
  return time;
}

EngineFit::Row EngineFit::measure(std::size_t row, const std::vector<ServedDeployment>& variants) const {
  const ReplicaLoad load = table_.load_of(row);
  Row out;
  out.row = row;
  out.family = version_family(table_.version(row));
  out.between_s = *table_.measured(row, "tpot_ms") / unit::s;
  out.first_s = *table_.measured(row, "ttft_ms") / unit::s;
  out.prompt_tokens = load.prompt_tokens;
  out.decode_s = (load.output_tokens - 1) * out.between_s;
  out.others = std::max(0.0, load.concurrency - 1);
  out.batch = 1 + out.others * out.decode_s / (out.first_s + out.decode_s);
  const auto affine = [&](const std::function<Seconds(const ServedDeployment&)>& time) {
    AffineTime t{time(variants.front()) / unit::s, {}};
    for (std::size_t v = 1; v < variants.size(); ++v)
      t.per_unit_s.push_back(time(variants[v]) / unit::s - t.base_s);
    return t;
  };
  const double context = load.prompt_tokens + load.output_tokens / 2;
  out.between = affine(
      [&](const ServedDeployment& d) { return time_between_tokens(*d.steps, d.engine, load, out.batch); });
  out.step = affine([&](const ServedDeployment& d) { return d.steps->decode_step(out.batch, context); });
  const auto prompt = [&](const ServedDeployment& d) {
    return prompt_times(*d.steps, load.prompt_tokens, 0);
  };
  out.alone = affine([&](const ServedDeployment& d) { return prompt(d).alone; });
  out.queued = affine([&](const ServedDeployment& d) { return prompt(d).queued; });
  return out;
}

EngineFit::Result EngineFit::fit(const std::string& column, const std::string& value) const {
  Result out{.rows = {}, .terms = step_terms(), .version = {}, .step = {}, .first = {}, .engine = start_};
  for (const Row& row : rows_)
    if (column.empty() || table_.text(row.row, column.c_str()) != value) out.rows.push_back(&row);
  if (out.rows.size() < kRowsPerParameter * step_terms().size()) return out;
  out.take_versions();
  out.step = fit_terms(out.terms, out.rows.size(), [&](std::size_t i, std::span<const double> v) {
    return std::log(out.between(i, v) / out.rows[i]->between_s);
  });
  const std::vector<double> overheads = out.step.values();
  out.first = fit_terms(first_token_terms(), out.rows.size(), [&](std::size_t i, std::span<const double> v) {
    return std::log(out.first_token(i, overheads, v) / out.rows[i]->first_s);
  });
  out.engine.versions.clear();
  apply(out.engine, out.terms, overheads);
  apply(out.engine, first_token_terms(), out.first.values());
  return out;
}

std::optional<EngineSpeed> EngineFit::fitted(const std::string& column, const std::string& value) const {
  Result result = fit(column, value);
  return result.step.parameters.empty() ? std::nullopt : std::optional(std::move(result.engine));
}

std::vector<CalibratedLaw> EngineFit::laws() const {
  const Result result = fit({}, {});
  if (result.step.parameters.empty()) return {};
  std::vector<double> between, first;
  const std::vector<double> step_values = result.step.values(), first_values = result.first.values();
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    between.push_back(result.between(i, step_values) / result.rows[i]->between_s);
    first.push_back(result.first_token(i, step_values, first_values) / result.rows[i]->first_s);
  }
  CalibratedLaw step{.law = "engine/between_tokens", .residuals = error_statistics(between)};
  step.add(result.step, units_of(result.terms));
  CalibratedLaw token{.law = "engine/first_token", .residuals = error_statistics(first)};
  token.add(result.first, units_of(first_token_terms()));
  return {step, token};
}

std::vector<RowPrediction> predict_left_out(ServingTable& table, const std::string& column) {
  std::map<std::string, std::map<std::string, std::vector<std::size_t>>> by_engine;
  for (std::size_t row = 0; row < table.size(); ++row)
    if (table.refusal(row).empty())
      by_engine[table.text(row, "engine")][table.text(row, column.c_str())].push_back(row);
  std::vector<RowPrediction> out;
  for (const auto& [engine, by_value] : by_engine) {
    const EngineSpeed shipped = table.engine(engine);
    const EngineFit fit(table, engine);
    for (const auto& [value, rows] : by_value) {
      const auto without = fit.fitted(column, value);
      if (!without) continue;
      table.set_engine(*without);
      for (const std::size_t row : rows) table.predict(row, out);
    }
    table.set_engine(shipped);
  }
  return out;
}

}  // namespace roofplan::model
