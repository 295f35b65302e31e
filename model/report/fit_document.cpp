#include "model/report/fit_document.hpp"

#include "model/report/numbers.hpp"
#include "model/report/parallel_text.hpp"
#include "model/units/unit_text.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {
namespace {

using Align = Column::Align;

Value device_value(const DeviceMemory& device) {
  return Value::object()
      .add("visible_bytes", device.visible)
      .add("reserved_bytes", device.reserved)
      .add("weights_bytes", device.weights)
      .add("kv_bytes", device.cache)
      .add("state_bytes", device.state)
      .add("activation_bytes", device.activation())
      .add("workspace_bytes", device.workspace())
      .add("free_bytes", device.free);
}

/// What is known of the most faithful format that fits instead.
template <class T>
Value other_format(const FitAnswer& answer, const T& known) {
  if (!answer.fits_in_format.empty()) return Value(known);
  return Value::unknown(Text(answer.fits ? "fit.as_asked" : "fit.no_other_format"));
}

Value bytes_or_zero(std::int64_t n, const char* reason) {
  return n > 0 ? Value(n) : Value::unknown(Text(std::string(reason)));
}

Table memory_table(const FitAnswer& answer) {
  const DeviceMemory& device = answer.device;
  Table table;
  table.title = Text("fit.memory_title");
  table.columns = {Column(Text("fit.part")), Column(Text(), Align::right, "GiB"),
                   Column(Text("fit.share"), Align::right), Column(Text("fit.of_visible"))};
  const auto whole = static_cast<double>(device.visible.count());
  const auto row = [&](const char* key, ByteCount bytes, Tone tone = Tone::plain) {
    const double share = whole > 0 ? static_cast<double>(bytes.count()) / whole : 0;
    table.rows.push_back({Cell(Text(std::string(key)), tone), Cell(gib_text(bytes), tone),
                          Cell(percent_text(share), tone), Cell(Bar{share}, tone)});
  };
  row("fit.weights", device.weights);
  row("fit.cache", device.cache);
  if (device.state != ByteCount()) row("fit.state", device.state);
  row("fit.activation", device.activation());
  row("fit.workspace", device.workspace());
  row("fit.reserved", device.reserved);
  if (answer.deficit != ByteCount()) {
    row("fit.missing", answer.deficit, Tone::bad);
  } else {
    row("fit.free", device.free, Tone::good);
  }
  table.rows.push_back({Cell(Text("fit.visible"), Tone::strong), Cell(gib_text(device.visible), Tone::strong),
                        Cell(), Cell()});
  return table;
}

Text format_remark(const std::string& format) {
  return format == "native" ? Text("fit.in_native") : Text{"fit.in_format", {{"format", format}}};
}

Table limits_table(const FitAnswer& answer) {
  Table table;
  table.title = Text("fit.limits_title");
  table.show_header = false;
  table.columns = {Column(Text("fit.part")), Column(Text(), Align::right), Column(Text("fit.remark"))};
  const auto count_or_none = [](std::int64_t n) {
    return n > 0 ? Cell(grouped(n)) : Cell(Text("fit.none"), Tone::bad);
  };
  table.rows.push_back(
      {Cell(Text("fit.largest_context")), count_or_none(answer.max_context),
       Cell(answer.context_by_model ? Text("fit.context_of_model")
                                    : Text{"fit.at_concurrency", {{"count", answer.concurrency}}},
            Tone::faint)});
  table.rows.push_back({Cell(Text("fit.most_concurrent")), count_or_none(answer.max_concurrency),
                        Cell(Text{"fit.at_context", {{"context", grouped(answer.context)}}}, Tone::faint)});
  table.rows.push_back({Cell(Text("fit.largest_model")),
                        answer.max_params_at_format > 0 ? Cell(params_text(answer.max_params_at_format))
                                                        : Cell(Text("fit.none")),
                        Cell(format_remark(answer.weights_format), Tone::faint)});
  table.rows.push_back({Cell(Text("fit.cache_need")), Cell(to_text(answer.cache_need)),
                        Cell(Text("fit.cache_need_remark"), Tone::faint)});
  table.rows.push_back({Cell(Text("fit.cache_engine")), Cell(to_text(answer.cache_engine)),
                        Cell(Text("fit.cache_engine_remark"), Tone::faint)});
  return table;
}

Text counted(const char* key, std::int64_t count) {
  return Text{std::string(key), {{"count", count}}};
}

/// A number of accelerators that was asked for decides how many systems hold them.
std::int64_t systems_used(const FitRequest& request, const FitAnswer& answer) {
  const std::int64_t held = ceil_div(answer.devices, std::max<std::int64_t>(1, request.system->accelerators));
  return std::max(request.count, held);
}

Text question_text(const FitRequest& request, const FitAnswer& answer) {
  return Text{"fit.question",
              {{"model", request.model->id},
               {"weights", answer.weights_format},
               {"cache", answer.cache_format},
               {"system", fmt::format("{} x {}", systems_used(request, answer), request.system->id)},
               {"engine", request.engine->name},
               {"devices", counted("fit.devices", answer.devices)},
               {"plan", plan_text(answer.parallel)},
               {"requests", counted("fit.requests", answer.concurrency)},
               {"context", grouped(answer.context)}}};
}

}  // namespace

Value fit_value(const FitAnswer& answer) {
  Value out = Value::object();
  out.add("fits", answer.fits).add("starts", answer.starts).add("legal", answer.legal);
  if (!answer.legal) {
    for (const char* key :
         {"deficit_bytes", "devices", "parallel", "per_device", "weights_bytes", "kv_bytes", "kv_need_bytes",
          "kv_engine_bytes", "max_context", "max_concurrency", "max_params_at_format"}) {
      out.add(key, Value::unknown(answer.reasons.empty() ? answer.verdict : answer.reasons.front()));
    }
    return out.add("reasons", Value::list_of(answer.reasons));
  }
  out.add("deficit_bytes", answer.deficit)
      .add("devices", answer.devices)
      .add("parallel", parallel_value(answer.parallel))
      .add("per_device", device_value(answer.device))
      .add("weights_bytes", answer.weights.text)
      .add("kv_bytes", answer.cache)
      .add("kv_need_bytes", answer.cache_need)
      .add("kv_engine_bytes", answer.cache_engine)
      .add("max_context", answer.max_context)
      .add("max_concurrency", answer.max_concurrency)
      .add("max_params_at_format", bytes_or_zero(answer.max_params_at_format, "fit.no_room_for_weights"))
      .add("max_bits_per_parameter",
           answer.max_bits > 0 ? Value(answer.max_bits) : Value::unknown(Text("fit.no_room_for_weights")))
      .add("context_tokens", answer.context)
      .add("concurrency", answer.concurrency)
      .add("weights_format", answer.weights_format)
      .add("kv_format", answer.cache_format)
      .add("memory_fraction", answer.memory_fraction)
      .add("fits_in_format", other_format(answer, answer.fits_in_format))
      .add("fits_in_bytes", other_format(answer, answer.fits_in_bytes))
      .add("reasons", Value::list_of(answer.reasons));
  return out;
}

std::vector<Block> fit_blocks(const FitRequest& request, const FitAnswer& answer) {
  std::vector<Block> blocks;
  blocks.emplace_back(Paragraph{answer.verdict, answer.fits ? Tone::good : Tone::bad});
  for (const Text& reason : answer.reasons) blocks.emplace_back(Paragraph{reason});
  if (!answer.legal) return blocks;
  blocks.emplace_back(Paragraph{question_text(request, answer), Tone::faint});
  blocks.emplace_back(memory_table(answer));
  blocks.emplace_back(limits_table(answer));
  return blocks;
}

void describe_fit(Document& document, const FitRequest& request, const FitAnswer& answer,
                  const ModelFile& model) {
  document.result = fit_value(answer);
  document.blocks = fit_blocks(request, answer);
  document.derivations = answer.derivations;
  for (const std::string& text : model.architecture.assumptions) {
    document.warnings.push_back(Text{"models.assumed", {{"text", text}}});
  }
  for (const std::string& note : model.notes) document.warnings.push_back(as_is(note));
  document.warnings.insert(document.warnings.end(), answer.warnings.begin(), answer.warnings.end());
}

}  // namespace roofplan::model::report
