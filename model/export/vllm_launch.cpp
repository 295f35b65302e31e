#include "model/export/engine_launch.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

void check(const LaunchSettings& s) {
  const ParallelPlan& plan = s.plan;
  if (plan.cp > 1) {
    refuse_plan(s, "its context parallelism reuses tensor-parallel ranks, the plan's has ranks of its own",
                "--set parallel.cp=1");
  }
  if (plan.ep > 1 && plan.ep != plan.tp) {
    refuse_plan(
        s, fmt::format("it spreads experts over all {} ranks or none, the plan over {}", plan.tp, plan.ep),
        fmt::format("--set parallel.ep=1 or parallel.ep={}", plan.tp));
  }
}

const char* cache_word(const LaunchSettings& s) {
  if (s.cache == "bf16" || s.cache == "fp16") return "auto";
  if (s.cache == "fp8") return "fp8";
  if (s.cache == "nvfp4") return "nvfp4";
  refuse_plan(s, fmt::format("it has no KV cache in {}", s.cache), "--set model.kv=bf16, fp8 or nvfp4");
}

/// Attention groups are data-parallel ranks, started on each node for the groups that it holds.
void add_groups(EngineLaunch& launch, const LaunchSettings& s) {
  const std::int64_t groups = s.plan.attention_dp;
  launch.flags.push_back(fmt::format("--data-parallel-size {}", groups));
  if (s.nodes_per_replica == 1) return;
  const std::int64_t used = s.devices_per_node_used();
  if (s.plan.pp > 1 || used % s.plan.attention_tp() != 0)
    refuse_plan(s, "an attention group would span nodes", "attention groups that fit a node, without stages");
  const std::int64_t local = used / s.plan.attention_tp();
  launch.flags.push_back(fmt::format("--data-parallel-size-local {}", local));
  launch.flags.push_back("--data-parallel-address \"$HEAD_ADDRESS\"");
  launch.flags.push_back("--data-parallel-rpc-port 13345");
  launch.worker_flags = {"--headless",
                         fmt::format("--data-parallel-start-rank \"$((NODE_RANK * {}))\"", local)};
}

void add_parallel(EngineLaunch& launch, const LaunchSettings& s) {
  const ParallelPlan& plan = s.plan;
  launch.flags.push_back(fmt::format("--tensor-parallel-size {}", plan.attention_tp()));
  launch.flags.push_back(fmt::format("--pipeline-parallel-size {}", plan.pp));
  if (plan.attention_dp > 1) {
    add_groups(launch, s);
  } else if (s.nodes_per_replica > 1) {
    launch.flags.push_back("--distributed-executor-backend mp");
    launch.flags.push_back(fmt::format("--nnodes {}", s.nodes_per_replica));
    launch.flags.push_back("--node-rank \"$NODE_RANK\"");
    launch.flags.push_back("--master-addr \"$HEAD_ADDRESS\"");
    launch.worker_flags = {"--headless"};
  }
  if (plan.ep > 1) launch.flags.push_back("--enable-expert-parallel");
}

}  // namespace

EngineLaunch vllm_launch(const LaunchSettings& s) {
  check(s);
  EngineLaunch launch;
  launch.image = "vllm/vllm-openai";
  launch.version_tag = "v";
  launch.sources = {"vllm-serve-parallel", "vllm-data-parallel", "vllm-cache-config"};
  launch.command = {"vllm serve", model_word(s)};
  launch.flags = {"--host 0.0.0.0", fmt::format("--port \"${{PORT:-{}}}\"", kServingPort)};
  add_parallel(launch, s);
  launch.flags.push_back(fmt::format("--max-model-len {}", s.context));
  launch.flags.push_back(fmt::format("--max-num-seqs {}", s.max_batch));
  launch.flags.push_back(fmt::format("--max-num-batched-tokens {}", s.chunk_tokens));
  launch.flags.push_back("--enable-chunked-prefill");
  if (s.memory_fraction)
    launch.flags.push_back(fmt::format("--gpu-memory-utilization {}", share_text(*s.memory_fraction)));
  launch.flags.push_back(fmt::format("--kv-cache-dtype {}", cache_word(s)));
  if (s.quantise_fp8) launch.flags.push_back("--quantization fp8");
  if (s.prefix_caching) launch.flags.push_back("--enable-prefix-caching");
  if (s.has_windows && !s.hybrid_cache) launch.flags.push_back("--disable-hybrid-kv-cache-manager");
  if (s.draft_tokens > 0) {
    launch.flags.push_back(fmt::format(
        "--speculative-config '{{\"method\": \"mtp\", \"num_speculative_tokens\": {}}}'", s.draft_tokens));
  }
  return launch;
}

}  // namespace roofplan::model
