#include "model/export/launch_script.hpp"
#include "model/export/quoting.hpp"

#include <fmt/format.h>

namespace roofplan::model {
namespace {

/// The text with `spaces` before every line.
std::string indented(const std::string& text, std::size_t spaces) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out += std::string(spaces, ' ') + text.substr(at, end - at);
    out += '\n';
    at = end + 1;
  }
  return out;
}

std::string environment(const LaunchSettings& s) {
  std::string out;
  if (s.model.empty()) {
    out += fmt::format("- name: MODEL\n  value: \"\"  # {}\n", comment_text(s.checkpoint));
  }
  return out.empty() ? out : "env:\n" + out;
}

/// What makes a pod of a LeaderWorkerSet a rank.
std::string ranks(const LaunchSettings& s) {
  if (s.nodes_per_replica == 1) return {};
  return "export NODE_RANK=\"$LWS_WORKER_INDEX\" HEAD_ADDRESS=\"$LWS_LEADER_ADDRESS\"\n";
}

std::string container(const LaunchSettings& s, const EngineLaunch& launch) {
  std::string out = fmt::format(
      "- name: engine\n"
      "  image: {}\n"
      "  command: [\"bash\", \"-c\"]\n"
      "  args:\n"
      "  - |\n",
      yaml_quote(container_image(s, launch)));
  out += indented("set -euo pipefail\n" + ranks(s) + launch_body(s, launch), 4);
  out += indented(environment(s), 2);
  out += fmt::format(
      "  ports:\n"
      "  - containerPort: {0}\n"
      "  resources:\n"
      "    limits:\n"
      "      nvidia.com/gpu: {1}\n"
      "    requests:\n"
      "      nvidia.com/gpu: {1}\n"
      "  volumeMounts:\n"
      "  - name: shared-memory\n"
      "    mountPath: /dev/shm\n",
      kServingPort, s.devices_per_node_used());
  if (s.nodes_per_replica == 1) {
    out += fmt::format(
        "  readinessProbe:\n"
        "    httpGet:\n"
        "      path: /health\n"
        "      port: {}\n"
        "    periodSeconds: 10\n",
        kServingPort);
  }
  return out;
}

std::string pod(const LaunchSettings& s, const EngineLaunch& launch) {
  return "containers:\n" + container(s, launch) +
         "volumes:\n- name: shared-memory\n  emptyDir:\n    medium: Memory\n";
}

std::string deployment(const LaunchSettings& s, const EngineLaunch& launch, const std::string& name) {
  return fmt::format(
             "apiVersion: apps/v1\n"
             "kind: Deployment\n"
             "metadata:\n"
             "  name: {0}\n"
             "spec:\n"
             "  replicas: {1}\n"
             "  selector:\n"
             "    matchLabels:\n"
             "      app: {0}\n"
             "  template:\n"
             "    metadata:\n"
             "      labels:\n"
             "        app: {0}\n"
             "    spec:\n",
             yaml_quote(name), s.plan.dp) +
         indented(pod(s, launch), 6);
}

std::string leader_worker_set(const LaunchSettings& s, const EngineLaunch& launch, const std::string& name) {
  return fmt::format(
             "apiVersion: leaderworkerset.x-k8s.io/v1\n"
             "kind: LeaderWorkerSet\n"
             "metadata:\n"
             "  name: {0}\n"
             "spec:\n"
             "  replicas: {1}\n"
             "  leaderWorkerTemplate:\n"
             "    size: {2}\n"
             "    workerTemplate:\n"
             "      metadata:\n"
             "        labels:\n"
             "          app: {0}\n"
             "      spec:\n",
             yaml_quote(name), s.plan.dp, s.nodes_per_replica) +
         indented(pod(s, launch), 8);
}

/// Requests go to the first node of a replica.
std::string service(const LaunchSettings& s, const std::string& name) {
  std::string selector = fmt::format("    app: {}\n", yaml_quote(name));
  if (s.nodes_per_replica > 1) selector += "    leaderworkerset.sigs.k8s.io/worker-index: \"0\"\n";
  return fmt::format(
      "---\n"
      "apiVersion: v1\n"
      "kind: Service\n"
      "metadata:\n"
      "  name: {0}\n"
      "spec:\n"
      "  selector:\n"
      "{1}"
      "  ports:\n"
      "  - port: {2}\n"
      "    targetPort: {2}\n",
      yaml_quote(name), selector, kServingPort);
}

}  // namespace

std::string kubernetes_manifest(const LaunchSettings& s, const std::string& program) {
  const EngineLaunch launch = engine_launch(s);
  const bool spread = s.nodes_per_replica > 1;
  if (spread && (launch.under_mpi || !launch.worker_command.empty())) {
    refuse_plan(s, "over several nodes it needs MPI or the addresses of all nodes, which no manifest knows",
                "roofplan export sbatch, or a plan whose replicas fit a node");
  }
  const std::string name = label_name(s.title);
  return header_comment(s, program) +
         (spread ? leader_worker_set(s, launch, name) : deployment(s, launch, name)) + service(s, name);
}

}  // namespace roofplan::model
