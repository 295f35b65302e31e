#include "model/memory/fit.hpp"

#include "model/llm/parameters.hpp"
#include "model/memory/fit_texts.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

using Budget = EngineMemory::Budget;

void require_positive(std::int64_t n, const char* what) {
  if (n < 1) throw InputError(InputError::Kind::usage, std::string(what) + " is out of range", "at least 1");
}

std::int64_t chosen_context(const FitRequest& request) {
  if (request.context) return *request.context;
  const std::int64_t most = request.model->max_context;
  return most > 0 ? std::min(most, kDefaultContext) : kDefaultContext;
}

/// A cache larger than any storage is a slip of the keyboard, and its bytes would leave 64 bits.
void require_countable_cache(const FitRequest& request) {
  constexpr double kMostTokens = 1e12;
  const double tokens =
      static_cast<double>(request.concurrency) * static_cast<double>(chosen_context(request));
  if (tokens <= kMostTokens) return;
  throw InputError(
      InputError::Kind::usage,
      fmt::format("{} requests of {} tokens are out of range", request.concurrency, chosen_context(request)),
      "at most 1e12 tokens in all");
}

/// One answer in the making.
class Fit {
 public:
  Fit(const FitRequest& request, const WeightPlan& weights) : request_(request), weights_(weights) {
    answer_.context = chosen_context(request);
    answer_.context_assumed = !request.context || request.context_by_default;
    answer_.concurrency = request.concurrency;
    answer_.weights_format = weights.id();
    answer_.weights = weight_bytes(*request.model, weights);
  }

  FitAnswer run() {
    std::vector<Text> faults;
    answer_.parallel = choose_plan(request_, weights_, answer_.context, faults);
    answer_.devices = answer_.parallel.devices();
    if (!faults.empty()) {
      answer_.legal = answer_.starts = false;
      answer_.reasons = std::move(faults);
      answer_.verdict = Text("fit.verdict_illegal");
      return std::move(answer_);
    }
    const Deployment deployment(*request_.model, weights_, *request_.system, *request_.engine,
                                *request_.formats, deployment_settings(request_, answer_.parallel));
    place(deployment);
    caches(deployment);
    inverse(deployment);
    fraction_interval(deployment);
    range(deployment);
    if (!answer_.fits) {
      answer_.reasons.push_back(binding_constraint(answer_, deployment));
      if (request_.suggest) {
        lighter_settings();
        format_that_fits();
      }
      if (answer_.max_bits > 0)
        answer_.reasons.push_back(Text("fit.most_bits", {{"bits", fmt::format("{:.2f}", answer_.max_bits)}}));
    }
    answer_.verdict = fit_verdict(request_, answer_);
    answer_.load_peak = request_.system->unified_memory ? answer_.device.weights * 2 : ByteCount();
    answer_.warnings = fit_warnings(request_, answer_, weights_, deployment);
    return std::move(answer_);
  }

 private:
  void place(const Deployment& deployment) {
    Derivations* derivations = request_.explain ? &answer_.derivations : nullptr;
    if (derivations != nullptr) explain_weights();
    answer_.device =
        deployment.place(answer_.context, answer_.concurrency, std::nullopt, std::nullopt, derivations);
    answer_.limits = deployment.limits(answer_.concurrency);
    answer_.memory_fraction = deployment.fraction(deployment.system_reserved());
    answer_.cache_format = deployment.layout().format->id;
    const ByteCount one = deployment.place(answer_.context, 1).deficit;
    const ByteCount short_of = deployment.start_shortfall(deployment.system_reserved());
    const bool refused = short_of > ByteCount();
    answer_.starts = !refused && (one == ByteCount() || !request_.engine->memory.pools_cache);
    answer_.deficit = std::max(answer_.device.deficit, short_of);
    answer_.fits = answer_.deficit == ByteCount();
  }

  void explain_weights() {
    const NumberFormat& format = weights_.main_format();
    answer_.derivations.push_back(
        {"weights_bytes",
         "sum over tensors of elements x bits of their format, scales included",
         {{"parameters", grouped(count_parameters(*request_.model).total), {}},
          {"format", weights_.id(),
           weights_.mix() != nullptr ? weights_.mix()->provenance.source : std::string()},
          {"bits per weight of most", fmt::format("{:.4g}", *format.bits_per_weight),
           format.bits_per_weight.provenance.source}},
         to_text(answer_.weights.text)});
  }

  void caches(const Deployment& deployment) {
    const Stage whole = whole_model(*request_.model);
    const ParallelPlan single;
    const CacheLayout need{deployment.layout().format, 1, true, 0};
    answer_.cache_need =
        sequence_cache(*request_.model, whole, single, need, answer_.context) * answer_.concurrency;
    answer_.cache_engine =
        sequence_cache(*request_.model, whole, single, deployment.layout(), answer_.context) *
        answer_.concurrency;
    answer_.state_need = sequence_state(*request_.model, whole, single) * answer_.concurrency;
    answer_.cache = deployment.all_cache(answer_.context, answer_.concurrency);
  }

  std::int64_t context_limit() const {
    constexpr std::int64_t kNoLimit = std::int64_t{1} << 31;
    return request_.model->max_context > 0 ? request_.model->max_context : kNoLimit;
  }

  void inverse(const Deployment& deployment) {
    if (deployment.start_shortfall(deployment.system_reserved()) > ByteCount()) return;
    const std::int64_t trained = request_.model->max_context;
    answer_.max_context = largest_context(deployment, answer_.concurrency, context_limit());
    answer_.context_by_model = trained > 0 && answer_.max_context == trained;
    answer_.max_concurrency = most_sequences(deployment, answer_.context);
    const auto parameters = static_cast<double>(count_parameters(*request_.model).total);
    const double bits = weights_.mix() == nullptr && weights_.id() != "native"
                            ? *weights_.main_format().bits_per_weight
                            : 8.0 * answer_.weights.text.quantity().base() / parameters;
    answer_.max_params_at_format = most_parameters(deployment, answer_.context, answer_.concurrency, bits);
    answer_.max_bits = bits * static_cast<double>(answer_.max_params_at_format) / parameters;
  }

  void fraction_interval(const Deployment& deployment) {
    if (request_.engine->memory.budget != Budget::fraction_of_visible) return;
    const DeviceMemory& d = answer_.device;
    const ByteCount used = d.weights + d.cache + d.state + d.activation() + d.workspace();
    answer_.fraction_low = used.quantity() / d.visible.quantity();
    answer_.fraction_high =
        (deployment.visible() - deployment.system_reserved()).quantity() / d.visible.quantity();
  }

  void range(const Deployment& deployment) {
    const Figure<ByteCount>& reserved = request_.system->reserved;
    if (!reserved.known() || !reserved.low || !reserved.high) return;
    const auto fits_with = [&](ByteCount kept) {
      return deployment.place(answer_.context, answer_.concurrency, kept).fits() &&
             deployment.start_shortfall(kept) == ByteCount();
    };
    FitRange range;
    const auto ask = [&](ByteCount kept, bool& fits, ByteCount& usable, std::int64_t& context,
                         std::int64_t& sequences) {
      fits = fits_with(kept);
      usable = deployment.visible() - kept;
      if (deployment.start_shortfall(kept) > ByteCount()) return;
      context = largest_context(deployment, answer_.concurrency, context_limit(), kept);
      sequences = most_sequences(deployment, answer_.context, kept);
    };
    ask(*reserved.high, range.fits_low, range.usable_low, range.max_context_low, range.max_concurrency_low);
    ask(*reserved.low, range.fits_high, range.usable_high, range.max_context_high,
        range.max_concurrency_high);
    answer_.range = range;
  }

  /// Whether smaller start-up settings of the engine would do.
  void lighter_settings() {
    if (request_.engine->memory.compute_buffer != EngineMemory::ComputeBuffer::profiled) return;
    if (request_.max_batch || request_.chunk_tokens) return;
    DeploymentSettings settings = deployment_settings(request_, answer_.parallel);
    settings.max_batch =
        std::max<std::int64_t>(16, ceil_div(answer_.concurrency, answer_.parallel.sequence_groups()));
    settings.chunk_tokens = 2048;
    const Deployment lighter(*request_.model, weights_, *request_.system, *request_.engine, *request_.formats,
                             settings);
    if (lighter.place(answer_.context, answer_.concurrency).fits() &&
        lighter.start_shortfall(lighter.system_reserved()) == ByteCount())
      answer_.reasons.push_back(Text("fit.lighter_settings", {{"max_batch", *settings.max_batch},
                                                              {"chunk_tokens", *settings.chunk_tokens}}));
  }

  /// The first of an engine's formats, from faithful to small, in which it would fit. A size alone is weighed
  /// as a real checkpoint here, which leaves some classes in 16 bits.
  bool format_of(const EngineProfile& engine) {
    Architecture checkpoint = *request_.model;
    checkpoint.stand_in = false;
    FitRequest other = request_;
    other.model = &checkpoint;
    other.engine = &engine;
    if (&engine != request_.engine) other.parallel = {};
    for (const std::string& id : engine.memory.offers) {
      if (id == weights_.id()) continue;
      const WeightPlan weights(*request_.formats, checkpoint, id);
      const ByteCount bytes = weight_bytes(checkpoint, weights).text;
      if (bytes >= answer_.weights.text) continue;
      std::vector<Text> faults;
      const ParallelPlan plan = choose_plan(other, weights, answer_.context, faults);
      if (!faults.empty()) continue;
      const Deployment deployment(checkpoint, weights, *request_.system, engine, *request_.formats,
                                  deployment_settings(other, plan));
      if (!deployment.place(answer_.context, answer_.concurrency).fits() ||
          deployment.start_shortfall(deployment.system_reserved()) > ByteCount())
        continue;
      answer_.fits_in_format = id;
      answer_.fits_in_engine = engine.id;
      answer_.fits_in_bytes = bytes;
      return true;
    }
    return false;
  }

  void format_that_fits() {
    const EngineProfile* fallback = request_.fallback_engine;
    if (format_of(*request_.engine)) {
      answer_.reasons.push_back(Text(
          "fit.format_that_fits", {{"format", answer_.fits_in_format}, {"weights", answer_.fits_in_bytes}}));
    } else if (fallback != nullptr && format_of(*fallback)) {
      answer_.reasons.push_back(Text("fit.format_with_engine", {{"format", answer_.fits_in_format},
                                                                {"engine", fallback->name},
                                                                {"weights", answer_.fits_in_bytes}}));
    } else {
      answer_.reasons.push_back(Text("fit.no_format_fits", {{"engine", request_.engine->name}}));
    }
  }

  const FitRequest& request_;
  const WeightPlan& weights_;
  FitAnswer answer_;
};

}  // namespace

FitAnswer fit(const FitRequest& request) {
  require_positive(request.concurrency, "the concurrency");
  require_positive(chosen_context(request), "the context");
  require_countable_cache(request);
  if (request.adapter_slots < 0 || request.adapter_rank < 0)
    throw InputError(InputError::Kind::usage, "adapters are out of range", "at least 0 slots and rank");
  if (request.max_batch) require_positive(*request.max_batch, "the batch");
  if (request.chunk_tokens) require_positive(*request.chunk_tokens, "the prefill chunk");
  const WeightPlan weights(*request.formats, *request.model, request.weights);
  return Fit(request, weights).run();
}

}  // namespace roofplan::model
