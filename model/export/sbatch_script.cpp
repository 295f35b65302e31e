#include "model/export/launch_script.hpp"
#include "model/export/quoting.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

std::string directives(const LaunchSettings& s, const EngineLaunch& launch) {
  const std::int64_t devices = s.devices_per_node_used();
  std::string out = fmt::format(
      "#SBATCH --job-name={}\n"
      "#SBATCH --nodes={}\n"
      "#SBATCH --ntasks-per-node={}\n"
      "#SBATCH --gpus-per-node={}\n",
      label_name(s.title), s.nodes_per_replica, launch.under_mpi ? devices : 1, devices);
  if (devices == s.devices_per_node) out += "#SBATCH --exclusive\n";
  if (s.plan.dp > 1) out += fmt::format("#SBATCH --array=0-{}\n", s.plan.dp - 1);
  return out;
}

std::string addresses(const LaunchSettings& s, const EngineLaunch& launch) {
  if (s.nodes_per_replica == 1 || launch.under_mpi) return {};
  std::string out =
      "nodes=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\")\n"
      "HEAD_ADDRESS=$(head -n 1 <<< \"$nodes\")\n"
      "export HEAD_ADDRESS\n";
  if (!launch.worker_command.empty()) {
    out += fmt::format(
        "RPC_SERVERS=$(tail -n +2 <<< \"$nodes\" | sed 's/$/:{}/' | paste -s -d , -)\n"
        "export RPC_SERVERS\n",
        kRpcPort);
  }
  return out;
}

}  // namespace

std::string sbatch_script(const LaunchSettings& s, const std::string& program) {
  const EngineLaunch launch = engine_launch(s);
  std::string out = "#!/usr/bin/env bash\n" + directives(s, launch) + header_comment(s, program) +
                    "# IMAGE names another container image, MOUNTS what Pyxis mounts (/models:/models).\n"
                    "set -euo pipefail\n";
  if (s.model.empty()) out += fmt::format(": \"${{MODEL:?}}\"  # {}\n", comment_text(s.checkpoint));
  out += fmt::format("image=${{IMAGE:-{}}}\n", shell_quote(container_image(s, launch)));
  if (!s.model.empty() && s.model.starts_with('/')) {
    out += fmt::format("MOUNTS=${{MOUNTS:-{0}:{0}}}\n", shell_quote(s.model));
  }
  if (s.plan.dp > 1 && s.replicas_per_node() > 1)
    out +=
        fmt::format("export PORT=$(({} + SLURM_ARRAY_TASK_ID))  # replicas may share a node\n", kServingPort);
  out += addresses(s, launch);
  out += "read -r -d '' LAUNCH <<'LAUNCH' || true\n" + launch_body(s, launch) + "LAUNCH\nexport LAUNCH\n";
  out += "srun ";
  if (launch.under_mpi) out += "--mpi=pmix ";
  out +=
      "--container-image=\"$image\" ${MOUNTS:+--container-mounts=\"$MOUNTS\"} \\\n"
      "  bash -c 'export NODE_RANK=$SLURM_NODEID; eval \"$LAUNCH\"'\n";
  return out;
}

}  // namespace roofplan::model
