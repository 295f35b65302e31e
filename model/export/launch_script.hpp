#pragma once

#include "model/export/engine_launch.hpp"

#include <string>

namespace roofplan::model {

/// The lines in bash that start one replica on one node; they read the variables that EngineLaunch names.
std::string launch_body(const LaunchSettings& settings, const EngineLaunch& launch);

/// Comment lines: what was planned, and what the settings are.
std::string header_comment(const LaunchSettings& settings, const std::string& program);

/// "image:tag" of the container; the tag is that of the version asked, else "latest".
std::string container_image(const LaunchSettings& settings, const EngineLaunch& launch);

/// A bash script that starts one replica by hand. Over several nodes it is run on each of them; of several
/// replicas on a node, REPLICA says which. Throws InputError (usage) where only a job scheduler can.
std::string launch_script(const LaunchSettings& settings, const std::string& program);

/// A Slurm batch script: one replica a job, replicas as a job array, containers by Pyxis.
std::string sbatch_script(const LaunchSettings& settings, const std::string& program);

/// Kubernetes objects: a Deployment where a replica fits a node, else a LeaderWorkerSet, and a Service.
/// Throws InputError (usage) for engines that need MPI or one another's addresses over several nodes.
std::string kubernetes_manifest(const LaunchSettings& settings, const std::string& program);

}  // namespace roofplan::model
