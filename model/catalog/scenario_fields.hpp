#pragma once

#include "model/catalog/scenario.hpp"

#include <limits>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// What a field may hold, beyond its type.
struct FieldSpec {
  std::string_view help;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::string_view unit = {};           ///< of a bare number
  std::vector<std::string> words = {};  ///< allowed words, first is the default
  bool lower_case = false;              ///< a name that is kept in small letters
};

namespace range {
inline constexpr double kMany = 1e15;
inline FieldSpec positive(std::string_view help, double low = 1) {
  return {help, low, kMany};
}
/// Degrees whose product stays a 64-bit integer.
inline FieldSpec degree(std::string_view help, double most = 1e4) {
  return {help, 1, most};
}
inline FieldSpec not_negative(std::string_view help) {
  return {help, 0, kMany};
}
inline FieldSpec share(std::string_view help) {
  return {help, 0, 1};
}
inline FieldSpec quantity(std::string_view help, std::string_view unit) {
  return {help, 0, 1e18, unit};
}
/// Id of a number format, in small letters whatever was written: FP8 is fp8.
inline FieldSpec format(std::string_view help) {
  FieldSpec spec{help};
  spec.lower_case = true;
  return spec;
}
/// Tokens and requests: far above anything served, and low enough that sums of them stay exact.
inline FieldSpec load(std::string_view help, double low = 1) {
  return {help, low, 1e9};
}
inline FieldSpec words(std::string_view help, std::vector<std::string> allowed) {
  FieldSpec spec{help};
  spec.words = std::move(allowed);
  return spec;
}
}  // namespace range

// One description of every section, walked by whatever reads, writes or documents scenarios. A visitor has
//   field(key, member, spec)   a value        degree(key, member, spec)  a whole number, or "auto"
//   section(key, member, help) an object      list(key, member, help)    a list of objects

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, ParallelSettings>
void describe(V& v, S& s) {
  v.degree("tp", s.tp, range::degree("tensor parallelism"));
  v.degree("pp", s.pp, range::degree("pipeline parallelism"));
  v.degree("ep", s.ep, range::degree("expert parallelism"));
  v.degree("dp", s.dp, range::degree("data parallelism: replicas", 1e6));
  v.field("cp", s.cp, range::degree("context parallelism"));
  v.field("attention_dp", s.attention_dp, range::degree("data parallelism of the attention part"));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, ModelChoice>
void describe(V& v, S& s) {
  v.field("ref", s.ref, FieldSpec{"catalogue id, Hugging Face name, path, or a size such as dense:70B"});
  v.field("weights", s.weights, range::format("number format of the weights"));
  v.field("kv", s.kv, range::format("number format of the KV cache"));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, SystemChoice>
void describe(V& v, S& s) {
  v.field("ref", s.ref, FieldSpec{"catalogue id of the system, or this"});
  v.field("count", s.count, range::positive("boxes, nodes or racks"));
  v.field("gpus", s.gpus, range::positive("accelerators used or asked for"));
  v.field("power_cap", s.power_cap,
          FieldSpec{"power limit of each accelerator, as a share of its board power", 0.33, 1});
  v.field("link_state", s.link_state,
          range::words("state of the scale-out link", {"nominal", "measured", "half", "tcp", "fault"}));
  v.field("os", s.os, range::words("what runs beside the engine", {"headless", "desktop"}));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, WorkerPool>
void describe(V& v, S& s) {
  v.field("workers", s.workers, range::positive("workers of this pool"));
  v.section("parallel", s.parallel, "how one worker is split");
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, Disaggregation>
void describe(V& v, S& s) {
  v.section("prefill", s.prefill, "workers that read prompts");
  v.section("decode", s.decode, "workers that write tokens");
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, SpeculativeDecoding>
void describe(V& v, S& s) {
  v.field("acceptance", s.acceptance, range::share("probability that a drafted token is accepted"));
  v.field("draft_tokens", s.draft_tokens, FieldSpec{"tokens drafted a step", 0, 1000});
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, EngineChoice>
void describe(V& v, S& s) {
  v.field("ref", s.ref, FieldSpec{"ideal, llama.cpp, vllm, sglang or trtllm"});
  v.field("version", s.version, FieldSpec{"version of the engine"});
  v.field("memory_fraction", s.memory_fraction,
          FieldSpec{"share of visible memory that the engine takes", 0.01, 1});
  v.field("max_batch", s.max_batch, range::positive("sequences in one step at most"));
  v.field("chunk_tokens", s.chunk_tokens, range::positive("tokens of one prefill chunk"));
  v.field("hybrid_kv", s.hybrid_kv, FieldSpec{"windowed layers keep their window only"});
  v.section("spec_decode", s.spec_decode, "speculative decoding");
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, Load>
void describe(V& v, S& s) {
  v.field("users", s.users, range::load("people"));
  v.field("active_share", s.active_share, FieldSpec{"share of users with an open request", 1e-6, 1});
  v.field("concurrency", s.concurrency, range::load("requests open at once"));
  v.field("rps", s.rps, FieldSpec{"requests per second", 1e-9, 1e9});
  v.field("prompt_tokens", s.prompt_tokens, range::load("tokens of a prompt"));
  v.field("output_tokens", s.output_tokens, range::load("tokens of an answer"));
  v.field("depth_tokens", s.depth_tokens, range::load("tokens in the cache; 0: prompt + output / 2", 0));
  v.field("prefix_hit", s.prefix_hit, range::share("share of the prompt found in the prefix cache"));
  v.field("growth_per_month", s.growth_per_month, FieldSpec{"growth of the load a month", -1, 100});
  v.field("routing", s.routing,
          range::words("what the tokens are: experts are shared by text, not by random tokens",
                       {"text", "random"}));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, Targets>
void describe(V& v, S& s) {
  v.field("min_tok_s_per_user", s.min_tok_s_per_user,
          range::quantity("tokens per second and user at least", "tok/s"));
  v.field("max_ttft_s", s.max_ttft, range::quantity("time to first token at most", "s"));
  v.field("statistic", s.statistic, range::words("what the targets hold for", {"mean", "p50", "p90", "p95", "p99"}));
  v.field("availability", s.availability, range::share("share of time in service"));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, Limits>
void describe(V& v, S& s) {
  v.field("power_w", s.power, range::quantity("design power at most", "W"));
  v.field("racks", s.racks, range::positive("racks at most"));
  v.field("floor_m2", s.floor_m2, FieldSpec{"floor of the racks with their aisles at most, in m2", 0.1, 1e9});
  v.field("budget", s.budget, range::not_negative("total cost at most, in money.currency"));
  v.field("systems", s.systems, FieldSpec{"systems allowed; empty: all"});
  v.field("formats", s.formats, FieldSpec{"weight formats allowed; empty: all"});
  v.field("data_stays", s.data_stays, FieldSpec{"data may not leave: no cloud"});
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, SiteSettings>
void describe(V& v, S& s) {
  v.field("pue", s.pue, FieldSpec{"power usage effectiveness", 1, 10});
  v.field("rack_power_w", s.rack_power, range::quantity("power limit of a rack", "W"));
  v.field("circuit", s.circuit, FieldSpec{"id of a circuit"});
  v.field("country", s.country, FieldSpec{"two-letter code"});
  v.field("rack_area_m2", s.rack_area_m2,
          FieldSpec{"floor of one rack with its share of the aisles, in m2", 0.1, 1000});
  v.field(
      "failure_rates", s.failure_rates,
      range::words("how often accelerators fail", {"typical", "optimistic", "pessimistic", "early-life"}));
  v.field("repair_s", s.repair, range::quantity("mean time until a failed unit works again", "s"));
  v.field("coolant_supply_c", s.coolant_supply_c,
          FieldSpec{"coolant supply temperature in degrees Celsius", 2, 54});
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, MoneySettings>
void describe(V& v, S& s) {
  v.field("years", s.years, FieldSpec{"years planned", 0.1, 30});
  v.field("currency", s.currency, FieldSpec{"three-letter code"});
  v.field("discount", s.discount, FieldSpec{"discount rate a year", 0, 1});
  v.field("tariff", s.tariff, FieldSpec{"id of an electricity tariff"});
  v.field("prices", s.prices, FieldSpec{"file with quotations"});
  v.field("cloud", s.cloud, FieldSpec{"id of a cloud offer"});
  v.field("host_price", s.host_price, range::not_negative("price of a computer for cards, in the currency"));
  v.field("cards_per_host", s.cards_per_host, FieldSpec{"cards in one such computer", 1, 64});
  v.field("installation", s.installation, range::not_negative("racks and installation, in the currency"));
  v.field("room_per_year", s.room_per_year, range::not_negative("space a year, in the currency"));
  v.field("people_per_year", s.people_per_year, range::not_negative("staff a year, in the currency"));
  v.field("support_share", s.support_share, range::share("support a year, as a share of the capital"));
  v.field("resale_share", s.resale_share,
          range::share("share of the capital that a sale at the end returns"));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, TrainSettings>
void describe(V& v, S& s) {
  v.field("method", s.method, range::words("kind of training", {"pretrain", "full", "lora", "qlora"}));
  v.field("tokens", s.tokens, range::not_negative("tokens to train on"));
  v.field("seq", s.seq, range::positive("tokens of a sequence"));
  v.field("global_batch", s.global_batch, range::not_negative("sequences of a step"));
  v.field("micro_batch", s.micro_batch, range::positive("sequences of a micro-batch"));
  v.field("recompute", s.recompute, range::words("activation recomputation", {"none", "selective", "full"}));
  v.field("zero", s.zero, FieldSpec{"ZeRO stage", 0, 3});
  v.field("precision", s.precision, range::format("number format of the arithmetic"));
  v.field("dataset_bytes", s.dataset, range::quantity("size of the data set", "B"));
  v.field("storage_read_bytes_s", s.storage_read, range::quantity("read rate of the storage", "B/s"));
  v.field("storage_write_bytes_s", s.storage_write, range::quantity("write rate of the storage", "B/s"));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, LengthSettings>
void describe(V& v, S& s) {
  v.field("kind", s.kind, range::words("distribution of lengths", {"fixed", "lognormal", "empirical"}));
  v.field("cv", s.cv, FieldSpec{"coefficient of variation", 0, 100});
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, ArrivalSettings>
void describe(V& v, S& s) {
  v.field("kind", s.kind,
          range::words("arrival process", {"closed", "poisson", "gamma", "diurnal", "trace"}));
  v.field("rps", s.rps, FieldSpec{"requests per second", 0, 1e9});
  v.field("cv", s.cv, FieldSpec{"coefficient of variation of gaps", 0, 100});
  v.field("file", s.file, FieldSpec{"trace file"});
  v.field("requests", s.requests, range::positive("requests simulated"));
  v.section("lengths", s.lengths, "prompt and answer lengths");
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, CheckpointSettings>
void describe(V& v, S& s) {
  v.field("mode", s.mode, range::words("kind of checkpoint", {"sync", "async", "two-level"}));
  v.field("interval_s", s.interval, range::quantity("time between checkpoints", "s"));
  v.field("write_s", s.write, range::quantity("time to write one", "s"));
  v.field("restore_s", s.restore, range::quantity("time to restore one", "s"));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, FleetJob>
void describe(V& v, S& s) {
  v.field("name", s.name, FieldSpec{"name of the job"});
  v.field("gpus", s.gpus, range::not_negative("accelerators of the job"));
  v.field("priority", s.priority, FieldSpec{"higher goes first", -1000, 1000});
  v.field("isolated", s.isolated, FieldSpec{"keeps its own nodes"});
  v.field("step_s", s.step, range::quantity("time of one step", "s"));
  v.section("checkpoint", s.checkpoint, "checkpoints of the job");
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, RepairSettings>
void describe(V& v, S& s) {
  v.field("crews", s.crews, range::positive("repairs at once"));
  v.field("mean_s", s.mean, range::quantity("mean time to repair", "s"));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, FleetSettings>
void describe(V& v, S& s) {
  v.field("gpus", s.gpus, range::not_negative("accelerators of the fleet"));
  v.field("duration_s", s.duration, range::quantity("time simulated", "s"));
  v.field("rates", s.rates, FieldSpec{"id of a set of failure rates"});
  v.field("spare_nodes", s.spare_nodes, range::not_negative("nodes kept ready"));
  v.section("repair", s.repair, "how broken nodes come back");
  v.field("detect_s", s.detect, range::quantity("time until a failure is noticed", "s"));
  v.field("restart_s", s.restart, range::quantity("time to start a job again", "s"));
  v.list("jobs", s.jobs, "what runs on the fleet");
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, DeadlineSettings>
void describe(V& v, S& s) {
  v.field("every_s", s.every, range::quantity("time between deadlines", "s"));
  v.field("factor", s.factor, FieldSpec{"load before a deadline against the usual", 0, 1000});
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, DeskSettings>
void describe(V& v, S& s) {
  v.field("boxes", s.boxes, range::positive("boxes shared"));
  v.field("policy", s.policy,
          range::words("who goes next", {"fifo", "fair", "slices", "reserve", "separate", "linked"}));
  v.field("people", s.people, range::positive("people who share"));
  v.field("sessions_per_day", s.sessions_per_day,
          range::not_negative("interactive sessions a person and day"));
  v.field("session_s", s.session, range::quantity("length of a session", "s"));
  v.field("jobs_per_week", s.jobs_per_week, range::not_negative("batch jobs a person and week"));
  v.field("job_s", s.job, range::quantity("length of a job", "s"));
  v.section("deadline", s.deadline, "the rush before deadlines");
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, SimSettings>
void describe(V& v, S& s) {
  v.field("seed", s.seed, range::not_negative("seed of the random streams"));
  v.field("replicas", s.replicas, range::positive("independent runs"));
  v.field("warmup_s", s.warmup, range::quantity("time left out at the start", "s"));
  v.field("step_law", s.step_law,
          range::words("how long a step takes", {"model", "constant", "exponential"}));
  v.field("step_s", s.step, range::quantity("time of a step for the laws that need one", "s"));
}

template <class V, class S>
requires std::same_as<std::remove_const_t<S>, Scenario>
void describe(V& v, S& s) {
  v.field("name", s.name, FieldSpec{"name of the scenario"});
  v.section("model", s.model, "which model, in which formats");
  v.section("system", s.system, "which machines");
  v.section("parallel", s.parallel, "how the model is split");
  v.section("disagg", s.disagg, "separate pools for prefill and decode; absent: one pool");
  v.section("engine", s.engine, "the serving engine");
  v.section("load", s.load, "what is asked of it");
  v.section("targets", s.targets, "what it must reach");
  v.section("limits", s.limits, "what it must not exceed");
  v.section("site", s.site, "where it stands");
  v.section("money", s.money, "what it costs");
  v.section("train", s.train, "a training run");
  v.section("arrivals", s.arrivals, "how requests arrive");
  v.section("fleet", s.fleet, "a fleet with failures");
  v.section("desk", s.desk, "people who share boxes");
  v.section("sim", s.sim, "how to simulate");
}

}  // namespace roofplan::model
