#pragma once

#include "model/acceptance/evidence.hpp"
#include "model/acceptance/log_line.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// Finds the output of one tool among the lines of one origin (a process, a host or a whole file).
class TextReader {
 public:
  virtual ~TextReader() = default;
  virtual void take(const LogLine& line) = 0;
  /// No more lines come.
  virtual void finish() = 0;
};

/// What a reader works on: where its lines come from and where findings go. Pointers outlive the reader.
struct ReadingDesk {
  Evidence* evidence = nullptr;
  LogFile* file = nullptr;
  std::string node;  ///< host in front of the lines, else what the file's name says

  LogPlace place(long line) const { return {file->name, line, node}; }
  /// Notes the problem once, however often it comes.
  void report(Text text, bool damaged) const;
};

std::unique_ptr<TextReader> nccl_tests_reader(const ReadingDesk& desk);
/// nvidia-smi -q, and nvidia-smi nvlink -e and -s.
std::unique_ptr<TextReader> nvidia_smi_reader(const ReadingDesk& desk);
/// nvidia-smi --query-gpu=... --format=csv.
std::unique_ptr<TextReader> nvidia_smi_csv_reader(const ReadingDesk& desk);
/// The text page of DCGM-Exporter.
std::unique_ptr<TextReader> dcgm_exporter_reader(const ReadingDesk& desk);
/// nvbandwidth as text.
std::unique_ptr<TextReader> nvbandwidth_reader(const ReadingDesk& desk);
/// ib_write_bw, ib_read_bw, ib_send_bw of perftest.
std::unique_ptr<TextReader> perftest_reader(const ReadingDesk& desk);
/// llama-bench as CSV and markdown.
std::unique_ptr<TextReader> llama_bench_reader(const ReadingDesk& desk);
/// Xid and SXid lines of the kernel log.
std::unique_ptr<TextReader> kernel_log_reader(const ReadingDesk& desk);

/// nvidia-smi topo -m.
std::unique_ptr<TextReader> topology_reader(const ReadingDesk& desk);

/// One reader for every tool that prints text.
std::vector<std::unique_ptr<TextReader>> text_readers(const ReadingDesk& desk);

/// A number with its unit behind it, "143771 MiB", "16x", "38 C", "0x10"; nothing for "N/A" and words.
std::optional<double> leading_number(std::string_view text);

/// The words of a line, at most `most`.
std::vector<std::string_view> words_of(std::string_view line, std::size_t most = 64);
/// A finite number that fills the whole word.
std::optional<double> number_of(std::string_view word);
std::optional<std::int64_t> integer_of(std::string_view word);
/// The text without blanks at both ends.
std::string_view trimmed(std::string_view text);
/// What stands behind `key` in the line, trimmed; nothing where the key is not in it.
std::optional<std::string_view> behind(std::string_view line, std::string_view key);

}  // namespace roofplan::model
