#include "model/export/engine_launch.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

const char* cache_word(const LaunchSettings& s) {
  for (const char* format : {"bf16", "q8_0", "q4_0", "q4_1", "iq4_nl", "q5_0", "q5_1"}) {
    if (s.cache == format) return format;
  }
  if (s.cache == "fp16") return "f16";
  if (s.cache == "fp32") return "f32";
  refuse_plan(s, fmt::format("it has no KV cache in {}", s.cache), "--set model.kv=fp16, q8_0 or q4_0");
}

void check(const LaunchSettings& s) {
  const ParallelPlan& plan = s.plan;
  if (plan.tp > 1 || plan.cp > 1 || plan.ep > 1 || plan.attention_dp > 1) {
    refuse_plan(s, "it splits a model by layers, so pp alone counts its devices",
                "--set parallel.tp=1 parallel.ep=1 parallel.cp=1");
  }
  if (s.draft_tokens > 0)
    refuse_plan(s, "it drafts with a second model, which a scenario does not name",
                "--set engine.spec_decode.draft_tokens=0");
}

}  // namespace

EngineLaunch llama_cpp_launch(const LaunchSettings& s) {
  check(s);
  EngineLaunch launch;
  launch.image = "ghcr.io/ggml-org/llama.cpp";
  launch.sources = {"llama-server-readme"};
  launch.command = {"llama-server --model", model_word(s)};
  launch.flags = {"--host 0.0.0.0", fmt::format("--port \"${{PORT:-{}}}\"", kServingPort)};
  launch.flags.push_back("--n-gpu-layers all");
  launch.flags.push_back(s.plan.pp > 1 ? "--split-mode layer" : "--split-mode none");
  if (s.nodes_per_replica > 1) {
    launch.flags.push_back("--rpc \"$RPC_SERVERS\"");
    launch.worker_command = fmt::format("rpc-server --host 0.0.0.0 --port {}", kRpcPort);
  }
  // The context is shared out among the slots.
  launch.flags.push_back(fmt::format("--ctx-size {}", s.context * s.max_batch));
  launch.flags.push_back(fmt::format("--parallel {}", s.max_batch));
  launch.flags.push_back("--no-kv-unified");
  launch.flags.push_back(fmt::format("--batch-size {0} --ubatch-size {0}", s.chunk_tokens));
  launch.flags.push_back(fmt::format("--cache-type-k {0} --cache-type-v {0}", cache_word(s)));
  launch.flags.push_back("--flash-attn on");
  launch.flags.push_back("--fit off");
  if (s.has_windows && !s.hybrid_cache) launch.flags.push_back("--swa-full");
  return launch;
}

}  // namespace roofplan::model
