#include "model/report/overview_document.hpp"

#include "model/report/numbers.hpp"

#include <optional>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

double rate(TokensPerSecond r) {
  return r / unit::tok_s;
}

/// Tokens a second of one user: one over the time between two tokens.
std::optional<double> per_user(const std::optional<SpeedAnswer>& speed) {
  if (!speed || !speed->state.tpot) return std::nullopt;
  return 1.0 / (*speed->state.tpot / unit::s);
}

Value known(const std::optional<double>& value) {
  return value ? Value(*value) : Value::unknown(Text("overview.no_speed"));
}

Cell speed_cell(const std::optional<double>& value) {
  return value ? Cell(number_text(*value)) : Cell("-", Tone::faint);
}

std::optional<double> total(const std::optional<SpeedAnswer>& speed) {
  if (!speed) return std::nullopt;
  return rate(speed->output);
}

Value row_value(const OverviewEntry& entry) {
  const FitAnswer& fit = entry.fit;
  Value parallel = Value::object();
  parallel.add("tp", fit.parallel.tp)
      .add("pp", fit.parallel.pp)
      .add("ep", fit.parallel.ep)
      .add("dp", fit.parallel.dp);
  Value row = Value::object();
  row.add("model", entry.model)
      .add("system", entry.offer.system)
      .add("count", entry.offer.count)
      .add("fits", fit.fits)
      .add("deficit_bytes", fit.deficit)
      .add("fits_in_format", fit.fits_in_format.empty()
                                 ? Value::unknown(Text(fit.fits ? "fit.as_asked" : "fit.no_other_format"))
                                 : Value(fit.fits_in_format))
      .add("weights_format", fit.weights_format)
      .add("weights_bytes", fit.weights.text)
      .add("parallel", std::move(parallel))
      .add("context", fit.context)
      .add("max_context", fit.max_context)
      .add("max_concurrency", fit.max_concurrency)
      .add("tok_s_one_user", known(per_user(entry.alone)))
      .add("tok_s_per_user", known(per_user(entry.shared)))
      .add("tok_s_total", known(total(entry.shared)));
  return row;
}

Cell verdict_cell(const FitAnswer& fit) {
  if (fit.fits) return {Text("overview.fits"), Tone::good};
  if (!fit.legal) return {Text("overview.illegal"), Tone::bad};
  return {Text("overview.missing", {{"amount", fit.deficit}}), Tone::bad};
}

Cell format_cell(const FitAnswer& fit) {
  if (fit.fits) return {fit.weights_format};
  if (fit.fits_in_format.empty()) return {Text("overview.no_format"), Tone::faint};
  return {Text("overview.would_fit", {{"format", fit.fits_in_format}}), Tone::caution};
}

Cell count_cell(bool fits, std::int64_t n) {
  return fits ? Cell(grouped(n)) : Cell("-", Tone::faint);
}

}  // namespace

void describe_overview(Document& document, const OverviewRequest& request,
                       const std::vector<OverviewEntry>& entries) {
  Value rows = Value::list();
  Table table;
  table.columns = {
      Column(Text("overview.model")),
      Column(Text("overview.system")),
      Column(Text("overview.verdict")),
      Column(Text("overview.format")),
      Column(Text("overview.weights"), Align::right, "GiB"),
      Column(Text("overview.max_context"), Align::right),
      Column(Text("overview.users"), Align::right),
      Column(Text("overview.one_user"), Align::right, "tok/s"),
      Column(Text("overview.shared", {{"concurrency", request.concurrency}}), Align::right, "tok/s")};
  std::string last_model;
  for (const OverviewEntry& entry : entries) {
    rows.push(row_value(entry));
    const FitAnswer& fit = entry.fit;
    table.rows.push_back({entry.model == last_model ? Cell() : Cell(entry.model, Tone::strong),
                          Cell(entry.offer.to_string()), verdict_cell(fit), format_cell(fit),
                          Cell(gib_text(fit.weights.text)), count_cell(fit.fits, fit.max_context),
                          count_cell(fit.fits, fit.max_concurrency), speed_cell(per_user(entry.alone)),
                          speed_cell(total(entry.shared))});
    last_model = entry.model;
  }
  table.footnotes = {Text("overview.note", {{"context", grouped(request.context)},
                                            {"engine", request.settings.engine.ref},
                                            {"kv", request.settings.model.kv},
                                            {"prompt", grouped(request.settings.load.prompt_tokens)},
                                            {"output", grouped(request.settings.load.output_tokens)}})};
  document.result.add("rows", std::move(rows));
  document.main_list = "rows";
  document.blocks.emplace_back(std::move(table));
}

}  // namespace roofplan::model::report
