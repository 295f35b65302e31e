#include "model/export/launch_script.hpp"

#include "model/export/quoting.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

std::string needed_variables(const LaunchSettings& settings, const EngineLaunch& launch) {
  std::string out;
  if (settings.model.empty())
    out += fmt::format(": \"${{MODEL:?}}\"  # {}\n", comment_text(settings.checkpoint));
  const bool spread = settings.nodes_per_replica > 1 && !launch.under_mpi;
  if (spread) {
    out += fmt::format(": \"${{NODE_RANK:?}}\"  # 0 on the first node, up to {}\n",
                       settings.nodes_per_replica - 1);
  }
  if (spread && launch.worker_command.empty()) out += ": \"${HEAD_ADDRESS:?}\"  # of the first node\n";
  return out;
}

std::string worker_start(const EngineLaunch& launch) {
  return fmt::format("[ \"$NODE_RANK\" = 0 ] || exec {}\n", launch.worker_command) +
         ": \"${RPC_SERVERS:?}\"  # host:port of the others, with commas\n";
}

/// Quoted, so that the shell takes nothing in it for its own.
std::string config_file(const EngineLaunch& launch) {
  return "config=$(mktemp)\ncat > \"$config\" <<'CONFIG'\n" + launch.config + "CONFIG\n";
}

/// Which devices of the node belong to the replica, where several share it.
std::string device_choice(const LaunchSettings& settings) {
  const std::int64_t devices = settings.devices_per_replica();
  const std::int64_t replicas = settings.replicas_per_node();
  return fmt::format(
      "slot=$((${{REPLICA:-0}} % {0}))  # replicas 0 to {1} share a node\n"
      "CUDA_VISIBLE_DEVICES=$(seq -s , $((slot * {2})) $((slot * {2} + {3})))\n"
      "export CUDA_VISIBLE_DEVICES\n"
      "PORT=$(({4} + slot))\n",
      replicas, replicas - 1, devices, devices - 1, kServingPort);
}

}  // namespace

std::string launch_body(const LaunchSettings& settings, const EngineLaunch& launch) {
  std::string out = needed_variables(settings, launch);
  const bool spread = settings.nodes_per_replica > 1;
  if (spread && !launch.worker_command.empty()) out += worker_start(launch);
  if (!launch.config.empty()) out += config_file(launch);
  out += "launch=(\n";
  std::string first;
  for (const std::string& word : launch.command) first += (first.empty() ? "" : " ") + word;
  out += "  " + first + "\n";
  for (const std::string& flag : launch.flags) out += "  " + flag + "\n";
  out += ")\n";
  if (spread && !launch.worker_flags.empty()) {
    std::string words;
    for (const std::string& flag : launch.worker_flags) words += (words.empty() ? "" : " ") + flag;
    out += fmt::format("[ \"$NODE_RANK\" = 0 ] || launch+=({})\n", words);
  }
  return out + "exec \"${launch[@]}\"\n";
}

std::string header_comment(const LaunchSettings& s, const std::string& program) {
  const ParallelPlan& plan = s.plan;
  std::string out = fmt::format("# {}\n# Planned by {} for {}{}.\n", comment_text(s.title), program,
                                s.engine_name, s.engine_version.empty() ? "" : " " + s.engine_version);
  out += fmt::format("# Weights {}, KV cache {}; TP {}, PP {}, EP {}, attention DP {}, CP {}; replicas {}.\n",
                     comment_text(s.weights), comment_text(s.cache), plan.tp, plan.pp, plan.ep,
                     plan.attention_dp, plan.cp, plan.dp);
  return out + fmt::format("# A replica: {} node(s) with {} device(s) of each.\n", s.nodes_per_replica,
                           s.devices_per_node_used());
}

std::string container_image(const LaunchSettings& settings, const EngineLaunch& launch) {
  if (settings.engine == "llama.cpp") return launch.image + ":server-cuda";
  if (settings.engine_version.empty()) return launch.image + ":latest";
  return launch.image + ":" + launch.version_tag + settings.engine_version;
}

std::string launch_script(const LaunchSettings& settings, const std::string& program) {
  const EngineLaunch launch = engine_launch(settings);
  if (launch.under_mpi) {
    refuse_plan(settings, "over several nodes it starts under MPI, a process a device",
                "roofplan export sbatch");
  }
  std::string out = "#!/usr/bin/env bash\n" + header_comment(settings, program) + "set -euo pipefail\n";
  if (settings.nodes_per_replica == 1 && settings.replicas_per_node() > 1 && settings.plan.dp > 1)
    out += device_choice(settings);
  return out + launch_body(settings, launch);
}

}  // namespace roofplan::model
