#include "tests/acceptance/bench_logs.hpp"

#include "tests/acceptance/log_sets.hpp"

#include <fmt/format.h>

namespace roofplan::test {

CopyTable copies_between(int gpus, double rate, unsigned seed) {
  CopyTable table(static_cast<std::size_t>(gpus), std::vector<double>(static_cast<std::size_t>(gpus), -1));
  for (std::size_t a = 0; a < table.size(); ++a) {
    for (std::size_t b = 0; b < table.size(); ++b) {
      if (a != b) table[a][b] = rate * noise(seed, a * table.size() + b);
    }
  }
  return table;
}

std::string nvbandwidth_text(const std::string& test, const CopyTable& table) {
  std::string out =
      "nvbandwidth Version: v0.8\nBuilt from Git version: v0.8\n\nCUDA Runtime Version: 13000\nCUDA Driver "
      "Version: "
      "13000\nDriver Version: 580.95.05\n\nDevice 0: NVIDIA H200 (00000000:1B:00)\n\nRunning " +
      test + ".\n";
  out += test.starts_with("host") ? "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n"
                                  : "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n";
  out += "  ";
  double sum = 0;
  for (std::size_t c = 0; c < table.front().size(); ++c) out += fmt::format("{:>10}", c);
  out += "\n";
  for (std::size_t r = 0; r < table.size(); ++r) {
    out += fmt::format("{:>2}", r);
    for (const double cell : table[r]) {
      out += cell < 0 ? fmt::format("{:>10}", "N/A") : fmt::format("{:>10.2f}", cell);
      sum += cell < 0 ? 0 : cell;
    }
    out += "\n";
  }
  return out +
         fmt::format(
             "\nSUM {} {:.2f}\n\nNOTE: The reported results may not reflect the full capabilities of the "
             "platform.\n",
             test, sum);
}

std::string nvbandwidth_json(const std::string& test, const CopyTable& table, const std::string& driver) {
  std::string out = fmt::format(
      "{{\n\t\"nvbandwidth\" : \n\t{{\n\t\t\"CUDA Runtime Version\" : 13000,\n\t\t\"Driver Version\" : "
      "\"{}\",\n\t\t\"GPU Device "
      "list\" : \n\t\t[\n\t\t\t\"NVIDIA H200 (00000000:1B:00)\"\n\t\t],\n\t\t\"testcases\" : "
      "\n\t\t[\n\t\t\t{{\n\t\t\t\t\"bandwidth_"
      "description\" : \"memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\",\n\t\t\t\t\"bandwidth_matrix\" "
      ": \n\t\t\t\t[\n",
      driver);
  double sum = 0;
  for (std::size_t r = 0; r < table.size(); ++r) {
    out += "\t\t\t\t\t[\n";
    for (std::size_t c = 0; c < table[r].size(); ++c) {
      const double cell = table[r][c];
      out += cell < 0 ? "\t\t\t\t\t\t\"N/A\"" : fmt::format("\t\t\t\t\t\t\"{:.3f}\"", cell);
      out += c + 1 < table[r].size() ? ",\n" : "\n";
      sum += cell < 0 ? 0 : cell;
    }
    out += r + 1 < table.size() ? "\t\t\t\t\t],\n" : "\t\t\t\t\t]\n";
  }
  return out + fmt::format(
                   "\t\t\t\t],\n\t\t\t\t\"name\" : \"{}\",\n\t\t\t\t\"status\" : "
                   "\"Passed\",\n\t\t\t\t\"sum\" : {:.3f}\n\t\t\t}},\n"
                   "\t\t\t{{\n\t\t\t\t\"name\" : \"multicast\",\n\t\t\t\t\"status\" : "
                   "\"Waived\"\n\t\t\t}}\n\t\t],\n\t\t\"version\" : "
                   "\"v0.8\"\n\t}}\n}}\n",
                   test, sum);
}

std::string ib_write_bw(const std::string& device, double gbit, bool in_gbit) {
  const std::string line(87, '-');
  const double factor = in_gbit ? 1 : 1e9 / 8 / 1048576;
  const std::string unit = in_gbit ? "Gb/sec" : "MB/sec";
  std::string out =
      line +
      "\n                    RDMA_Write BW Test\n Dual-port       : OFF\t\tDevice         : " + device +
      "\n Number of qps   : 1\t\tTransport type : IB\n Connection type : RC\t\tUsing SRQ      : OFF\n"
      " Mtu             : 4096[B]\n Link type       : Ethernet\n GID index       : 3\n" +
      line +
      "\n local address: LID 0000 QPN 0x0108 PSN 0x63ad7d RKey 0x17eedf VAddr 0x007f760c947000\n GID: "
      "00:00:00:00:00:00:00:00:00:00:255:255:10:255:255:05\n" +
      line + "\n #bytes     #iterations    BW peak[" + unit + "]    BW average[" + unit +
      "]   MsgRate[Mpps]\n";
  for (const auto& [bytes, share] : {std::pair{65536, 0.99}, std::pair{8388608, 1.0}})
    out += fmt::format(" {:<10} {:<14}   {:<18.2f} {:<18.2f} \t\t   {:.6f}\n", bytes, 5000,
                       gbit * factor * share * 1.001, gbit * factor * share, gbit * share / 8 / bytes * 1e3);
  return out + line + "\n";
}

std::string llama_bench_json(const std::vector<BenchRow>& rows) {
  std::string out = "[\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BenchRow& r = rows[i];
    out += fmt::format(
        "  {{\n    \"build_commit\": \"8cf427ff\",\n    \"build_number\": 5163,\n    \"gpu_info\": \"NVIDIA "
        "GB10\",\n    \"backends\": "
        "\"CUDA\",\n    \"model_filename\": \"{}\",\n    \"model_type\": \"{}\",\n    \"model_size\": "
        "8532934656,\n    \"n_prompt\": "
        "{},\n    \"n_gen\": {},\n    \"n_depth\": {},\n    \"avg_ts\": {:.6f},\n    \"stddev_ts\": 0.05,\n  "
        "  \"samples_ns\": [ 1, 2, 3 "
        "],\n    \"samples_ts\": [ 28.1, 28.0 ]\n  }}{}\n",
        r.file, r.kind, r.prompt, r.generated, r.depth, r.rate, i + 1 < rows.size() ? "," : "");
  }
  return out + "]\n";
}

std::string llama_bench_csv(const std::vector<BenchRow>& rows) {
  std::string out =
      "build_commit,build_number,cpu_info,gpu_info,backends,model_filename,model_type,n_prompt,n_gen,n_depth,"
      "test_time,avg_ns,stddev_ns,avg_ts,stddev_ts\n";
  for (const BenchRow& r : rows)
    out += fmt::format(
        "\"8cf427ff\",\"5163\",\"Cortex, X925\",\"NVIDIA "
        "GB10\",\"CUDA\",\"{}\",\"{}\",\"{}\",\"{}\",\"{}\",\"2026-11-30T00:00:"
        "00Z\",\"1\",\"1\",\"{:.6f}\",\"0.05\"\n",
        r.file, r.kind, r.prompt, r.generated, r.depth, r.rate);
  return out;
}

std::string llama_bench_markdown(const std::vector<BenchRow>& rows) {
  std::string out =
      "| model                          |       size |     params | backend    | ngl | test            |     "
      "             t/s |\n"
      "| ------------------------------ | ---------: | ---------: | ---------- | --: | --------------: | "
      "-------------------: |\n";
  for (const BenchRow& r : rows) {
    std::string test = r.prompt > 0 ? fmt::format("pp{}", r.prompt) : fmt::format("tg{}", r.generated);
    if (r.depth > 0) test += fmt::format(" @ d{}", r.depth);
    out += fmt::format(
        "| {:<30} |   7.95 GiB |     8.03 B | CUDA       |  99 | {:>15} | {:>12.2f} \u00b1 0.05 |\n", r.kind,
        test, r.rate);
  }
  return out + "\nbuild: 8cf427ff (5163)\n";
}

}  // namespace roofplan::test
