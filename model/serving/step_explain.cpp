#include "model/serving/step_explain.hpp"

#include "model/serving/explain_text.hpp"
#include "model/serving/replica.hpp"
#include "model/units/unit_text.hpp"

#include <algorithm>
#include <string_view>

namespace roofplan::model {
namespace {

using Input = Derivation::Input;

const char* told_by(TimeLaw law) {
  switch (law) {
    case TimeLaw::kernel:
      return "kernel law";
    case TimeLaw::rates:
      return "rates";
    case TimeLaw::exchange:
      return "link law";
    case TimeLaw::engine:
      break;
  }
  return "engine";
}

class StepExplanation {
 public:
  StepExplanation(const SpeedRequest& request, const SpeedAnswer& answer, Derivations& out)
      : request_(request),
        answer_(answer),
        engine_(*request.engine),
        chip_(request.fit.system->chip),
        efficiency_(request.efficiencies->of(chip_)),
        weights_(*request.fit.formats, *request.fit.model, request.fit.weights),
        out_(out) {}

  void run() {
    decode_step();
    collectives();
    engine_step();
    engine_layers();
    prompt();
    by_kernel_laws();
    by_rates();
    ceiling();
  }

 private:
  std::vector<OperatorShare> lines_of(Phase phase) const {
    std::vector<OperatorShare> lines;
    for (const OperatorShare& line : answer_.breakdown)
      if (line.phase == phase) lines.push_back(line);
    std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return lines;
  }

  bool leaves_domain() const { return answer_.parallel.devices_per_replica() > request_.path.domain_ranks; }

  std::string source_of(TimeLaw law) const {
    switch (law) {
      case TimeLaw::kernel: {
        const auto sources = request_.laws->sources();
        return sources.empty() ? std::string() : sources.front();
      }
      case TimeLaw::rates:
        return chip_.memory_bandwidth.provenance.source;
      case TimeLaw::exchange:
        return leaves_domain() ? request_.path.outside_source : request_.path.inside_source;
      case TimeLaw::engine:
        break;
    }
    return engine_.overheads.layer.provenance.source;
  }

  Input line_input(const OperatorShare& line) const {
    std::string value = fmt::format("{}: {} x", to_text(line.time), short_text(line.count));
    if (line.flop > Flop()) value += fmt::format(", {} GFLOP", short_text(line.flop / unit::GFLOP));
    if (line.bytes > Bytes()) value += fmt::format(", {} MB", short_text(line.bytes / unit::MB));
    value += fmt::format(", by {}, limited by {}", told_by(line.law), to_text(line.bound));
    return {line.name, value, source_of(line.law)};
  }

  void add_lines(Derivation& derivation, Phase phase) const {
    for (const OperatorShare& line : lines_of(phase))
      if (line.time > Seconds()) derivation.inputs.push_back(line_input(line));
  }

  void add_version(Derivation& derivation) const {
    const std::string family = version_family(request_.fit.engine->version);
    for (const EngineSpeed::VersionFactor& v : engine_.versions) {
      if (v.family == family)
        derivation.inputs.push_back(stated("factor of version " + family + ", in every line", v.factor));
    }
  }

  void decode_step() {
    const std::int64_t tokens = request_.draft_tokens + 1;
    Derivation d{"decode.step_s",
                 "sum of the operators of one device, all executions in one step together",
                 {follows("sequences in the step, of a replica", short_text(answer_.state.batch)),
                  follows("tokens of each in the cache", short_text(answer_.state.context))},
                 to_text(answer_.state.step)};
    if (tokens > 1) d.inputs.push_back(follows("tokens verified of each", grouped(tokens)));
    add_version(d);
    add_lines(d, Phase::decode);
    out_.push_back(std::move(d));
  }

  void collectives() {
    if (!(answer_.step.communication > Seconds())) return;
    Derivation d{
        "comm_s",
        "sum over the exchanges of a decode step of executions x time of one message by the law of its "
        "link x the engine's factor",
        {stated("engine's factor", engine_.exchange)},
        to_text(answer_.step.communication)};
    if (leaves_domain()) {
      d.inputs.push_back(stated("in one that leaves a domain", engine_.overheads.network_exchange));
      d.inputs.push_back(follows("state of the links", std::string(to_text(request_.path.state))));
    }
    for (const OperatorShare& line : lines_of(Phase::decode)) {
      if (line.law != TimeLaw::exchange) continue;
      d.inputs.push_back(
          {line.name,
           fmt::format("{} x {} for {} kB", short_text(line.count), to_text(line.time / line.count),
                       short_text(line.bytes / line.count / unit::kB)),
           source_of(line.law)});
    }
    out_.push_back(std::move(d));
  }

  Seconds time_in_step(std::string_view name) const {
    Seconds time;
    for (const OperatorShare& line : answer_.breakdown)
      if (line.phase == Phase::decode && line.name == name) time += line.time;
    return time;
  }

  /// Sequences of a step that one device works on.
  Input own_sequences() const {
    const double groups = static_cast<double>(answer_.parallel.attention_dp * answer_.parallel.pp);
    return follows("sequences of a device at once", short_text(std::max(1.0, answer_.state.batch / groups)));
  }

  void engine_step() {
    const EngineSpeed::Overheads& o = engine_.overheads;
    out_.push_back({"engine.step",
                    "host time of a decode step + sequences x host time of one",
                    {stated("a step", o.step), own_sequences(), stated("a sequence", o.sequence)},
                    to_text(time_in_step("engine.step"))});
  }

  std::int64_t routed_layers() const {
    std::int64_t routed = 0;
    for (const LayerGroup& group : request_.fit.model->groups) routed += group.moe ? group.count : 0;
    return routed;
  }

  void engine_layers() {
    const EngineSpeed::Overheads& o = engine_.overheads;
    out_.push_back(
        {"engine.layers",
         "layers x gaps of one + routed layers x further gaps of one + sequences x layers x gap of both",
         {follows("layers", grouped(request_.fit.model->layers())), stated("a layer", o.layer),
          follows("routed layers", grouped(routed_layers())), stated("a routed layer", o.moe_layer),
          own_sequences(), stated("a sequence and layer", o.sequence_layer)},
         to_text(time_in_step("engine.layers"))});
  }

  void prompt() {
    if (!(answer_.prompt.total > Seconds())) return;
    const double computed = computed_prompt(request_);
    const double chunk =
        request_.fit.chunk_tokens ? static_cast<double>(*request_.fit.chunk_tokens) : *engine_.chunk_tokens;
    Derivation d{
        "prefill.time_s",
        "sum of the operators of one device, all executions in all chunks of one prompt together",
        {follows("tokens computed", short_text(computed)),
         follows("tokens in the prefix cache", short_text(static_cast<double>(request_.prompt) - computed)),
         follows("tokens of a chunk, at most", short_text(chunk))},
        to_text(answer_.state.prefill)};
    add_version(d);
    add_lines(d, Phase::prefill);
    out_.push_back(std::move(d));
    out_.push_back({"prefill.tok_s",
                    "tokens computed / time",
                    {follows("tokens computed", short_text(computed)),
                     follows("prefill.time_s", to_text(answer_.state.prefill))},
                    to_text(computed * unit::token / answer_.state.prefill)});
  }

  std::optional<Seconds> decode_time_by(TimeLaw law) const {
    std::optional<Seconds> time;
    for (const OperatorShare& line : answer_.breakdown) {
      if (line.law != law) continue;
      if (!time) time = Seconds();
      if (line.phase == Phase::decode) *time += line.time;
    }
    return time;
  }

  void by_kernel_laws() {
    const auto time = decode_time_by(TimeLaw::kernel);
    if (!time) return;
    const std::string how = request_.laws->inherited() ? ", scaled by the datasheets" : "";
    out_.push_back(
        {"decode time by kernel laws",
         "laws of matrix products, attention and experts by their shapes, fitted to measured kernels; "
         "of their benchmark the shares below remain in an engine",
         {{"measured on", request_.laws->fitted_on() + how, source_of(TimeLaw::kernel)},
          stated("of quantising inputs", engine_.kernel_laws->quantise),
          stated("of the experts' fixed time", engine_.kernel_laws->expert_fixed)},
         to_text(*time)});
  }

  template <class Map>
  static const auto& of_rate(const Map& map, const std::string& rate) {
    const auto found = map.find(rate);
    return found != map.end() ? found->second : map.at("bf16");
  }

  void add_expert_shares(Derivation& d, const std::string& rate) const {
    d.inputs.push_back(stated("of the bandwidth, experts", efficiency_.experts.memory));
    d.inputs.push_back(stated("of the dense rate, experts", of_rate(efficiency_.experts.compute, rate)));
    d.inputs.push_back(stated("engine, experts, of that memory rate", engine_.experts_memory));
    d.inputs.push_back(stated("engine, experts, of that dense rate", engine_.experts_compute));
  }

  void by_rates() {
    const auto time = decode_time_by(TimeLaw::rates);
    if (!time) return;
    const NumberFormat& format = weights_.main_format();
    const std::string rate = compute_rate(format, chip_);
    const EngineSpeed::Kernels& kernels = engine_.kernels_for(format.id);
    Derivation d{
        "decode time by rates",
        "for each operator launch + sqrt(compute^2 + memory^2); compute = FLOP / (dense rate x shares), "
        "memory = bytes / (bandwidth x shares)",
        {stated("bandwidth", chip_.memory_bandwidth),
         stated("dense " + rate + " rate", of_rate(chip_.dense_rate, rate)),
         stated("of the bandwidth, matrix products", efficiency_.gemm.memory),
         stated("of the bandwidth, attention", efficiency_.attention.memory),
         stated("of the dense rate, matrix products", of_rate(efficiency_.gemm.compute, rate)),
         stated("of the dense 16-bit rate, attention", efficiency_.attention.compute),
         stated("engine, " + format.id + ", of that memory rate", kernels.memory),
         stated("engine, " + format.id + ", of that dense rate", kernels.compute),
         stated("engine, attention, of that memory rate", engine_.attention_memory)},
        to_text(*time)};
    if (routed_layers() > 0) add_expert_shares(d, rate);
    const bool own = engine_.launch.known();
    d.inputs.push_back(own ? stated("launch, one sequence", engine_.launch)
                           : stated("launch, matrix product", of_rate(efficiency_.gemm.launch, rate)));
    if (own) d.inputs.push_back(stated("launch, several sequences", engine_.launch_batched));
    if (answer_.clocks) d.inputs.push_back(follows("power cap", "clocks as in result.clocks"));
    out_.push_back(std::move(d));
  }

  void ceiling() {
    out_.push_back(
        {"decode.ceiling_tok_s",
         "bandwidth / bytes that one device reads for one token: its share of the active weights, cache and "
         "state",
         {stated("bandwidth", chip_.memory_bandwidth),
          follows("bytes",
                  short_text(chip_.memory_bandwidth->base() / answer_.ceiling.base() / 1e6) + " MB")},
         to_text(answer_.ceiling)});
  }

  const SpeedRequest& request_;
  const SpeedAnswer& answer_;
  const EngineSpeed& engine_;
  const Chip& chip_;
  const ChipEfficiency& efficiency_;
  const WeightPlan weights_;
  Derivations& out_;
};

}  // namespace

void explain_steps(const SpeedRequest& request, const SpeedAnswer& answer, Derivations& out) {
  StepExplanation(request, answer, out).run();
}

}  // namespace roofplan::model
