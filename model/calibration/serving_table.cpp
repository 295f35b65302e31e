#include "model/calibration/serving_table.hpp"

#include "model/calibration/fabric_path.hpp"
#include "model/calibration/table_words.hpp"
#include "model/llm/kv_cache.hpp"
#include "model/memory/weights.hpp"
#include "model/serving/disaggregation.hpp"
#include "model/serving/exchange_laws.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

using State = RowPrediction::State;

/// Elements of a cache row that share a scale; bf16 has none.
constexpr std::int64_t kCacheRow = 128;

/// Columns of an expert that a rank holds at least: a block of FP8 scales, a tile of the products.
constexpr std::int64_t kNarrowestSlice = 128;

/// Of the narrowest routed expert; 0 without any.
std::int64_t expert_width(const Architecture& model) {
  std::int64_t width = 0;
  for (const LayerGroup& group : model.groups)
    if (group.moe) width = width == 0 ? group.moe->intermediate : std::min(width, group.moe->intermediate);
  return width;
}

double value(const SteadyState& s, const std::string& metric) {
  return (metric == "ttft_ms" ? s.ttft : s.tpot.value_or(Seconds())) / unit::ms;
}

}  // namespace

ServingTable::ServingTable(const CsvTable& table, const CalibrationSet& calibrations)
    : table_(table), catalog_(calibrations.files()), data_(catalog_, calibrations) {}

std::string ServingTable::text(std::size_t row, const char* column) const {
  return table_.text(row, table_.column(column));
}

std::string ServingTable::version(std::size_t row) const {
  return states(row, "engine_version") ? text(row, "engine_version") : std::string();
}

std::int64_t ServingTable::whole(std::size_t row, const char* column) const {
  const std::size_t at = table_.column(column);
  return table_.blank(row, at) ? 1 : std::max<std::int64_t>(1, table_.whole(row, at));
}

bool ServingTable::states(std::size_t row, const char* column) const {
  const auto at = table_.find(column);
  return at && !table_.blank(row, *at);
}

std::optional<Seconds> ServingTable::measured(std::size_t row, const char* column) const {
  const std::size_t at = table_.column(column);
  if (table_.blank(row, at)) return std::nullopt;
  return table_.positive(row, at) * unit::ms;
}

std::string ServingTable::refusal(std::size_t row) const {
  if (separate_pools(row) && !(states(row, "prefill_workers") && states(row, "decode_workers")))
    return "worker count not stated";
  if (text(row, "concurrency").empty()) return "no concurrency is stated";
  if (!catalog_.models().contains(text(row, "model"))) return "no model of that name in the catalogue";
  if (catalog_.systems().find_if(text(row, "system")) == nullptr) return "unknown system";
  const std::vector<std::string> engines = catalog_.engines().ids();
  if (std::find(engines.begin(), engines.end(), text(row, "engine")) == engines.end())
    return "no profile of the engine";
  return {};
}

ReplicaLoad ServingTable::load_of(std::size_t row) const {
  ReplicaLoad load;
  load.concurrency = table_.positive(row, table_.column("concurrency"));
  load.prompt_tokens = table_.positive(row, table_.column("isl"));
  load.output_tokens = table_.positive(row, table_.column("osl"));
  return load;
}

/// The plan of one worker; `pool` is empty, "prefill_" or "decode_".
ParallelPlan ServingTable::plan_of(std::size_t row, const std::string& pool) const {
  ParallelPlan plan;
  plan.attention_dp = whole(row, (pool + "attention_dp").c_str());
  plan.tp = checked_mul(whole(row, (pool + "tp").c_str()), plan.attention_dp);
  plan.pp = whole(row, (pool + "pp").c_str());
  plan.ep = whole(row, (pool + "moe_ep").c_str());
  if (plan.tp % plan.ep != 0) plan.ep = 1;
  // SGLang sets the expert parallelism to the ranks with DeepEP, which its option, as tables have it, does
  // not say; experts cut finer than kernels multiply tell that this was so.
  if (plan.ep == 1 && plan.tp > 1 && plan.attention_dp == plan.tp) {
    const std::int64_t width = expert_width(catalog_.models().find(text(row, "model")));
    if (width > 0 && width < plan.tp * kNarrowestSlice) plan.ep = plan.tp;
  }
  return plan;
}

const EngineSpeed& ServingTable::engine(const std::string& id) {
  const auto found = engines_.find(id);
  return found != engines_.end() ? found->second : data_.engine_speed(id);
}

void ServingTable::set_engine(const EngineSpeed& engine) {
  engines_.insert_or_assign(engine.id, engine);
  std::erase_if(deployed_, [&](const auto& entry) { return entry.second->engine.id == engine.id; });
}

FabricPath ServingTable::path_of(const System& system) const {
  return fabric_path(system, data_.calibrations(), catalog_.links());
}

ServedDeployment ServingTable::build(std::size_t row, const std::string& precision, const ParallelPlan& plan,
                                     const EngineSpeed& engine) const {
  ServedDeployment out;
  const System& system = catalog_.systems().find(text(row, "system"));
  out.model = catalog_.models().find(text(row, "model"));
  out.engine = engine;
  const WeightPlan weights(catalog_.formats(), out.model, served_format(out.model, precision));
  const double devices = static_cast<double>(plan.devices_per_replica());
  out.fits =
      weight_bytes(out.model, weights).text.quantity() <= devices * system.chip.memory_marketed->quantity();
  StepSetup setup;
  setup.laws = &data_.kernel_laws(system.chip.id);
  setup.time_factor = engine.version_factor(version(row));
  setup.model = &out.model;
  setup.weights = &weights;
  setup.kv = &catalog_.formats().cache_format(out.engine.cache_on(system.chip));
  setup.chip = &system.chip;
  setup.efficiency = &data_.efficiencies().of(system.chip);
  setup.engine = &out.engine;
  setup.routing_exponent = *data_.routing().random;
  setup.shards = step_shards(plan);
  setup.exchanges = exchange_laws(path_of(system), engine_all_reduce_of(system, data_.calibrations()), plan,
                                  *out.engine.overheads.network_exchange);
  out.steps = std::make_unique<StepModel>(setup);
  return out;
}

std::string ServingTable::key_of(std::size_t row, const std::string& precision,
                                 const ParallelPlan& plan) const {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}", text(row, "model"), precision, text(row, "system"),
                     text(row, "engine"), version_family(version(row)), plan.tp, plan.attention_dp, plan.pp,
                     plan.ep);
}

std::string ServingTable::deployment_key(std::size_t row) const {
  return key_of(row, text(row, "precision"), plan_of(row, ""));
}

const ServedDeployment& ServingTable::deployed(std::size_t row, const std::string& precision,
                                               const ParallelPlan& plan) {
  auto& entry = deployed_[key_of(row, precision, plan)];
  if (entry) return *entry;
  entry = std::make_unique<ServedDeployment>(build(row, precision, plan, engine(text(row, "engine"))));
  return *entry;
}

ServedDeployment ServingTable::deploy(std::size_t row, const EngineSpeed& engine) const {
  return build(row, text(row, "precision"), plan_of(row, ""), engine);
}

/// Sequences that the stated batch size of all ranks and workers of a pool lets run at once.
std::optional<double> ServingTable::places(std::size_t row, const std::string& pool, double workers) const {
  if (!states(row, (pool + "batch_size").c_str())) return std::nullopt;
  const double ranks = static_cast<double>(whole(row, (pool + "attention_dp").c_str()));
  return table_.positive(row, table_.column(pool + "batch_size")) * ranks * workers;
}

std::string_view ServingTable::rule_of(std::size_t row, const std::string& precision) {
  const ReplicaLoad load = load_of(row);
  const bool pools = separate_pools(row);
  const std::string pool = pools ? "decode_" : "";
  const auto workers = static_cast<double>(pools ? whole(row, "decode_workers") : 1);
  ServedRow out;
  out.concurrency = load.concurrency;
  out.output_tokens = load.output_tokens;
  out.places = places(row, pool, workers);
  out.ttft = measured(row, "ttft_ms");
  out.tpot = measured(row, "tpot_ms");
  const ParallelPlan plan = plan_of(row, pool);
  const ServedDeployment& deployment = deployed(row, precision, plan);
  const StepModel& steps = *deployment.steps;
  out.fits = deployment.fits;
  out.speculates = speculates_unsaid(text(row, "engine"), version(row), text(row, "model"), precision,
                                     plan.tp / plan.attention_dp, plan.ep);
  const double context = load.prompt_tokens + load.output_tokens / 2;
  out.shortest_step = steps.shortest(Phase::decode, {load.concurrency / workers, 1, context});
  if (!pools) out.shortest_prompt = steps.shortest(Phase::prefill, {1, load.prompt_tokens, 0});
  return broken_rule(out);
}

/// Moving the cache of one prompt between the pools, one lane for each device of the smaller worker.
Seconds ServingTable::transfer(std::size_t row, const ServedDeployment& deployed, double prompt,
                               const ParallelPlan& prefill, const ParallelPlan& decode) const {
  const System& system = catalog_.systems().find(text(row, "system"));
  const FabricPath path = path_of(system);
  const ElementSize element =
      cache_element(catalog_.formats().cache_format(deployed.engine.cache_on(system.chip)), kCacheRow);
  const ByteCount bytes = kv_bytes(deployed.model, element, static_cast<std::int64_t>(prompt), true);
  const auto lanes =
      static_cast<double>(std::min(prefill.devices_per_replica(), decode.devices_per_replica()));
  const std::int64_t devices = whole(row, "prefill_workers") * prefill.devices_per_replica() +
                               whole(row, "decode_workers") * decode.devices_per_replica();
  return transfer_law(path, devices > path.domain_ranks)(bytes.quantity() / lanes);
}

SteadyState ServingTable::run_pools(std::size_t row, const std::string& precision, const ReplicaLoad& load) {
  const ParallelPlan prefill_plan = plan_of(row, "prefill_"), decode_plan = plan_of(row, "decode_");
  const ServedDeployment& prefill = deployed(row, precision, prefill_plan);
  const ServedDeployment& decode = deployed(row, precision, decode_plan);
  const auto decode_workers = static_cast<double>(whole(row, "decode_workers"));
  const WorkerPools pools{prefill.steps.get(),
                          decode.steps.get(),
                          static_cast<double>(whole(row, "prefill_workers")),
                          decode_workers,
                          transfer(row, decode, load.prompt_tokens, prefill_plan, decode_plan),
                          places(row, "decode_", decode_workers).value_or(load.concurrency),
                          prompts_in_a_step(*prefill.steps, load.prompt_tokens)};
  return pooled_loop(pools, decode.engine, load);
}

SteadyState ServingTable::run(std::size_t row, const std::string& precision) {
  const ReplicaLoad load = load_of(row);
  if (separate_pools(row)) return run_pools(row, precision, load);
  const ServedDeployment& d = deployed(row, precision, plan_of(row, ""));
  return closed_loop(*d.steps, d.engine, load);
}

void ServingTable::predict(std::size_t row, std::vector<RowPrediction>& out) {
  RowPrediction base;
  base.row = row;
  base.system = text(row, "system");
  base.model = text(row, "model");
  base.engine = text(row, "engine");
  base.operation = separate_pools(row) ? "separate pools" : "one pool";
  base.reason = refusal(row);
  const std::string precision = text(row, "precision");
  const bool blank = precision.empty();
  base.state = !base.reason.empty() ? State::unsupported : blank ? State::undetermined : State::predicted;
  std::optional<SteadyState> answer, other;
  if (base.reason.empty()) {
    answer = run(row, blank ? "bf16" : precision);
    if (blank) other = run(row, "fp8");
    base.subject = separate_pools(row) ? ErrorRanges::pools_of(base.engine) : base.engine;
    base.spread = engine(base.engine).version_spread(version(row));
    base.basis = engine(base.engine).basis(catalog_.systems().find(base.system).chip);
    if (!blank) base.rule = rule_of(row, precision);
  }
  for (const char* metric : {"ttft_ms", "tpot_ms"}) {
    if (table_.blank(row, table_.column(metric))) continue;
    RowPrediction p = base;
    p.metric = metric;
    p.measured = table_.positive(row, table_.column(metric));
    if (answer) {
      p.predicted = value(*answer, p.metric);
      p.low = p.high = p.predicted;
      p.estimate = p.metric == "ttft_ms" ? Estimate::first_token : Estimate::token;
    }
    if (other) {
      p.reason = "no precision is stated: predicted as bf16 and as fp8";
      p.low = std::min(p.predicted, value(*other, p.metric));
      p.high = std::max(p.predicted, value(*other, p.metric));
    }
    out.push_back(std::move(p));
  }
}

}  // namespace roofplan::model
