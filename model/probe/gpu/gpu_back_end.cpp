#include "model/probe/gpu/gpu_back_end.hpp"

#include "model/catalog/model_reference.hpp"
#include "model/probe/gpu/gpu_laws.hpp"
#include "model/probe/gpu/gpu_layer.hpp"
#include "model/probe/gpu/gpu_load.hpp"
#include "model/probe/gpu/gpu_probes.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <thread>

namespace roofplan::probe {
namespace {

namespace unit = model::unit;

struct ReplayPlan {
  std::vector<std::string> models;
  std::vector<std::int64_t> batches, depths;
};
ReplayPlan replay_plan(bool quick) {
  if (quick) return {{"llama-3.1-8b", "qwen3-30b-a3b"}, {1, 16, 128}, {2048}};
  return {{"llama-3.1-8b", "qwen3-30b-a3b", "llama-3.1-70b", "deepseek-v2-lite", "gemma-3-4b", "phi-3-mini"},
          {1, 4, 16, 64, 128},
          {512, 4096}};
}

Params replay_params(const model::ReplayResult& what) {
  Params out{{"model", what.model},
             {"batch", fmt::format("{}", what.batch)},
             {"depth", fmt::format("{}", what.depth)}};
  if (what.devices > 1) out.emplace_back("devices", fmt::format("{}", what.devices));
  return out;
}

/// A part by its law; nothing where a law is missing.
Prediction prediction_of(const std::vector<GpuWork>& works) {
  return [works](const model::Calibration& calibration) {
    model::Seconds sum;
    for (const GpuWork& work : works) {
      const auto time = predicted_time(calibration, work);
      if (!time) return model::Seconds{};
      sum += *time;
    }
    return sum;
  };
}

Probe timing(const std::shared_ptr<Workbench>& bench, std::string name, Params params,
             std::vector<GpuWork> works) {
  return {.name = std::move(name),
          .params = std::move(params),
          .unit = "us",
          .sample = [bench, works] { return bench->run(works); },
          .right = [bench, works] { return bench->right(works); }};
}

/// A little use is told afterwards; from here on the numbers would be those of another load.
constexpr double kTooBusy = 0.5;

void refuse_unfit(const DeviceState& state) {
  std::string reason;
  if (state.busy && *state.busy > kTooBusy)
    reason = fmt::format("the GPU is {:.0f} % used by other programs", 100 * *state.busy);
  if (!state.throttled.empty())
    reason = fmt::format("the GPU is throttled: {}", fmt::join(state.throttled, ", "));
  if (!reason.empty()) throw model::InputError(model::InputError::Kind::missing, reason, "an idle, cool GPU");
}

}  // namespace

GpuBackEnd::GpuBackEnd(std::unique_ptr<Gpu> gpu, const BackEndWish& wish)
    : wish_(wish), gpu_(std::move(gpu)), bench_(std::make_shared<Workbench>(*gpu_)) {}

RunOptions GpuBackEnd::options() const {
  RunOptions out;
  out.rule.relative_error = wish_.quick ? 0.02 : 0.01;
  out.rule.time_limit = (wish_.quick ? 0.25 : 1.0) * unit::s;
  out.seed = wish_.seed;
  return out;
}

std::vector<Probe> GpuBackEnd::probes() {
  refuse_unfit(gpu_->state());
  GpuProbes all = gpu_probes(*gpu_, bench_, wish_.quick);
  left_out_ = std::move(all.left_out);
  return std::move(all.probes);
}

std::vector<Probe> GpuBackEnd::checks() {
  return small_gpu_probes(*gpu_, bench_);
}

void GpuBackEnd::leave_out(std::string sentence) {
  if (std::find(left_out_.begin(), left_out_.end(), sentence) == left_out_.end())
    left_out_.push_back(std::move(sentence));
}

std::optional<Replay> GpuBackEnd::replay_of(const model::ReplayResult& what, const model::Architecture& model,
                                            const model::Catalog& catalog) {
  Replay replay;
  replay.what = what;
  replay.format = "bf16";
  std::vector<GpuWork> works;
  for (const LayerOperator& op : layer_operators(model, catalog, what.batch, what.depth, what.devices)) {
    if (const std::string reason = gpu_->obstacle(op.work); !reason.empty()) {
      leave_out(fmt::format("no layer of {} is replayed{}: {}: {}", what.model,
                            what.devices > 1 ? fmt::format(" on {} devices", what.devices) : "", op.name,
                            reason));
      return std::nullopt;
    }
    works.push_back(op.work);
    Params params = replay_params(what);
    params.emplace_back("op", op.name);
    replay.parts.push_back(
        {op.name, timing(bench_, "replay/operator", std::move(params), {op.work}), prediction_of({op.work})});
  }
  replay.probe = timing(bench_, "replay", replay_params(what), works);
  replay.predict = prediction_of(works);
  return replay;
}

std::vector<Replay> GpuBackEnd::replays(const model::Catalog& catalog) {
  std::vector<Replay> out;
  const ReplayPlan plan = replay_plan(wish_.quick);
  std::set<int> divisions{1, gpu_->identity().accelerators};
  for (const std::string& name : plan.models) {
    const model::ModelFile model = model::find_model(catalog, name);
    for (const int devices : divisions) {
      for (const std::int64_t depth : plan.depths) {
        for (const std::int64_t batch : plan.batches) {
          try {
            auto replay = replay_of({.model = name,
                                     .batch = static_cast<int>(batch),
                                     .depth = depth,
                                     .layers = 1,
                                     .devices = devices},
                                    model.architecture, catalog);
            if (replay) out.push_back(std::move(*replay));
          } catch (const model::InputError& e) {
            leave_out(e.message());
          }
        }
      }
    }
  }
  return out;
}

std::vector<model::ProbeResult> GpuBackEnd::sustained(const RunOptions& options) {
  LoadTimes times;
  times.each = (wish_.quick ? 3.0 : 20.0) * unit::s;
  times.pause = [](model::Seconds time) {
    std::this_thread::sleep_for(std::chrono::duration<double>(time.base()));
  };
  times.now = options.now;
  times.interrupted = options.interrupted;
  std::vector<model::ProbeResult> out = sustained_loads(*gpu_, *bench_, times);
  const auto clock =
      std::find_if(out.begin(), out.end(), [](const auto& p) { return p.name == "clock/stream"; });
  if (clock != out.end()) streaming_mhz_ = clock->value;
  return out;
}

DeviceState GpuBackEnd::state_after() {
  DeviceState out = gpu_->state();
  out.busy.reset();  // the driver counts the last second, which was ours
  out.clock_mhz = streaming_mhz_;
  return out;
}

void GpuBackEnd::fit(model::Calibration& calibration, const model::Chip* chip) const {
  fit_gpu(calibration, chip);
}

std::vector<std::string> GpuBackEnd::remarks() {
  std::vector<std::string> out{
      "kernels ran one after the other in captured graphs, weights and caches from memory",
      "attention and what lies between matrix products are this program's own kernels; an engine's may be "
      "faster or "
      "slower"};
  out.insert(out.end(), left_out_.begin(), left_out_.end());
  const std::vector<std::string> troubles = gpu_->troubles();
  const std::set<std::string> distinct(troubles.begin(), troubles.end());
  out.insert(out.end(), distinct.begin(), distinct.end());
  return out;
}

}  // namespace roofplan::probe
