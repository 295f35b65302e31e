#include "model/acceptance/text_reader.hpp"

#include <algorithm>
#include <cctype>

namespace roofplan::model {
namespace {

/// "GPU0", "NIC3"; older drivers name cards by their device, "mlx5_0".
bool is_end(std::string_view word) {
  const auto digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (word.starts_with("GPU") || word.starts_with("NIC")) return digits(word.substr(3));
  return word.starts_with("mlx") || word.starts_with("bnxt") || word.starts_with("roce") ||
         word.starts_with("ib");
}

bool is_gpu(std::string_view word) {
  return word.starts_with("GPU");
}

bool is_path(std::string_view word) {
  if (word.starts_with("NV")) return integer_of(word.substr(2)).has_value();
  return word == "X" || word == "PIX" || word == "PXB" || word == "PHB" || word == "NODE" || word == "SYS" ||
         word == "SOC";
}

/// Finds the matrix of nvidia-smi topo -m: a heading of ends, then a row for each of them.
class TopologyReader : public TextReader {
 public:
  explicit TopologyReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    constexpr std::size_t kMostEnds = 1024;
    const std::vector<std::string_view> words = words_of(line.text, kMostEnds);
    if (words.empty() || !is_end(words.front())) {
      if (!words.empty()) close();
      return;
    }
    if (is_gpu(words.front()) && words.size() > 1 && !is_path(words[1])) {
      take_heading(words, line.number);
    } else if (!columns_.empty()) {
      take_row(words, line.number);
    }
  }

  void finish() override { close(); }

 private:
  void take_heading(const std::vector<std::string_view>& words, long line) {
    close();
    for (const std::string_view word : words) {
      if (!is_end(word)) break;
      columns_.emplace_back(word);
    }
    matrix_.place = desk_.place(line);
  }

  void take_row(const std::vector<std::string_view>& words, long line) {
    const std::size_t paths = static_cast<std::size_t>(
        std::find_if_not(words.begin() + 1, words.end(), is_path) - words.begin() - 1);
    const bool known = std::find(columns_.begin(), columns_.end(), words.front()) != columns_.end();
    if (paths == 0 || !known) return;
    if (paths < columns_.size() && paths + 1 < words.size() && !is_path(words[paths + 1]) && rows_ == 0)
      return;  // the table of another question, such as topo -p2p
    desk_.file->tools.insert("nvidia-smi topo");
    if (paths != columns_.size()) {
      desk_.report(Text("accept.log.row", {{"line", line}}), true);
      return;
    }
    for (std::size_t i = 0; i < paths; ++i) {
      if (is_gpu(words.front()) && words[i + 1] != "X")
        matrix_.paths.push_back({std::string(words.front()), columns_[i], std::string(words[i + 1])});
    }
    rows_ += is_gpu(words.front()) ? 1 : 0;
  }

  void close() {
    const auto gpus = std::count_if(columns_.begin(), columns_.end(), is_gpu);
    if (rows_ > 0) {
      if (rows_ < gpus)
        desk_.report(Text("accept.log.topology_cut", {{"line", matrix_.place.line}, {"count", gpus - rows_}}),
                     true);
      matrix_.gpus = gpus;
      desk_.evidence->topologies.push_back(std::move(matrix_));
    }
    matrix_ = {};
    columns_.clear();
    rows_ = 0;
  }

  ReadingDesk desk_;
  std::vector<std::string> columns_;
  TopologyMatrix matrix_;
  std::ptrdiff_t rows_ = 0;
};

}  // namespace

std::unique_ptr<TextReader> topology_reader(const ReadingDesk& desk) {
  return std::make_unique<TopologyReader>(desk);
}

}  // namespace roofplan::model
