#pragma once

#include <string>
#include <vector>

namespace roofplan::test {

/// A table of nvbandwidth in GB/s; a negative cell is "N/A".
using CopyTable = std::vector<std::vector<double>>;

/// Copies between each two of `gpus` accelerators at that rate, with noise; the diagonal is empty.
CopyTable copies_between(int gpus, double rate, unsigned seed);

std::string nvbandwidth_text(const std::string& test, const CopyTable& table);
std::string nvbandwidth_json(const std::string& test, const CopyTable& table,
                             const std::string& driver = "580.95.05");

/// A run of ib_write_bw; `in_gbit` selects --report_gbits.
std::string ib_write_bw(const std::string& device, double gbit, bool in_gbit = true);

struct BenchRow {
  std::string file = "models/Meta-Llama-3.1-8B-Instruct-Q8_0.gguf", kind = "llama 8B Q8_0";
  int prompt = 0, generated = 128, depth = 0;
  double rate = 28;  ///< tokens a second
};
std::string llama_bench_json(const std::vector<BenchRow>& rows);
std::string llama_bench_csv(const std::vector<BenchRow>& rows);
std::string llama_bench_markdown(const std::vector<BenchRow>& rows);

}  // namespace roofplan::test
