#include "model/export/engine_launch.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

const char* cache_word(const LaunchSettings& s) {
  if (s.cache == "bf16" || s.cache == "fp16") return "auto";
  if (s.cache == "fp8") return "fp8";
  if (s.cache == "nvfp4") return "nvfp4";
  refuse_plan(s, fmt::format("it has no KV cache in {}", s.cache), "--set model.kv=bf16, fp8 or nvfp4");
}

void check(const LaunchSettings& s) {
  const ParallelPlan& plan = s.plan;
  if (plan.attention_dp > 1 && plan.attention_dp != plan.tp) {
    refuse_plan(s,
                fmt::format("its attention groups are single ranks, {} of them, the plan has {}", plan.tp,
                            plan.attention_dp),
                fmt::format("--set parallel.attention_dp=1 or parallel.attention_dp={}", plan.tp));
  }
  if (s.has_windows && !s.hybrid_cache) {
    refuse_plan(s, "its cache of windowed layers cannot be told to keep every token",
                "--set engine.hybrid_kv=true");
  }
}

/// What the command line has no flag for.
std::string config_text(const LaunchSettings& s) {
  std::string out = fmt::format("kv_cache_config:\n  dtype: {}\n", cache_word(s));
  if (s.plan.attention_dp > 1) out += "enable_attention_dp: true\n";
  if (s.draft_tokens > 0) {
    out += fmt::format("speculative_config:\n  decoding_type: MTP\n  num_nextn_predict_layers: {}\n",
                       s.draft_tokens);
  }
  return out;
}

}  // namespace

EngineLaunch trtllm_launch(const LaunchSettings& s) {
  check(s);
  EngineLaunch launch;
  launch.image = "nvcr.io/nvidia/tensorrt-llm/release";
  launch.sources = {"trtllm-serve", "trtllm-attention-dp"};
  launch.under_mpi = s.nodes_per_replica > 1;
  launch.command = {launch.under_mpi ? "trtllm-llmapi-launch trtllm-serve" : "trtllm-serve", model_word(s)};
  launch.flags = {"--host 0.0.0.0", fmt::format("--port \"${{PORT:-{}}}\"", kServingPort)};
  launch.flags.push_back(fmt::format("--tp_size {}", s.plan.tp));
  launch.flags.push_back(fmt::format("--pp_size {}", s.plan.pp));
  if (s.plan.cp > 1) launch.flags.push_back(fmt::format("--cp_size {}", s.plan.cp));
  if (s.has_experts) launch.flags.push_back(fmt::format("--ep_size {}", s.plan.ep));
  if (launch.under_mpi) launch.flags.push_back(fmt::format("--gpus_per_node {}", s.devices_per_node_used()));
  launch.flags.push_back(fmt::format("--max_seq_len {}", s.context));
  launch.flags.push_back(fmt::format("--max_batch_size {}", s.max_batch));
  launch.flags.push_back(fmt::format("--max_num_tokens {}", s.chunk_tokens));
  launch.flags.push_back("--enable_chunked_prefill");
  if (s.memory_fraction) {
    launch.flags.push_back(
        fmt::format("--kv_cache_free_gpu_memory_fraction {}", share_text(*s.memory_fraction)));
  }
  launch.flags.push_back("--extra_llm_api_options \"$config\"");
  launch.config = config_text(s);
  return launch;
}

}  // namespace roofplan::model
