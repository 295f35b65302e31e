#include "model/sizing/fit_question.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

bool is_default(const Load& load) {
  const Load usual;
  return load.prompt_tokens == usual.prompt_tokens && load.output_tokens == usual.output_tokens &&
         load.depth_tokens == usual.depth_tokens;
}

}  // namespace

std::int64_t sequence_tokens(const Load& load) {
  return std::max(checked_add(load.prompt_tokens, load.output_tokens), load.depth_tokens);
}

FitQuestion::FitQuestion(const Scenario& scenario, const Catalog& catalog, const Architecture& model,
                         const System& system)
    : engine_(catalog.engines().find(scenario.engine.ref, scenario.engine.version.value_or(""))),
      fallback_(catalog.engines().find("llama.cpp")) {
  catalog.engines().check_runs(engine_, system);
  request_.model = &model;
  request_.system = &system;
  request_.engine = &engine_;
  if (engine_.id != fallback_.id) request_.fallback_engine = &fallback_;
  request_.formats = &catalog.formats();
  request_.weights = engine_.memory.gguf ? in_gguf(catalog.formats(), model, scenario.model.weights)
                                         : scenario.model.weights;
  if (request_.weights != scenario.model.weights) request_.weights_asked = scenario.model.weights;
  request_.cache = scenario.model.kv;
  request_.count = scenario.system.count;
  request_.gpus = scenario.system.gpus;
  request_.context = sequence_tokens(scenario.load);
  request_.context_by_default = is_default(scenario.load);
  request_.concurrency = scenario.load.open_requests();
  const ParallelSettings& parallel = scenario.parallel;
  request_.parallel = {parallel.tp, parallel.pp, parallel.ep,
                       parallel.dp, parallel.cp, parallel.attention_dp};
  request_.hybrid_cache = scenario.engine.hybrid_kv;
  request_.memory_fraction = scenario.engine.memory_fraction;
  request_.max_batch = scenario.engine.max_batch;
  request_.chunk_tokens = scenario.engine.chunk_tokens;
  request_.with_mtp = scenario.engine.spec_decode.draft_tokens > 0;
}

}  // namespace roofplan::model
