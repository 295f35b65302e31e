#include "model/roofline/step_model.hpp"

#include "model/llm/tensors.hpp"
#include "model/roofline/rates.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace roofplan::model {

namespace {

using ClassRatios = std::array<double, kTensorClasses>;

/// By tensor class, the bytes that the files of the model hold against those that its formats tell; 1 where
/// no tensors were read. Files mix formats within a class.
ClassRatios file_ratios(const Architecture& model, const WeightPlan& plan) {
  ClassRatios told{}, held{}, ratios;
  ratios.fill(1.0);
  const StoredWeights* files = plan.stored();
  if (files == nullptr || files->layers.empty()) return ratios;
  const auto add = [&](const Tensor& tensor, std::int64_t layers) {
    const ByteCount one = matrix_bytes(plan.format_of(tensor, 0), tensor.rows, tensor.cols);
    told[static_cast<std::size_t>(tensor.kind)] +=
        one.quantity().base() * static_cast<double>(tensor.copies * layers);
  };
  for (const Tensor& tensor : outer_tensors(model)) add(tensor, 1);
  for (const LayerGroup& group : model.groups)
    for (const Tensor& tensor : tensors(model, group)) add(tensor, group.count);
  for (std::size_t c = 0; c < kTensorClasses; ++c) {
    held[c] = files->outside[c].quantity().base();
    for (const StoredWeights::ByClass& layer : files->layers) held[c] += layer[c].quantity().base();
    if (told[c] > 0 && held[c] > 0) ratios[c] = held[c] / told[c];
  }
  return ratios;
}

/// Storage of a tensor, averaged over the layers of its group where a mix gives them different formats.
StoredTensor stored(const Architecture& model, const WeightPlan& plan, const LayerGroup* group,
                    const Tensor& tensor) {
  const auto bytes_in = [&](std::int64_t layer) {
    return matrix_bytes(plan.format_of(tensor, layer), tensor.rows, tensor.cols).quantity().base() *
           static_cast<double>(tensor.copies);
  };
  if (group == nullptr || !plan.depends_on_layer()) return {bytes_in(0), &plan.format_of(tensor, 0)};
  const auto index = static_cast<std::uint16_t>(group - model.groups.data());
  double sum = 0;
  std::int64_t first = -1;
  for (std::int64_t layer = 0; layer < model.layers(); ++layer) {
    if (model.order[static_cast<std::size_t>(layer)] != index) continue;
    if (first < 0) first = layer;
    sum += bytes_in(layer);
  }
  return {sum / static_cast<double>(group->count), &plan.format_of(tensor, first)};
}

/// Laws answer where the engine runs the kernels that were measured; laws scaled from another chip only where
/// no efficiencies were measured on the chip itself.
bool answer_by_laws(const StepSetup& setup) {
  return setup.laws != nullptr && setup.engine->kernel_laws &&
         !(setup.laws->inherited() && setup.efficiency->measured_on(*setup.chip));
}

void add_to(StepTime& step, const OperatorCost& cost, double count) {
  const Seconds time = count * cost.time_s * unit::s;
  step.total += time;
  step.by_bound[static_cast<std::size_t>(cost.bound)] += time;
  if (cost.bound == Bound::network) step.communication += time;
}

/// Launches and exchanges keep their time: hosts and links are not capped.
void slow_down(std::vector<Operator>& list, const ClockShares& clocks) {
  for (Operator& op : list) {
    op.compute_stretch = 1 / clocks.compute;
    op.memory_stretch = 1 / clocks.memory;
  }
}

/// Whether both take the same time in every step.
bool repeats(Operator a, const Operator& b) {
  a.name = b.name;
  a.count = b.count;
  return a == b;
}

/// Whether sequences that decode and prompts in the same step need it each for themselves.
bool of_own_tokens(const Operator& op) {
  return op.kind == OperatorKind::attention_prefill || op.kind == OperatorKind::attention_decode ||
         op.kind == OperatorKind::scan;
}

Operator software(const char* name, Bound bound, double fixed_s, double s_per_sequence, double s_per_token,
                  double token_share) {
  Operator op;
  op.name = name;
  op.kind = OperatorKind::software;
  op.fixed_bound = bound;
  op.fixed_s = fixed_s;
  op.s_per_sequence = s_per_sequence;
  op.s_per_token = s_per_token;
  op.token_share = token_share;
  return op;
}

}  // namespace

Bound StepTime::bound() const {
  const auto largest = std::max_element(by_bound.begin(), by_bound.end());
  return static_cast<Bound>(largest - by_bound.begin());
}

void StepModel::Operators::find_repeats() {
  first.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto same = [&](const Operator& op) { return repeats(op, list[i]); };
    first[i] = static_cast<std::size_t>(std::find_if(list.begin(), list.end(), same) - list.begin());
  }
}

StepModel::StepModel(const StepSetup& setup)
    : exchanges_(std::make_unique<ExchangeTables>(setup.exchanges, *setup.engine->exchange)),
      shards_(setup.shards),
      routing_exponent_(setup.routing_exponent),
      time_factor_(setup.time_factor),
      chunk_tokens_(setup.chunk_tokens ? static_cast<double>(*setup.chunk_tokens)
                                       : *setup.engine->chunk_tokens) {
  const Rates rates(*setup.chip, *setup.efficiency, *setup.engine);
  bandwidth_ = setup.chip->memory_bandwidth->base();
  for (const auto& [format, rate] : setup.chip->dense_rate)
    if (rate.known()) fastest_rate_ = std::max(fastest_rate_, rate->base());
  StepRecipe recipe;
  recipe.model = setup.model;
  recipe.kv = setup.kv;
  recipe.shards = shards_;
  recipe.rates = &rates;
  recipe.counts_norms = setup.engine->kernel_laws.has_value();
  if (answer_by_laws(setup)) {
    kernels_ = std::make_unique<KernelTimes>(*setup.laws, *setup.kv, *setup.engine->kernel_laws,
                                             setup.chip->family, setup.kernel_times);
    recipe.kernels = kernels_.get();
  }
  const ClassRatios ratios = file_ratios(*setup.model, *setup.weights);
  recipe.weights = [&](const LayerGroup* group, const Tensor& tensor) {
    StoredTensor found = stored(*setup.model, *setup.weights, group, tensor);
    found.bytes *= ratios[static_cast<std::size_t>(tensor.kind)];
    return found;
  };
  for (const Phase phase : {Phase::prefill, Phase::decode}) {
    Operators& operators = phase == Phase::prefill ? prefill_ : decode_;
    operators.list = step_operators(recipe, phase);
    slow_down(operators.list, phase == Phase::prefill ? setup.clocks.prefill : setup.clocks.decode);
    append_communication(recipe, *exchanges_, phase, operators.list);
    add_software(setup, phase, operators.list);
    operators.find_repeats();
  }
  const double layers = static_cast<double>(setup.model->layers());
  const double stages = static_cast<double>(shards_.pp);
  stage_imbalance_ = std::ceil(layers / stages) * stages / layers;
}

void StepModel::add_software(const StepSetup& setup, Phase phase, std::vector<Operator>& out) const {
  const EngineSpeed::Overheads& o = setup.engine->overheads;
  const double layers = static_cast<double>(setup.model->layers());
  double routed = 0;
  for (const LayerGroup& g : setup.model->groups) routed += g.moe ? static_cast<double>(g.count) : 0;
  const double share = shards_.token_share(phase);
  const double step_s = o.step->base();
  if (phase == Phase::prefill) {
    out.push_back(software("engine.step", Bound::host, step_s, 0, o.prefill_token->base(), share));
  } else {
    out.push_back(software("engine.step", Bound::host, step_s, o.sequence->base(), 0, share));
  }
  const double gaps = layers * o.layer->base() + routed * o.moe_layer->base();
  const double per_sequence = phase == Phase::decode ? layers * o.sequence_layer->base() : 0;
  out.push_back(software("engine.layers", Bound::launch, gaps, per_sequence, 0, share));
}

StepPoint StepModel::micro_batch(Phase phase, const StepPoint& point) const {
  if (phase == Phase::prefill || shards_.pp == 1) return point;
  StepPoint part = point;
  part.sequences =
      std::max(std::min(1.0, point.sequences), point.sequences / static_cast<double>(shards_.pp));
  return part;
}

template <class PointOf, class Take>
void StepModel::each_time(Phase phase, PointOf point_of, Take take) const {
  constexpr std::size_t kKept = 128;
  std::array<double, kKept> times;  // those of the first operators, so that nothing is allocated
  const auto& [list, first] = operators_of(phase);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const StepPoint* point = point_of(list[i]);
    if (point == nullptr) continue;
    const bool known = first[i] < i && first[i] < kKept;
    const double time = known ? times[first[i]] : seconds_of(list[i], *point, routing_exponent_);
    if (i < kKept) times[i] = time;
    take(list[i], time);
  }
}

double StepModel::imbalance(Phase phase, const StepPoint& point) const {
  const bool full = phase == Phase::decode && point.sequences >= static_cast<double>(shards_.pp);
  return full ? stage_imbalance_ : 1;
}

double StepModel::seconds(Phase phase, const StepPoint& point) const {
  const StepPoint part = micro_batch(phase, point);
  double total = 0;
  each_time(
      phase, [&](const Operator&) { return &part; },
      [&](const Operator& op, double time) { total += op.count * time; });
  return time_factor_ * total * imbalance(phase, point);
}

Seconds StepModel::step(Phase phase, const StepPoint& point) const {
  return seconds(phase, point) * unit::s;
}

Seconds StepModel::mixed_step(const StepPoint& decode, const StepPoint& prompts) const {
  const StepPoint decoding = micro_batch(Phase::decode, decode);
  const double sequences = decoding.sequences + prompts.sequences;
  const double tokens = decoding.sequences * decoding.tokens + prompts.sequences * prompts.tokens;
  const StepPoint all{sequences, tokens / sequences, prompts.context};
  double total = 0;
  each_time(
      Phase::prefill, [&](const Operator& op) { return of_own_tokens(op) ? &prompts : &all; },
      [&](const Operator& op, double time) { total += op.count * time; });
  each_time(
      Phase::decode,
      [&](const Operator& op) {
        return of_own_tokens(op) || op.kind == OperatorKind::software ? &decoding : nullptr;
      },
      [&](const Operator& op, double time) {
        const bool counted = op.kind == OperatorKind::software;  // its fixed part, among the prompts'
        total += op.count * (counted ? time - op.fixed_s : time);
      });
  return time_factor_ * total * imbalance(Phase::decode, decode) * unit::s;
}

Seconds StepModel::decode_step(double batch, double context) const {
  return seconds(Phase::decode, {batch, 1, context}) * unit::s;
}

Seconds StepModel::prefill_step(double sequences, double tokens, double context) const {
  return seconds(Phase::prefill, {sequences, tokens, context}) * unit::s;
}

std::array<PromptStep, 3> StepModel::prompt_steps(double tokens, double context) const {
  const double chunks = std::max(1.0, std::ceil(tokens / chunk_tokens_));
  const double chunk = tokens / chunks;
  const auto step = [&](double chunks_before, double count) {
    return PromptStep{{1, chunk, context + chunks_before * chunk}, count};
  };
  if (chunks <= 3) return {step(0, 1), step(1, chunks > 1 ? 1 : 0), step(2, chunks > 2 ? 1 : 0)};
  // Time is close to quadratic in the context: Simpson's rule over the chunks is exact for such a sum's
  // integral, and three evaluations serve any prompt length.
  return {step(0, chunks / 6), step((chunks - 1) / 2, 4 * chunks / 6), step(chunks - 1, chunks / 6)};
}

Seconds StepModel::prefill(double tokens, double context) const {
  double total = 0;
  for (const auto& [point, count] : prompt_steps(tokens, context))
    if (count > 0) total += count * seconds(Phase::prefill, point);
  return total * unit::s;
}

void StepModel::add_steps(StepTime& sum, Phase phase, const PromptStep& steps) const {
  if (steps.count <= 0) return;
  const StepPoint part = micro_batch(phase, steps.point);
  for (const Operator& op : list(phase))
    add_to(sum, evaluate(op, part, routing_exponent_), steps.count * time_factor_ * op.count);
}

StepTime StepModel::time_of(Phase phase, const StepPoint& point) const {
  StepTime step;
  add_steps(step, phase, {point, 1});
  // Stages that wait for the fullest are limited by what that one works at.
  step.uneven = (imbalance(phase, point) - 1) * step.total;
  step.by_bound[static_cast<std::size_t>(step.bound())] += step.uneven;
  step.total += step.uneven;
  return step;
}

StepTime StepModel::prefill_time(double tokens, double context) const {
  StepTime prompt;
  for (const PromptStep& steps : prompt_steps(tokens, context)) add_steps(prompt, Phase::prefill, steps);
  return prompt;
}

void StepModel::add_lines(std::vector<OperatorShare>& lines, Phase phase, const PromptStep& steps) const {
  if (steps.count <= 0) return;
  const StepPoint part = micro_batch(phase, steps.point);
  for (const Operator& op : list(phase)) {
    const OperatorCost cost = evaluate(op, part, routing_exponent_);
    const TimeLaw law = time_law(op);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const OperatorShare& s) {
      return std::string_view(s.name) == op.name && s.bound == cost.bound && s.law == law;
    });
    OperatorShare& line = same != lines.end() ? *same : lines.emplace_back();
    const double count = steps.count * op.count;
    line.name = op.name;
    line.kind = op.kind;
    line.phase = phase;
    line.law = law;
    line.count += count;
    line.flop += count * cost.flop * unit::flop;
    line.bytes += count * cost.bytes() * unit::B;
    line.time += time_factor_ * count * cost.time_s * unit::s;
    line.bound = cost.bound;
  }
}

std::vector<OperatorShare> StepModel::breakdown(Phase phase, const StepPoint& point) const {
  std::vector<OperatorShare> lines;
  add_lines(lines, phase, {point, 1});
  const StepTime step = time_of(phase, point);
  if (step.uneven > Seconds()) {
    OperatorShare line;
    line.name = "stage.uneven";
    line.kind = OperatorKind::software;
    line.phase = phase;
    line.law = TimeLaw::engine;
    line.count = 1;
    line.time = step.uneven;
    line.bound = step.bound();
    lines.push_back(line);
  }
  return lines;
}

std::vector<OperatorShare> StepModel::prefill_breakdown(double tokens, double context) const {
  std::vector<OperatorShare> lines;
  for (const PromptStep& steps : prompt_steps(tokens, context)) add_lines(lines, Phase::prefill, steps);
  return lines;
}

Bytes StepModel::bytes_per_token(double context) const {
  double bytes = 0;
  for (const Operator& op : decode_.list) {
    // One sequence on the device that holds it: its own share of a data-parallel group's work is the whole.
    Operator alone = op;
    if (!(op.experts > 0)) alone.token_share = 1;
    alone.kv_write_bytes_per_token = 0;
    const OperatorCost cost = evaluate(alone, {1, 1, context}, 1.0);
    bytes += op.count * (cost.weight_bytes + cost.kv_bytes + cost.state_bytes / 2);
  }
  return bytes * unit::B;
}

TokensPerSecond StepModel::ceiling(double context) const {
  return bandwidth_ / bytes_per_token(context).base() * unit::tok_s;
}

Seconds StepModel::shortest(Phase phase, const StepPoint& point) const {
  const StepPoint part = micro_batch(phase, point);
  double bytes = 0, flop = 0;
  for (const Operator& op : list(phase)) {
    if (op.kind == OperatorKind::collective || op.kind == OperatorKind::software) continue;
    const OperatorCost cost = evaluate(op, part, routing_exponent_);
    const double tokens = part.sequences * op.token_share * (op.last_only ? 1 : part.tokens);
    bytes += op.count * (cost.weight_bytes + cost.kv_bytes);
    flop += op.count * op.flop_per_token * tokens;
  }
  const double computing = fastest_rate_ > 0 ? flop / fastest_rate_ : 0;
  return std::max(bytes / bandwidth_, computing) * unit::s;
}

}  // namespace roofplan::model
