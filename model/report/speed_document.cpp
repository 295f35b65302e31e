#include "model/report/speed_document.hpp"

#include "model/report/numbers.hpp"
#include "model/report/parallel_text.hpp"
#include "model/serving/replica.hpp"
#include "model/serving/speed_explain.hpp"
#include "model/units/unit_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

Text bound_text(Bound bound) {
  switch (bound) {
    case Bound::compute:
      return Text("speed.bound_compute");
    case Bound::memory:
      return Text("speed.bound_memory");
    case Bound::network:
      return Text("speed.bound_network");
    case Bound::launch:
      return Text("speed.bound_launch");
    case Bound::host:
      return Text("speed.bound_host");
    case Bound::capacity:
      break;
  }
  return Text("speed.bound_capacity");
}

Text ceiling_text(const Chip& chip) {
  const bool measured = chip.memory_bandwidth.provenance.kind == Provenance::Kind::measured;
  return Text(measured ? "speed.ceiling_measured" : "speed.ceiling_remark");
}

Text basis_text(const SpeedAnswer& answer) {
  const ErrorRange& range = answer.ranges.token;
  const std::vector<Text::Argument> spread{{"spread", reach_text(range.low, range.high)}};
  switch (answer.basis) {
    case EngineSpeed::Basis::catalogue:
      return Text("speed.basis_catalogue", spread);
    case EngineSpeed::Basis::machine:
      if (answer.ranges.of_machine && range.n > 0)
        return Text("speed.basis_replayed", {spread.front(), {"count", range.n}});
      return Text(answer.ranges.of_machine ? "speed.basis_residuals" : "speed.basis_machine", spread);
    case EngineSpeed::Basis::family:
      return Text("speed.basis_family", spread);
    case EngineSpeed::Basis::datasheet:
      break;
  }
  return Text("speed.basis_datasheet", spread);
}

/// Writes estimates with their range, or null with the reason where nothing runs.
class Estimates {
 public:
  Estimates(const SpeedAnswer& answer, Text reason) : answer_(&answer), reason_(std::move(reason)) {}

  void time(Value& object, const std::string& key, double value, const ErrorRange& range) const {
    add(object, key, value, value * range.low, value * range.high);
  }
  void rate(Value& object, const std::string& key, double value, const ErrorRange& time) const {
    add(object, key, value, value / time.high, value / time.low);
  }
  void add_exact(Value& object, const std::string& key, Value value) const {
    object.add(key, answer_->fits ? std::move(value) : Value::unknown(reason_));
  }

 private:
  void add(Value& object, const std::string& key, double value, double low, double high) const {
    if (answer_->fits) {
      object.add_range(key, value, low, high);
    } else {
      object.add(key, Value::unknown(reason_));
    }
  }

  const SpeedAnswer* answer_;
  Text reason_;
};

double seconds(Seconds time) {
  return time / unit::s;
}

Value breakdown_value(const SpeedAnswer& answer) {
  Value list = Value::list();
  for (const OperatorShare& row : answer.breakdown) {
    list.push(Value::object()
                  .add("op", row.name)
                  .add("phase", to_text(row.phase))
                  .add("kind", to_text(row.kind))
                  .add("law", to_text(row.law))
                  .add("count", row.count)
                  .add("flop", row.flop / unit::flop)
                  .add("bytes", row.bytes / unit::B)
                  .add("time_s", seconds(row.time))
                  .add("bound", to_text(row.bound)));
  }
  return list;
}

Value scaling_value(const SpeedAnswer& answer) {
  Value list = Value::list();
  const ErrorRange& range = answer.ranges.request;
  for (const ScalingPoint& p : answer.scaling) {
    const double rate = p.output / unit::tok_s;
    list.push(Value::object()
                  .add("nodes", p.nodes)
                  .add("gpus", p.gpus)
                  .add_range("tok_s", rate, rate / range.high, rate / range.low)
                  .add("efficiency", p.efficiency));
  }
  return list;
}

Text why_not(const SpeedAnswer& answer) {
  if (!answer.reasons.empty()) return answer.reasons.front();
  return answer.fit.verdict;
}

double prompt_rate(const SpeedRequest& request, const SpeedAnswer& answer) {
  const double time = seconds(answer.state.prefill);
  return time > 0 ? computed_prompt(request) / time : 0;
}

std::string time_text(Seconds time) {
  return to_text(time);
}

std::string rate_text(double tokens_s) {
  return number_text(tokens_s) + " tok/s";
}

Table speed_table(const SpeedRequest& request, const SpeedAnswer& answer, const LoadPower& power) {
  Table table;
  table.title = Text("speed.title");
  table.show_header = false;
  table.columns = {Column(Text("speed.what")), Column(Text(), Align::right), Column(Text("speed.remark"))};
  const ErrorRange& token = answer.ranges.token;
  const auto add = [&](const char* label, const std::string& value, Text remark = {},
                       Tone tone = Tone::plain) {
    table.rows.push_back(
        {Cell(Text(std::string(label)), tone), Cell(value, tone), Cell(std::move(remark), Tone::faint)});
  };
  const auto bound = [](Bound b) { return Text("speed.bound", {{"bound", bound_text(b)}}); };
  if (answer.state.tpot) {
    const double rate = 1 / seconds(*answer.state.tpot);
    add("speed.per_user", rate_text(rate),
        Text("speed.range",
             {{"low", number_text(rate / token.high)}, {"high", number_text(rate / token.low)}}),
        Tone::strong);
  }
  add("speed.ceiling", rate_text(answer.ceiling / unit::tok_s), ceiling_text(request.fit.system->chip));
  add("speed.total", rate_text(answer.output / unit::tok_s));
  add("speed.step", time_text(answer.state.step), bound(answer.decode_bound));
  add("speed.prefill", rate_text(prompt_rate(request, answer)), bound(answer.prefill_bound));
  add("speed.ttft", time_text(answer.state.ttft));
  add("speed.e2e", time_text(answer.state.e2e));
  add("speed.alone", time_text(answer.request));
  if (!power.unknown) {
    add("speed.power", to_text(power.mean),
        Text(power.measured ? "speed.power_measured" : "speed.power_range",
             {{"low", to_text(power.low)}, {"high", to_text(power.high)}}));
    if (power.joule_per_token) add("speed.energy", number_text(*power.joule_per_token) + " J");
  }
  if (answer.clocks)
    add("speed.clocks",
        fmt::format("{}, {}", percent_text(answer.clocks->prefill.compute),
                    percent_text(answer.clocks->decode.memory)),
        Text("speed.clocks_remark"));
  if (answer.step.communication > Seconds())
    add("speed.communication", time_text(answer.step.communication), Text("speed.of_a_step"));
  if (answer.cache_transfer > Seconds()) add("speed.cache_transfer", time_text(answer.cache_transfer));
  return table;
}

Table step_table(const SpeedAnswer& answer) {
  Table table;
  table.title = Text("speed.step_title");
  table.columns = {Column(Text("speed.operator")), Column(Text("speed.count"), Align::right),
                   Column(Text("speed.time"), Align::right), Column(Text("speed.bound_head")),
                   Column(Text("speed.share"))};
  std::vector<OperatorShare> rows;
  for (const OperatorShare& row : answer.breakdown)
    if (row.phase == Phase::decode) rows.push_back(row);
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
  for (const OperatorShare& row : rows) {
    const double share = row.time / answer.step.total;
    if (share < 0.005) continue;
    table.rows.push_back({Cell(row.name), Cell(number_text(row.count)), Cell(time_text(row.time)),
                          Cell(bound_text(row.bound)), Cell(Bar{share})});
  }
  return table;
}

Table scaling_table(const SpeedAnswer& answer) {
  Table table;
  table.title = Text("speed.scaling_title");
  table.columns = {Column(Text("speed.nodes"), Align::right), Column(Text("speed.gpus"), Align::right),
                   Column(Text("speed.total"), Align::right, "tok/s"),
                   Column(Text("speed.efficiency"), Align::right)};
  for (const ScalingPoint& p : answer.scaling)
    table.rows.push_back({Cell(number_text(static_cast<double>(p.nodes))),
                          Cell(number_text(static_cast<double>(p.gpus))),
                          Cell(number_text(p.output / unit::tok_s)), Cell(percent_text(p.efficiency))});
  return table;
}

/// What a power cap leaves of the datasheet's rates.
Value clocks_value(const PhaseClocks& clocks) {
  return Value::object()
      .add("prefill_compute", clocks.prefill.compute)
      .add("prefill_memory", clocks.prefill.memory)
      .add("decode_compute", clocks.decode.compute)
      .add("decode_memory", clocks.decode.memory);
}

Value decode_value(const SpeedAnswer& answer, const Estimates& estimates) {
  Value decode = Value::object();
  const SpeedRanges& r = answer.ranges;
  estimates.time(decode, "step_s", seconds(answer.state.step), r.token);
  if (answer.fits && !answer.state.tpot) {
    decode.add("tok_s_per_user", Value::unknown(Text("speed.one_token")));
  } else {
    estimates.rate(decode, "tok_s_per_user", answer.fits ? 1 / seconds(*answer.state.tpot) : 0, r.token);
  }
  estimates.rate(decode, "tok_s_total", answer.output / unit::tok_s, r.request);
  estimates.add_exact(decode, "ceiling_tok_s", answer.ceiling / unit::tok_s);
  estimates.add_exact(decode, "bound", answer.fits ? to_text(answer.decode_bound) : "");
  return decode;
}

}  // namespace

void add_load_power(Value& object, const LoadPower& power) {
  if (power.unknown) {
    object.add("power_w", Value::unknown(*power.unknown))
        .add("joule_per_token", Value::unknown(*power.unknown));
    return;
  }
  if (power.measured) object.add("power_basis", Text("speed.power_basis"));
  object.add_range("power_w", power.mean / unit::W, power.low / unit::W, power.high / unit::W);
  if (!power.joule_per_token) {
    object.add("joule_per_token", Value::unknown(Text("speed.no_output")));
    return;
  }
  object.add_range("joule_per_token", *power.joule_per_token, *power.joule_low, *power.joule_high);
}

Derivations speed_derivations(const SpeedRequest& request, const SpeedAnswer& answer,
                              const LoadPower& power) {
  Derivations out = explain_speed(request, answer);
  if (!answer.fits || power.unknown) return out;
  const auto follows = [](const char* name, std::string value) {
    return Derivation::Input{name, std::move(value), {}};
  };
  const Figure<Watts>& typical = request.fit.system->power_typical;
  Derivation d{"power_w",
               power.measured
                   ? "systems x accelerators x (idle + energy of the bytes and FLOP of each phase)"
                   : "systems x power of one, from idle to decode to prefill by the shares of time",
               {follows("systems", grouped(power.systems)),
                follows("share of time in prefill", percent_text(answer.busy.prefill)),
                follows("share of time in decode", percent_text(answer.busy.decode))},
               to_text(power.mean)};
  if (typical.known() && !power.measured)
    d.inputs.push_back({"typical power of one", to_text(*typical), typical.provenance.source});
  out.push_back(std::move(d));
  if (power.joule_per_token)
    out.push_back({"joule_per_token",
                   "power_w / decode.tok_s_total",
                   {follows("power_w", to_text(power.mean)), follows("tok_s_total", to_text(answer.output))},
                   number_text(*power.joule_per_token) + " J"});
  return out;
}

Value speed_value(const SpeedRequest& request, const SpeedAnswer& answer, const LoadPower& power) {
  const Estimates estimates(answer, answer.fits ? Text() : why_not(answer));
  const SpeedRanges& r = answer.ranges;
  Value prefill = Value::object();
  estimates.rate(prefill, "tok_s", prompt_rate(request, answer), r.prefill);
  estimates.time(prefill, "time_s", seconds(answer.state.prefill), r.prefill);
  estimates.add_exact(prefill, "bound", to_text(answer.prefill_bound));
  Value out = Value::object();
  out.add("fits", answer.fits).add("decode", decode_value(answer, estimates)).add("prefill", prefill);
  estimates.time(out, "ttft_s", seconds(answer.state.ttft), r.first_token);
  if (answer.fits && !answer.state.tpot) {
    out.add("tpot_s", Value::unknown(Text("speed.one_token")));
  } else {
    estimates.time(out, "tpot_s", answer.fits ? seconds(*answer.state.tpot) : 0, r.token);
  }
  estimates.time(out, "e2e_s", seconds(answer.state.e2e), r.request);
  estimates.time(out, "request_s", seconds(answer.request), r.request);
  const double devices = static_cast<double>(std::max<std::int64_t>(1, answer.devices));
  estimates.rate(out, "tok_s_per_gpu", answer.output / unit::tok_s / devices, r.request);
  add_load_power(out, power);
  estimates.time(out, "comm_s", seconds(answer.step.communication), r.token);
  if (answer.cache_transfer > Seconds())
    estimates.time(out, "kv_transfer_s", seconds(answer.cache_transfer), r.token);
  if (answer.clocks) out.add("clocks", clocks_value(*answer.clocks));
  out.add("parallel", parallel_value(answer.parallel))
      .add("devices", answer.devices)
      .add("replicas", answer.replicas)
      .add("basis", to_text(answer.basis));
  return out.add("breakdown", breakdown_value(answer))
      .add("scaling", scaling_value(answer))
      .add("reasons", Value::list_of(answer.reasons));
}

std::vector<Block> speed_blocks(const SpeedRequest& request, const SpeedAnswer& answer,
                                const LoadPower& power) {
  std::vector<Block> blocks;
  if (!answer.fits) {
    blocks.emplace_back(Paragraph{Text("speed.does_not_run"), Tone::bad});
    for (const Text& reason : answer.reasons) blocks.emplace_back(Paragraph{reason});
    return blocks;
  }
  blocks.emplace_back(Paragraph{
      Text("speed.question", {{"model", request.fit.model->id},
                              {"weights", answer.fit.weights_format},
                              {"system", fmt::format("{} x {}", request.fit.count, request.fit.system->id)},
                              {"engine", request.fit.engine->name},
                              {"plan", plan_text(answer.parallel)},
                              {"prompt", request.prompt},
                              {"output", request.output},
                              {"requests", request.fit.concurrency}}),
      Tone::faint});
  blocks.emplace_back(speed_table(request, answer, power));
  blocks.emplace_back(step_table(answer));
  if (!answer.scaling.empty()) blocks.emplace_back(scaling_table(answer));
  blocks.emplace_back(Paragraph{basis_text(answer), Tone::faint});
  return blocks;
}

void describe_speed(Document& document, const SpeedRequest& request, const SpeedAnswer& answer,
                    const LoadPower& power, const ModelFile& model) {
  document.result = speed_value(request, answer, power);
  document.main_list = "breakdown";
  document.blocks = speed_blocks(request, answer, power);
  if (request.fit.explain)
    document.derivations = answer.fits ? speed_derivations(request, answer, power) : answer.fit.derivations;
  for (const std::string& text : model.architecture.assumptions)
    document.warnings.push_back(Text{"models.assumed", {{"text", text}}});
  if (static_cast<double>(request.prompt) * request.prefix_hit >
      static_cast<double>(request.prompt) - computed_prompt(request))
    document.warnings.emplace_back("speed.last_token");
  document.warnings.insert(document.warnings.end(), answer.warnings.begin(), answer.warnings.end());
}

}  // namespace roofplan::model::report
