#pragma once

#include "model/export/launch_settings.hpp"

#include <string>
#include <vector>

namespace roofplan::model {

/// Port on which every launch line serves.
inline constexpr int kServingPort = 8000;
/// Port of llama.cpp's rpc-server on the other boxes.
inline constexpr int kRpcPort = 50052;

/// How an engine is started with the settings of a plan: bash words, quoted already. Launch lines use the
/// variables $MODEL (where the plan names no checkpoint), $NODE_RANK and $HEAD_ADDRESS (over several nodes),
/// $RPC_SERVERS (llama.cpp over several boxes) and $config (TensorRT-LLM).
struct EngineLaunch {
  std::vector<std::string> command;       ///< program and model
  std::vector<std::string> flags;         ///< a flag and its value each
  std::vector<std::string> worker_flags;  ///< further flags on nodes after the first
  std::string worker_command;             ///< what nodes after the first run instead; empty: the same
  std::string config;                     ///< content of a file that $config names; empty: none
  bool under_mpi = false;                 ///< one process a device, started by MPI
  std::string image;                      ///< container image, without tag
  std::string version_tag;                ///< what stands before the version in its tag
  std::vector<std::string> sources;       ///< ids in data/sources.json that document the flags
};

/// The launch of the settings' engine. Throws InputError (usage) with the reason where the engine's command
/// line cannot say what the plan assumes.
EngineLaunch engine_launch(const LaunchSettings& settings);

EngineLaunch vllm_launch(const LaunchSettings& settings);
EngineLaunch sglang_launch(const LaunchSettings& settings);
EngineLaunch trtllm_launch(const LaunchSettings& settings);
EngineLaunch llama_cpp_launch(const LaunchSettings& settings);

/// The model as a word: quoted, or the variable.
std::string model_word(const LaunchSettings& settings);
/// A share with four decimals, never rounded up: an engine must not take more than the plan gave it.
std::string share_text(double share);
/// Throws InputError (usage): "ENGINE cannot run this plan: REASON".
[[noreturn]] void refuse_plan(const LaunchSettings& settings, const std::string& reason,
                              const std::string& expected);

}  // namespace roofplan::model
