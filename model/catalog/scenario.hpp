#pragma once

#include "model/units/byte_count.hpp"
#include "model/units/error.hpp"
#include "model/units/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// Degrees of parallelism; nothing means "auto": the planner chooses.
struct ParallelSettings {
  std::optional<std::int64_t> tp, pp, ep, dp;
  std::int64_t cp = 1;
  std::int64_t attention_dp = 1;
  bool operator==(const ParallelSettings&) const = default;
};

struct ModelChoice {
  std::string ref;                 ///< catalogue id, Hugging Face name, path, or dense:70B
  std::string weights = "native";  ///< number format of the weights
  std::string kv = "bf16";         ///< number format of the KV cache
  bool operator==(const ModelChoice&) const = default;
};

struct SystemChoice {
  std::string ref;
  std::int64_t count = 1;            ///< boxes, nodes or racks
  std::optional<std::int64_t> gpus;  ///< accelerators used or asked for
  std::optional<double> power_cap;   ///< limit on each accelerator, as a share of its TDP
  std::string link_state = "nominal";
  std::string os = "headless";
  bool operator==(const SystemChoice&) const = default;
};

struct WorkerPool {
  std::int64_t workers = 1;
  ParallelSettings parallel;
  bool operator==(const WorkerPool&) const = default;
};

/// Separate pools for prefill and decode.
struct Disaggregation {
  WorkerPool prefill, decode;
  bool operator==(const Disaggregation&) const = default;
};

struct SpeculativeDecoding {
  double acceptance = 0;  ///< probability that a drafted token is accepted, 0..1
  std::int64_t draft_tokens = 0;
  bool operator==(const SpeculativeDecoding&) const = default;
};

struct EngineChoice {
  std::string ref = "vllm";
  std::optional<std::string> version;
  std::optional<double> memory_fraction;  ///< of visible memory that the engine may take
  std::optional<std::int64_t> max_batch;
  std::optional<std::int64_t> chunk_tokens;  ///< of chunked prefill
  bool hybrid_kv = true;                     ///< windowed layers keep their window only
  SpeculativeDecoding spec_decode;
  bool operator==(const EngineChoice&) const = default;
};

struct Load {
  std::optional<std::int64_t> users;
  double active_share = 1.0;  ///< share of users with an open request
  std::optional<std::int64_t> concurrency;
  std::optional<PerSecond> rps;
  std::int64_t prompt_tokens = 1024;
  std::int64_t output_tokens = 256;
  std::int64_t depth_tokens = 0;  ///< tokens already in the cache; 0: prompt + output / 2 is meant
  double prefix_hit = 0.0;        ///< share of prompt tokens found in the prefix cache
  double growth_per_month = 0.0;
  std::string routing = "text";  ///< what the tokens are, which decides how many experts a batch touches
  bool operator==(const Load&) const = default;

  /// Requests open at once: concurrency, else users x active_share rounded up, else 1. A rate (rps) needs
  /// the speed model to become a concurrency and is not used here.
  std::int64_t open_requests() const;
  /// Whether a rate is planned for, not a number of open requests.
  bool by_rate() const { return rps && !concurrency; }
  /// So many times as much asked: the rate, else the open requests, at least one.
  Load times(double factor) const;
};

struct Targets {
  std::optional<TokensPerSecond> min_tok_s_per_user;
  std::optional<Seconds> max_ttft;
  std::string statistic = "mean";
  std::optional<double> availability;
  bool operator==(const Targets&) const = default;
};

struct Limits {
  std::optional<Watts> power;  ///< held against the design power
  std::optional<std::int64_t> racks;
  std::optional<double> floor_m2;  ///< of the racks, aisles included
  std::optional<double> budget;    ///< in money.currency
  std::vector<std::string> systems;
  std::vector<std::string> formats;
  bool data_stays = false;
  bool operator==(const Limits&) const = default;
};

struct SiteSettings {
  std::optional<double> pue;
  std::optional<Watts> rack_power;
  std::optional<std::string> circuit;
  std::string country = "KR";
  std::optional<double> rack_area_m2;     ///< of one rack with its share of the aisles
  std::string failure_rates = "typical";  ///< preset of data/reliability.json
  std::optional<Seconds> repair;          ///< mean time until a failed unit works again
  double coolant_supply_c = 25;
  bool operator==(const SiteSettings&) const = default;
};

struct MoneySettings {
  double years = 4;
  std::string currency = "USD";
  double discount = 0.08;  ///< a year
  std::optional<std::string> tariff, prices, cloud;
  std::optional<double> host_price;  ///< of a computer that holds cards, in `currency`
  std::int64_t cards_per_host = 4;
  std::optional<double> installation;  ///< racks and installation, once
  std::optional<double> room_per_year, people_per_year;
  std::optional<double> support_share;  ///< of the capital a year; nothing: kSupportShare
  double resale_share = 0;              ///< of the capital, at the end
  bool operator==(const MoneySettings&) const = default;
};

struct TrainSettings {
  std::string method = "pretrain";
  std::int64_t tokens = 0;
  std::int64_t seq = 4096;
  std::int64_t global_batch = 0;  ///< sequences
  std::int64_t micro_batch = 1;
  std::string recompute = "none";
  std::int64_t zero = 1;
  std::string precision = "bf16";
  Bytes dataset;
  std::optional<BytesPerSecond> storage_read, storage_write;
  bool operator==(const TrainSettings&) const = default;
};

struct LengthSettings {
  std::string kind = "fixed";
  double cv = 0;
  bool operator==(const LengthSettings&) const = default;
};

struct ArrivalSettings {
  std::string kind = "closed";
  PerSecond rps;
  double cv = 1;
  std::optional<std::string> file;
  std::int64_t requests = 1000;
  LengthSettings lengths;
  bool operator==(const ArrivalSettings&) const = default;
};

struct CheckpointSettings {
  std::string mode = "sync";
  std::optional<Seconds> interval, write, restore;
  bool operator==(const CheckpointSettings&) const = default;
};

struct FleetJob {
  std::string name;
  std::int64_t gpus = 0;
  std::int64_t priority = 0;
  bool isolated = true;
  std::optional<Seconds> step;
  CheckpointSettings checkpoint;
  bool operator==(const FleetJob&) const = default;
};

struct RepairSettings {
  std::int64_t crews = 1;
  Seconds mean;
  bool operator==(const RepairSettings&) const = default;
};

struct FleetSettings {
  std::int64_t gpus = 0;
  Seconds duration;
  std::string rates = "typical";
  std::int64_t spare_nodes = 0;
  RepairSettings repair;
  Seconds detect, restart;
  std::vector<FleetJob> jobs;
  bool operator==(const FleetSettings&) const = default;
};

struct DeadlineSettings {
  Seconds every;
  double factor = 1;
  bool operator==(const DeadlineSettings&) const = default;
};

struct DeskSettings {
  std::int64_t boxes = 1;
  std::string policy = "fifo";
  std::int64_t people = 8;
  double sessions_per_day = 0;
  Seconds session;
  double jobs_per_week = 0;
  Seconds job;
  DeadlineSettings deadline;
  bool operator==(const DeskSettings&) const = default;
};

struct SimSettings {
  std::int64_t seed = 1;
  std::int64_t replicas = 1;
  Seconds warmup;
  std::string step_law = "model";
  std::optional<Seconds> step;
  bool operator==(const SimSettings&) const = default;
};

/// What is asked: one value for CLI, GUI, sweeps and simulators. JSON keys, units, defaults and allowed
/// words are those of data/schema/scenario.json (schema roofplan.scenario, version 1).
struct Scenario {
  std::string name;
  ModelChoice model;
  SystemChoice system;
  ParallelSettings parallel;
  std::optional<Disaggregation> disagg;
  EngineChoice engine;
  Load load;
  Targets targets;
  Limits limits;
  SiteSettings site;
  MoneySettings money;
  std::optional<TrainSettings> train;
  std::optional<ArrivalSettings> arrivals;
  std::optional<FleetSettings> fleet;
  std::optional<DeskSettings> desk;
  std::optional<SimSettings> sim;
  bool operator==(const Scenario&) const = default;
};

/// Reads a scenario from JSON text. Throws InputError (content) at the first fault.
Scenario parse_scenario(std::string_view text, const std::string& file);
/// Reads a scenario file; throws InputError (missing or content).
Scenario load_scenario(const std::string& path);
/// All faults of a scenario text, in order; empty when it is good.
std::vector<InputError> scenario_problems(std::string_view text, const std::string& file);

/// The scenario as JSON text that parse_scenario reads back to an equal value. Sections and keys that hold
/// their defaults are left out, except the schema, name, model and system; `complete` writes them all.
std::string scenario_json(const Scenario& scenario, bool complete = false);

/// Sets one field by its path with dots ("system.count", "fleet.jobs.0.gpus") to a value as text: a JSON
/// value, or a bare word or quantity ("40 kW"). Throws InputError (usage) naming the path.
void set_field(Scenario& scenario, std::string_view path, std::string_view value);

/// The JSON Schema of scenario files, as committed in data/schema/scenario.json.
std::string scenario_schema();

/// Names and texts of the sample scenarios (data/samples).
std::vector<std::string> sample_names();
/// Throws InputError (usage) with the nearest name.
std::string sample_scenario(std::string_view name);

}  // namespace roofplan::model
