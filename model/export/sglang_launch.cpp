#include "model/export/engine_launch.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

const char* cache_word(const LaunchSettings& s) {
  if (s.cache == "bf16") return "bfloat16";
  if (s.cache == "fp16") return "auto";
  if (s.cache == "fp8") return "fp8_e4m3";
  if (s.cache == "mxfp4") return "fp4_e2m1";
  refuse_plan(s, fmt::format("it has no KV cache in {}", s.cache), "--set model.kv=bf16, fp8 or mxfp4");
}

void add_parallel(EngineLaunch& launch, const LaunchSettings& s) {
  const ParallelPlan& plan = s.plan;
  if (plan.cp > 1)
    refuse_plan(s, "its flags have no context parallelism with ranks of its own", "--set parallel.cp=1");
  launch.flags.push_back(fmt::format("--tp-size {}", plan.tp));
  launch.flags.push_back(fmt::format("--pp-size {}", plan.pp));
  if (s.has_experts) launch.flags.push_back(fmt::format("--ep-size {}", plan.ep));
  if (plan.attention_dp > 1) {
    launch.flags.push_back(fmt::format("--dp-size {}", plan.attention_dp));
    launch.flags.push_back("--enable-dp-attention");
  }
  if (s.nodes_per_replica == 1) return;
  launch.flags.push_back(fmt::format("--nnodes {}", s.nodes_per_replica));
  launch.flags.push_back("--node-rank \"$NODE_RANK\"");
  launch.flags.push_back("--dist-init-addr \"$HEAD_ADDRESS:20000\"");
}

}  // namespace

EngineLaunch sglang_launch(const LaunchSettings& s) {
  EngineLaunch launch;
  launch.image = "lmsysorg/sglang";
  launch.version_tag = "v";
  launch.sources = {"sglang-server-arguments"};
  launch.command = {"python3 -m sglang.launch_server --model-path", model_word(s)};
  launch.flags = {"--host 0.0.0.0", fmt::format("--port \"${{PORT:-{}}}\"", kServingPort)};
  add_parallel(launch, s);
  // With attention groups SGLang divides both limits among them.
  const std::int64_t groups = s.plan.attention_dp;
  launch.flags.push_back(fmt::format("--context-length {}", s.context));
  launch.flags.push_back(fmt::format("--max-running-requests {}", s.max_batch * groups));
  launch.flags.push_back(fmt::format("--chunked-prefill-size {}", s.chunk_tokens * groups));
  if (s.memory_fraction)
    launch.flags.push_back(fmt::format("--mem-fraction-static {}", share_text(*s.memory_fraction)));
  launch.flags.push_back(fmt::format("--kv-cache-dtype {}", cache_word(s)));
  if (s.quantise_fp8) launch.flags.push_back("--quantization fp8");
  if (s.has_windows && !s.hybrid_cache) launch.flags.push_back("--disable-hybrid-swa-memory");
  if (s.draft_tokens > 0) {
    launch.flags.push_back("--speculative-algorithm NEXTN");
    launch.flags.push_back(fmt::format("--speculative-num-steps {}", s.draft_tokens));
    launch.flags.push_back("--speculative-eagle-topk 1");
    launch.flags.push_back(fmt::format("--speculative-num-draft-tokens {}", s.draft_tokens + 1));
  }
  return launch;
}

}  // namespace roofplan::model
