#include "model/export/training_script.hpp"

#include "model/export/launch_settings.hpp"
#include "model/export/quoting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace roofplan::model {
namespace {

[[noreturn]] void refuse(std::string what, std::string expected) {
  throw InputError(InputError::Kind::usage, std::move(what), std::move(expected));
}

std::int64_t degree(const std::optional<std::int64_t>& asked, const char* name) {
  if (asked) return *asked;
  refuse(fmt::format("the scenario leaves parallel.{} to the planner, and a job file states it", name),
         fmt::format("--set parallel.{}=N", name));
}

bool plain_attention(const LayerGroup& group) {
  if (!group.attention || group.recurrent || group.attention->window) return false;
  const Attention& a = *group.attention;
  return a.kind == Attention::Kind::gqa || (a.kind == Attention::Kind::mla && a.index_heads == 0);
}

/// Refuses layers that no flags state: they share one attention, and dense ones come before routed ones.
void check_layers(const Architecture& model) {
  bool routed = false;
  for (const LayerGroup& group : model.groups) {
    const bool one_part = group.dense.has_value() != group.moe.has_value();
    if (!plain_attention(group) || !one_part)
      refuse(fmt::format("{} has layers of {}, which no flags of pretrain_gpt.py state here", model.id,
                         group.name),
             "a model with grouped-query or latent attention and dense or routed feed-forward layers");
    if (group.attention != model.groups.front().attention || (routed && group.dense))
      refuse(fmt::format("{} mixes {} kinds of layers", model.id, model.groups.size()),
             "a model whose layers share one attention, dense ones before routed ones");
    routed = routed || group.moe;
  }
}

void check_batch(const TrainingSettings& s) {
  if (s.train.tokens < s.train.seq || s.train.global_batch < 1)
    refuse("the run has no tokens or no batch", "train.tokens and train.global_batch");
  const std::int64_t at_once = s.train.micro_batch * s.dp;
  if (s.train.global_batch % at_once != 0)
    refuse(fmt::format("a batch of {} sequences does not divide into {} replicas with micro-batches of {}",
                       s.train.global_batch, s.dp, s.train.micro_batch),
           fmt::format("a multiple of {}", at_once));
}

std::string recompute_flags(const std::string& mode) {
  if (mode == "selective") return "--recompute-granularity selective";
  if (mode == "full")
    return "--recompute-granularity full --recompute-method uniform --recompute-num-layers 1";
  return {};
}

std::string attention_flags(const Attention& a) {
  if (a.kind == Attention::Kind::mla) {
    const std::string rank = a.q_lora_rank > 0 ? fmt::format("--q-lora-rank {} ", a.q_lora_rank) : "";
    return fmt::format(
        "--multi-latent-attention {}--kv-lora-rank {} --qk-head-dim {} --qk-pos-emb-head-dim {} "
        "--v-head-dim {} --qk-layernorm",
        rank, a.kv_lora_rank, a.nope_dim, a.rope_dim, a.v_head_dim);
  }
  std::string out = fmt::format("--kv-channels {}", a.head_dim);
  if (a.kv_heads != a.heads) out += fmt::format(" --group-query-attention --num-query-groups {}", a.kv_heads);
  if (a.qk_norm == Attention::QkNorm::per_head) out += " --qk-layernorm";
  if (a.qkv_bias) out += " --add-qkv-bias";
  return out;
}

/// Experts, and which layers have them.
std::vector<std::string> expert_flags(const Architecture& model) {
  const MoeFfn& moe = *model.groups.back().moe;
  std::vector<std::string> out{
      fmt::format("--num-experts {} --moe-router-topk {} --moe-ffn-hidden-size {} --moe-grouped-gemm",
                  moe.experts, moe.top_k, moe.intermediate)};
  if (moe.shared_intermediate > 0)
    out.push_back(fmt::format("--moe-shared-expert-intermediate-size {}", moe.shared_intermediate));
  if (moe.router_bias)
    out.emplace_back("--moe-router-score-function sigmoid --moe-router-enable-expert-bias");
  std::int64_t dense = 0;
  for (const LayerGroup& group : model.groups)
    if (group.dense) dense += group.count;
  if (dense > 0)
    out.push_back(fmt::format("--moe-layer-freq \"([0]*{}+[1]*{})\"", dense, model.layers() - dense));
  return out;
}

std::vector<std::string> shape_flags(const Architecture& model) {
  const LayerGroup& first = model.groups.front();
  const std::int64_t width = first.dense ? first.dense->intermediate : first.moe->intermediate;
  std::vector<std::string> out{
      fmt::format("--num-layers {} --hidden-size {}", model.layers(), model.hidden),
      fmt::format("--num-attention-heads {} {}", first.attention->heads, attention_flags(*first.attention)),
      fmt::format("--ffn-hidden-size {}", width),
      "--swiglu --normalization RMSNorm --position-embedding-type rope --disable-bias-linear"};
  if (!model.tied_embeddings) out.emplace_back("--untie-embeddings-and-output-weights");
  if (!model.groups.back().moe) return out;
  const std::vector<std::string> experts = expert_flags(model);
  out.insert(out.end(), experts.begin(), experts.end());
  return out;
}

/// Layers of the last stage where stages cannot have alike many; nothing where they can.
std::optional<std::int64_t> last_stage(std::int64_t layers, std::int64_t stages) {
  if (layers % stages == 0) return std::nullopt;
  return layers - (layers / stages + 1) * (stages - 1);
}

std::vector<std::string> run_flags(const TrainingSettings& s) {
  std::vector<std::string> out{
      fmt::format("--tensor-model-parallel-size {} --pipeline-model-parallel-size {}", s.tp, s.pp)};
  if (const auto last = last_stage(s.model.layers(), s.pp))
    out.push_back(fmt::format("--decoder-last-pipeline-num-layers {}", *last));
  if (s.ep > 1) out.push_back(fmt::format("--expert-model-parallel-size {}", s.ep));
  if (s.cp > 1) out.push_back(fmt::format("--context-parallel-size {}", s.cp));
  if (s.tp > 1) out.emplace_back("--sequence-parallel");
  if (s.train.zero >= 1) out.emplace_back("--use-distributed-optimizer");
  out.push_back(
      fmt::format("--micro-batch-size {} --global-batch-size {}", s.train.micro_batch, s.train.global_batch));
  out.push_back(fmt::format("--seq-length {0} --max-position-embeddings {0} --train-samples {1}", s.train.seq,
                            s.samples()));
  out.emplace_back(s.train.precision == "fp8" ? "--bf16 --fp8-format hybrid" : "--bf16");
  if (const std::string flags = recompute_flags(s.train.recompute); !flags.empty()) out.push_back(flags);
  return out;
}

}  // namespace

TrainingSettings training_settings(const Scenario& scenario, const System& system,
                                   const Architecture& model) {
  if (!scenario.train) refuse("the scenario plans no training run", "a scenario with train");
  TrainingSettings out;
  out.train = *scenario.train;
  out.model = model;
  if (out.train.method == "lora" || out.train.method == "qlora")
    refuse(fmt::format("{} trains adapters, which pretrain_gpt.py does not", out.train.method),
           "train.method pretrain or full");
  if (out.train.zero > 1) refuse("Megatron-LM's distributed optimizer is ZeRO stage 1", "train.zero 0 or 1");
  check_layers(model);
  out.title = scenario.name.empty() ? fmt::format("train {}", model.id) : scenario.name;
  out.tokenizer = model.hf_name;
  const std::int64_t devices = scenario.system.gpus.value_or(scenario.system.count * system.accelerators);
  out.devices_per_node = std::min(devices, devices_per_node(system, scenario.system.count));
  if (devices % out.devices_per_node != 0)
    refuse(fmt::format("{} accelerators do not fill nodes of {}", devices, out.devices_per_node),
           "a multiple, as srun starts alike nodes");
  out.nodes = devices / out.devices_per_node;
  out.tp = degree(scenario.parallel.tp, "tp");
  out.pp = degree(scenario.parallel.pp, "pp");
  if (last_stage(model.layers(), out.pp).value_or(1) < 1)
    refuse(fmt::format("{} layers leave nothing for the last of {} stages", model.layers(), out.pp),
           "fewer stages");
  out.ep = scenario.parallel.ep.value_or(1);
  out.cp = scenario.parallel.cp;
  const std::int64_t replica = out.tp * out.pp * out.cp;
  if (devices % replica != 0)
    refuse(
        fmt::format("TP {} x PP {} x CP {} does not divide {} accelerators", out.tp, out.pp, out.cp, devices),
        "degrees whose product divides them");
  out.dp = devices / replica;
  if (scenario.parallel.dp && *scenario.parallel.dp != out.dp)
    refuse(fmt::format("{} replicas are asked for, and {} accelerators hold {}", *scenario.parallel.dp,
                       devices, out.dp),
           "parallel.dp that fits, or auto");
  if (out.ep > 1 && (out.dp * out.tp) % out.ep != 0)
    refuse(fmt::format("EP {} does not divide the {} devices of a stage", out.ep, out.dp * out.tp),
           "an EP that does");
  check_batch(out);
  return out;
}

std::string training_script(const TrainingSettings& s, const std::string& program) {
  std::string out = fmt::format(
      "#!/usr/bin/env bash\n"
      "#SBATCH --job-name={}\n"
      "#SBATCH --nodes={}\n"
      "#SBATCH --ntasks-per-node=1\n"
      "#SBATCH --gpus-per-node={}\n"
      "#SBATCH --exclusive\n"
      "# {}\n"
      "# Planned by {} for Megatron-LM: {} accelerators, TP {}, PP {}, EP {}, CP {}, DP {}.\n",
      label_name(s.title), s.nodes, s.devices_per_node, comment_text(s.title), program,
      s.nodes * s.devices_per_node, s.tp, s.pp, s.ep, s.cp, s.dp);
  out +=
      "set -euo pipefail\n"
      ": \"${DATA_PATH:?}\"  # prefix of the tokenised data, on storage that all nodes see\n"
      ": \"${CHECKPOINTS:?}\"  # folder that checkpoints are written to and resumed from\n"
      ": \"${SAVE_INTERVAL:?}\"  # steps between checkpoints\n";
  out += s.tokenizer.empty() ? ": \"${TOKENIZER:?}\"  # Hugging Face name or folder\n"
                             : fmt::format("TOKENIZER=${{TOKENIZER:-{}}}\n", shell_quote(s.tokenizer));
  out +=
      "MEGATRON=${MEGATRON:-/opt/megatron-lm}  # inside the container\n"
      ": \"${IMAGE:?}\"  # container image with Megatron-LM\n"
      "HEAD_ADDRESS=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
      "export HEAD_ADDRESS DATA_PATH CHECKPOINTS SAVE_INTERVAL TOKENIZER MEGATRON\n"
      "read -r -d '' LAUNCH <<'LAUNCH' || true\n"
      "launch=(\n";
  out += fmt::format(
      "  torchrun --nnodes {} --nproc-per-node {} --node-rank \"$SLURM_NODEID\"\n"
      "  --master-addr \"$HEAD_ADDRESS\" --master-port 29500\n"
      "  \"$MEGATRON/pretrain_gpt.py\" --use-mcore-models\n",
      s.nodes, s.devices_per_node);
  std::vector<std::string> flags = shape_flags(s.model);
  const std::vector<std::string> more = run_flags(s);
  flags.insert(flags.end(), more.begin(), more.end());
  for (const std::string& line : flags) out += "  " + line + "\n";
  out +=
      "  --data-path \"$DATA_PATH\" --tokenizer-type HuggingFaceTokenizer --tokenizer-model \"$TOKENIZER\"\n"
      "  --save \"$CHECKPOINTS\" --load \"$CHECKPOINTS\" --save-interval \"$SAVE_INTERVAL\"\n"
      ")\n"
      "exec \"${launch[@]}\" \"$@\"\n"
      "LAUNCH\n"
      "export LAUNCH\n"
      "srun --container-image=\"$IMAGE\" ${MOUNTS:+--container-mounts=\"$MOUNTS\"} \\\n"
      "  bash -c 'eval \"$LAUNCH\"'\n";
  return out;
}

}  // namespace roofplan::model
