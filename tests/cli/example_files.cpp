#include "tests/cli/example_files.hpp"

#include "model/json/json.hpp"
#include "tests/acceptance/log_sets.hpp"
#include "tests/cli/process.hpp"

namespace roofplan::test {

void write_example_files(const TemporaryFolder& folder) {
  run_shell(
      "for s in lab lab-of-eight 405b-two-boxes b300-100 nvl72 two-700b-jobs desk; do "
      "roofplan scenario --sample $s > $s.json; done; "
      "for i in 1 2; do "
      "roofplan sweep lab.json --vary load.concurrency=1-4+1 --shard $i/2 > part$i.jsonl; done; "
      "roofplan fit --scenario lab.json -o json > before.json; cp before.json after.json; mkdir logs; "
      "printf 'nodes,tok_s\n1,100\n2,198\n' > nodes.csv; "
      "{ echo 'system,op,dtype,gpus,bytes,latency_ms'; for n in 2 4 8; do "
      "for b in 1024 16384 262144 1048576 4194304 67108864; do awk -v n=$n -v b=$b "
      "'BEGIN {printf \"a100_lab,all_gather,half,%d,%d,%.6f\\n\", n, b, (7 + n + (n-1)/n*b/200e3)/1e3}'; "
      "done; done; } > nccl.csv",
      folder.path());
  NcclTestsRun run;
  run.ranks = whole_nodes(host_names(2), 8);
  run.busbw = [](double) { return 380.0; };
  model::write_text_file(folder.path("logs/nccl-tests.log"), nccl_tests_log(run));
}

}  // namespace roofplan::test
