#include "model/export/launch_script.hpp"
#include "tests/cli/process.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

using namespace roofplan::model;
using Catch::Contains;
using roofplan::test::run_shell;
using roofplan::test::TemporaryFolder;

namespace {

/// 16 devices of two 8-GPU nodes: TP 8 x PP 2 of a mixture of experts.
LaunchSettings two_nodes(const std::string& engine) {
  LaunchSettings s;
  s.engine = engine;
  s.engine_name = engine;
  s.title = "two nodes";
  s.model = "org/model";
  s.weights = "native";
  s.cache = "fp8";
  s.plan.tp = 8;
  s.plan.pp = 2;
  s.plan.ep = 8;
  s.devices_per_node = 8;
  s.nodes_per_replica = 2;
  s.context = 4096;
  s.max_batch = 64;
  s.chunk_tokens = 2048;
  s.memory_fraction = 0.92;
  s.has_experts = true;
  return s;
}

LaunchSettings one_device(const std::string& engine) {
  LaunchSettings s = two_nodes(engine);
  s.plan = ParallelPlan{};
  s.nodes_per_replica = 1;
  s.has_experts = false;
  return s;
}

/// What `program` is called with when bash runs the script, a word a line.
std::vector<std::string> words_given(const std::string& program, const std::string& script,
                                     const std::string& environment = {}) {
  const TemporaryFolder folder;
  folder.write(program, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
  folder.write("launch.sh", script);
  const auto ran = run_shell("chmod +x ./" + program + " && PATH=.:$PATH " + environment + " bash launch.sh",
                             folder.path());
  INFO(ran.err);
  REQUIRE(ran.exit_code == 0);
  std::vector<std::string> words;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  return words;
}

std::string after(const std::vector<std::string>& words, const std::string& flag) {
  const auto at = std::find(words.begin(), words.end(), flag);
  return at == words.end() || at + 1 == words.end() ? "" : *(at + 1);
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("vLLM gets the degrees, limits and formats of the plan on every node", "[export]") {
  const std::string script = launch_script(two_nodes("vllm"), "roofplan");
  const auto head = words_given("vllm", script, "NODE_RANK=0 HEAD_ADDRESS=10.0.0.1");
  CHECK(head[0] == "serve");
  CHECK(head[1] == "org/model");
  CHECK(after(head, "--tensor-parallel-size") == "8");
  CHECK(after(head, "--pipeline-parallel-size") == "2");
  CHECK(has(head, "--enable-expert-parallel"));
  CHECK(after(head, "--max-model-len") == "4096");
  CHECK(after(head, "--max-num-seqs") == "64");
  CHECK(after(head, "--max-num-batched-tokens") == "2048");
  CHECK(after(head, "--gpu-memory-utilization") == "0.92");
  CHECK(after(head, "--kv-cache-dtype") == "fp8");
  CHECK(after(head, "--nnodes") == "2");
  CHECK(after(head, "--master-addr") == "10.0.0.1");
  CHECK_FALSE(has(head, "--headless"));
  const auto second = words_given("vllm", script, "NODE_RANK=1 HEAD_ADDRESS=10.0.0.1");
  CHECK(after(second, "--node-rank") == "1");
  CHECK(has(second, "--headless"));
}

TEST_CASE("attention groups of vLLM are data-parallel ranks of the node that holds them", "[export]") {
  LaunchSettings s = two_nodes("vllm");
  s.plan = ParallelPlan{};
  s.plan.tp = 16;
  s.plan.ep = 16;
  s.plan.attention_dp = 8;  // groups of 2 devices: 4 on each node of 8
  const auto second = words_given("vllm", launch_script(s, "roofplan"), "NODE_RANK=1 HEAD_ADDRESS=h");
  CHECK(after(second, "--tensor-parallel-size") == "2");
  CHECK(after(second, "--data-parallel-size") == "8");
  CHECK(after(second, "--data-parallel-size-local") == "4");
  CHECK(after(second, "--data-parallel-start-rank") == "4");
}

TEST_CASE("SGLang divides its limits among attention groups, so it is given their sum", "[export]") {
  LaunchSettings s = one_device("sglang");
  s.plan.tp = 8;
  s.plan.attention_dp = 4;
  s.plan.ep = 2;
  s.has_experts = true;
  const auto words = words_given("python3", launch_script(s, "roofplan"));
  CHECK(after(words, "--max-running-requests") == "256");
  CHECK(after(words, "--chunked-prefill-size") == "8192");
  CHECK(after(words, "--ep-size") == "2");
  CHECK(after(words, "--kv-cache-dtype") == "fp8_e4m3");
  CHECK(has(words, "--enable-dp-attention"));
}

TEST_CASE("TensorRT-LLM finds in its file what it has no flag for", "[export]") {
  LaunchSettings s = one_device("trtllm");
  s.draft_tokens = 3;
  s.has_mtp = true;
  const TemporaryFolder folder;
  folder.write("trtllm-serve", "#!/bin/sh\nfor last; do :; done\ncat \"$last\"\n");
  folder.write("launch.sh", launch_script(s, "roofplan"));
  const auto ran = run_shell("chmod +x trtllm-serve && PATH=.:$PATH bash launch.sh", folder.path());
  CHECK(ran.out ==
        "kv_cache_config:\n  dtype: fp8\nspeculative_config:\n  decoding_type: MTP\n"
        "  num_nextn_predict_layers: 3\n");
}

TEST_CASE("llama.cpp shares its context among slots: length times slots", "[export]") {
  LaunchSettings s = one_device("llama.cpp");
  s.cache = "q8_0";
  s.max_batch = 4;
  const auto words = words_given("llama-server", launch_script(s, "roofplan"));
  CHECK(after(words, "--ctx-size") == "16384");
  CHECK(after(words, "--parallel") == "4");
  CHECK(after(words, "--cache-type-v") == "q8_0");
  CHECK(after(words, "--ubatch-size") == "2048");
}

TEST_CASE("what an engine cannot say is refused with the reason", "[export]") {
  LaunchSettings part = two_nodes("vllm");
  part.plan.ep = 4;
  CHECK_THROWS_WITH(vllm_launch(part), Contains("all 8 ranks or none"));
  LaunchSettings context = one_device("sglang");
  context.plan.cp = 2;
  CHECK_THROWS_WITH(sglang_launch(context), Contains("context parallelism"));
  LaunchSettings groups = two_nodes("trtllm");
  groups.plan.attention_dp = 4;
  CHECK_THROWS_WITH(trtllm_launch(groups), Contains("attention groups"));
  LaunchSettings tensor = one_device("llama.cpp");
  tensor.plan.tp = 2;
  CHECK_THROWS_WITH(llama_cpp_launch(tensor), Contains("by layers"));
  LaunchSettings cache = one_device("vllm");
  cache.cache = "q8_0";
  CHECK_THROWS_WITH(vllm_launch(cache), Contains("no KV cache in q8_0"));
  CHECK_THROWS_WITH(launch_script(two_nodes("trtllm"), "roofplan"), Contains("MPI"));
  CHECK_THROWS_WITH(kubernetes_manifest(two_nodes("trtllm"), "roofplan"), Contains("MPI"));
}

TEST_CASE("a share is never rounded up, and a round one stays round", "[export]") {
  CHECK(share_text(0.92) == "0.92");
  CHECK(share_text(0.83399) == "0.8339");
  CHECK(share_text(1.0) == "1");
}

TEST_CASE("every batch script is bash, asks Slurm for whole replicas, and runs the launch line", "[export]") {
  for (const char* engine : {"vllm", "sglang", "trtllm"}) {
    const std::string script = sbatch_script(two_nodes(engine), "roofplan");
    const TemporaryFolder folder;
    folder.write("job.sh", script);
    CHECK(run_shell("bash -n job.sh", folder.path()).exit_code == 0);
    CHECK_THAT(script, Contains("#SBATCH --nodes=2\n") && Contains("#SBATCH --gpus-per-node=8\n"));
  }
  LaunchSettings small = one_device("vllm");
  small.plan.dp = 3;
  small.model = "a'b $(touch owned)";
  const TemporaryFolder folder;
  folder.write("job.sh", sbatch_script(small, "roofplan"));
  // Slurm's own commands are stood in for: srun drops its flags and runs the rest.
  folder.write("srun", "#!/bin/bash\nwhile [[ $1 == --* ]]; do shift; done\nexec \"$@\"\n");
  folder.write("vllm", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
  const auto ran = run_shell(
      "chmod +x srun vllm && PATH=.:$PATH SLURM_NODEID=0 SLURM_ARRAY_TASK_ID=2 bash job.sh", folder.path());
  CHECK_THAT(ran.out, Contains("serve\na'b $(touch owned)\n") && Contains("--port\n8002\n"));
  CHECK_FALSE(std::filesystem::exists(folder.path("owned")));
  CHECK_THAT(sbatch_script(small, "roofplan"), Contains("#SBATCH --array=0-2\n"));
}

TEST_CASE("several replicas on one node take devices and ports of their own", "[export]") {
  LaunchSettings s = one_device("vllm");
  s.plan.tp = 2;
  s.plan.dp = 4;
  const TemporaryFolder folder;
  folder.write("vllm", "#!/bin/sh\necho \"$CUDA_VISIBLE_DEVICES\"; printf '%s\\n' \"$@\"\n");
  folder.write("launch.sh", launch_script(s, "roofplan"));
  const auto ran = run_shell("chmod +x vllm && PATH=.:$PATH REPLICA=2 bash launch.sh", folder.path());
  CHECK_THAT(ran.out, Catch::StartsWith("4,5\n") && Contains("--port\n8002\n"));
}

TEST_CASE("a manifest indents by two, quotes names, and asks for the devices of a replica", "[export]") {
  LaunchSettings s = two_nodes("vllm");
  s.title = "x: \"y\"\nz";
  const std::string spread = kubernetes_manifest(s, "roofplan");
  CHECK_THAT(spread, Contains("kind: LeaderWorkerSet\n") && Contains("    size: 2\n") &&
                         Contains("  name: \"x-y-z\"\n") && Contains("nvidia.com/gpu: 8\n"));
  CHECK(spread.find('\t') == std::string::npos);
  std::istringstream lines(spread);
  // A script is a block scalar: everything deeper than its "- |".
  std::size_t script_depth = std::string::npos;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t depth = line.find_first_not_of(' ');
    if (line.starts_with("#") || line == "---" || (depth > script_depth && script_depth != std::string::npos))
      continue;
    script_depth = line.ends_with("- |") ? depth : std::string::npos;
    CAPTURE(line);
    CHECK(depth % 2 == 0);
    CHECK((line.find(':') != std::string::npos || line.substr(depth, 2) == "- "));
  }
  const std::string small = kubernetes_manifest(one_device("sglang"), "roofplan");
  CHECK_THAT(small, Contains("kind: Deployment\n") && Contains("nvidia.com/gpu: 1\n"));
}
