#include "model/export/training_script.hpp"

#include "model/catalog/catalog.hpp"
#include "model/catalog/model_reference.hpp"
#include "tests/cli/process.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using Catch::Contains;

namespace {

const Catalog& catalog() {
  static const Catalog shipped;
  return shipped;
}

/// 64 nodes of 8: TP 8 x PP 4 x DP 16, 15 G tokens in sequences of 8,192.
Scenario run_of(const char* model) {
  Scenario s;
  s.model.ref = model;
  s.system.ref = "dgx-b200";
  s.system.count = 64;
  s.parallel.tp = 8;
  s.parallel.pp = 4;
  s.train.emplace();
  s.train->tokens = 15'000'000'000;
  s.train->seq = 8192;
  s.train->global_batch = 1024;
  s.train->recompute = "selective";
  s.train->precision = "fp8";
  return s;
}

TrainingSettings settings_of(const Scenario& s) {
  return training_settings(s, catalog().systems().find(s.system.ref),
                           find_model(catalog(), s.model.ref).architecture);
}

}  // namespace

TEST_CASE("a job file of training records data, nodes, accelerators and parallel settings (seed A7)",
          "[export]") {
  const TrainingSettings settings = settings_of(run_of("llama-3.1-70b"));
  CHECK(settings.dp == 16);
  const std::string script = training_script(settings, "roofplan");
  for (const char* part :
       {"#SBATCH --nodes=64", "#SBATCH --gpus-per-node=8", "DATA_PATH", "CHECKPOINTS", "IMAGE",
        "--tensor-model-parallel-size 8 --pipeline-model-parallel-size 4", "--sequence-parallel",
        "--use-distributed-optimizer", "--global-batch-size 1024", "--seq-length 8192",
        "--train-samples 1831054", "--fp8-format hybrid", "--recompute-granularity selective",
        "--num-layers 80 --hidden-size 8192", "--num-query-groups 8", "--ffn-hidden-size 28672"})
    CHECK_THAT(script, Contains(part));
  roofplan::test::TemporaryFolder folder;
  folder.write("job.sh", script);
  CHECK(roofplan::test::run_shell("bash -n job.sh", folder.path()).exit_code == 0);
}

TEST_CASE("a mixture of experts states experts, their width and the degree that spreads them", "[export]") {
  Scenario s = run_of("qwen3-30b-a3b");
  s.parallel.tp = 1;
  s.parallel.pp = 1;
  s.parallel.ep = 8;
  const std::string script = training_script(settings_of(s), "roofplan");
  CHECK_THAT(script, Contains("--expert-model-parallel-size 8"));
  CHECK_THAT(script, Contains("--num-experts 128 --moe-router-topk 8 --moe-ffn-hidden-size 768"));
}

TEST_CASE("latent attention, leading dense layers, shared experts and a short last stage are stated",
          "[export]") {
  Scenario s = run_of("deepseek-v3");
  s.parallel.tp = 1;
  s.parallel.pp = 16;
  s.parallel.ep = 8;
  const std::string script = training_script(settings_of(s), "roofplan");
  // 61 layers on 16 stages: four each, one on the last.
  for (const char* part :
       {"--num-layers 61 --hidden-size 7168", "--num-attention-heads 128 --multi-latent-attention",
        "--q-lora-rank 1536 --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 --v-head-dim 128",
        "--ffn-hidden-size 18432", "--moe-ffn-hidden-size 2048", "--moe-shared-expert-intermediate-size 2048",
        "--moe-layer-freq \"([0]*3+[1]*58)\"", "--decoder-last-pipeline-num-layers 1",
        "--expert-model-parallel-size 8"})
    CHECK_THAT(script, Contains(part));
  roofplan::test::TemporaryFolder folder;
  folder.write("job.sh", script);
  CHECK(roofplan::test::run_shell("bash -n job.sh", folder.path()).exit_code == 0);
}

TEST_CASE("the sample of two training runs is a job file of one of them: 240 nodes of eight", "[export]") {
  const Scenario s = parse_scenario(sample_scenario("two-700b-jobs"), "sample");
  const TrainingSettings settings = settings_of(s);
  CHECK(settings.nodes * settings.devices_per_node == s.fleet->jobs.front().gpus);
  std::int64_t used = 8 * s.fleet->spare_nodes;
  for (const FleetJob& job : s.fleet->jobs) used += job.gpus;
  CHECK(used == s.fleet->gpus);
}

TEST_CASE("what a job file cannot say is refused with the reason", "[export]") {
  Scenario open = run_of("llama-3.1-70b");
  open.parallel.pp.reset();
  CHECK_THROWS_WITH(settings_of(open), Contains("parallel.pp"));
  Scenario uneven = run_of("llama-3.1-70b");
  uneven.train->global_batch = 1000;
  CHECK_THROWS_WITH(settings_of(uneven), Contains("a multiple of 16"));
  Scenario adapters = run_of("llama-3.1-70b");
  adapters.train->method = "lora";
  CHECK_THROWS_WITH(settings_of(adapters), Contains("adapters"));
  CHECK_THROWS_WITH(settings_of(run_of("gemma-3-27b")), Contains("pretrain_gpt.py"));
}
