#include "model/acceptance/log_reader.hpp"

#include "model/acceptance/json_block.hpp"
#include "model/acceptance/line_origin.hpp"
#include "model/acceptance/text_reader.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>

namespace roofplan::model {
namespace {

namespace fs = std::filesystem;

/// Lines of one origin: JSON documents are taken out, the rest goes to a reader for every tool.
struct Stream {
  explicit Stream(const ReadingDesk& desk) : documents(json_logs(desk)), readers(text_readers(desk)) {}
  void take(const LogLine& line) {
    if (documents.take(line)) return;
    for (const auto& reader : readers) reader->take(line);
  }
  void finish() {
    documents.finish();
    for (const auto& reader : readers) reader->finish();
  }
  JsonBlocks documents;
  std::vector<std::unique_ptr<TextReader>> readers;
};

class LogReading {
 public:
  LogReading(LogFile& file, Evidence& evidence) : file_(file), evidence_(evidence) {}

  void take(const LogLine& line) {
    if (line.garbled && garbled_++ == 0) first_garbled_ = line.number;
    if (line.cut) desk({}).report(Text("accept.log.long_line", {{"line", line.number}}), false);
    if (const std::string_view host = heading(line.text); !host.empty()) {
      heading_ = host;
      return;
    }
    const LineOrigin origin = split_origin(line.text);
    Stream& stream = stream_of(origin);
    stream.take({origin.text, line.number, line.cut, line.garbled, line.may_go_on});
  }

  void finish() {
    for (auto& [key, stream] : streams_) stream->finish();
    if (garbled_ > 0 && !file_.tools.empty())
      desk({}).report(Text("accept.log.garbled", {{"line", first_garbled_}, {"count", garbled_}}), false);
  }

 private:
  ReadingDesk desk(std::string_view host) const {
    std::string node = host.empty() ? heading_ : std::string(host);
    if (node.empty()) node = node_of_file(file_.name);
    return {&evidence_, &file_, std::move(node)};
  }

  /// Headings of one line, and dshbak's of three: dashes, host, dashes.
  std::string_view heading(std::string_view line) {
    const bool dashes = line.size() >= 10 && line.find_first_not_of('-') == std::string_view::npos;
    if (dashes && between_dashes_ == 2) {
      between_dashes_ = 0;
      return candidate_;
    }
    if (between_dashes_ == 1 && !dashes && !line.empty() && line.find(' ') == std::string_view::npos) {
      candidate_ = line;
      between_dashes_ = 2;
      return {};
    }
    between_dashes_ = dashes ? 1 : 0;
    return heading_host(line);
  }

  Stream& stream_of(const LineOrigin& origin) {
    constexpr std::size_t kMost = 4096;
    key_.assign(heading_).append("\n").append(origin.host).append("\n").append(origin.rank);
    if (last_ != nullptr && key_ == last_key_) return *last_;
    auto found = streams_.find(key_);
    if (found == streams_.end()) {
      if (streams_.size() >= kMost) key_.clear();
      found = streams_.try_emplace(key_, nullptr).first;
      if (!found->second) found->second = std::make_unique<Stream>(desk(origin.host));
    }
    last_key_ = key_;
    last_ = found->second.get();
    return *last_;
  }

  LogFile& file_;
  Evidence& evidence_;
  std::map<std::string, std::unique_ptr<Stream>, std::less<>> streams_;
  std::string heading_, candidate_, key_, last_key_;
  Stream* last_ = nullptr;
  int between_dashes_ = 0;
  long garbled_ = 0, first_garbled_ = 0;
};

/// What is often sent in place of what accept reads.
struct OtherKind {
  std::string_view mark;  ///< stands near the beginning of the file
  const char* text;
};
constexpr std::array<OtherKind, 10> kOtherKinds{{{"| NVIDIA-SMI ", "accept.log.kind.smi_table"},
                                                 {"| Diagnostic  ", "accept.log.kind.diag_table"},
                                                 {"Unidirectional P2P=", "accept.log.kind.p2p"},
                                                 {"CA type:", "accept.log.kind.ports"},
                                                 {"hca_id:", "accept.log.kind.ports"},
                                                 {"[ ID] Interval", "accept.log.kind.iperf"},
                                                 {"Serving Benchmark Result", "accept.log.kind.serving"},
                                                 {"concurrency,", "accept.log.kind.table"},
                                                 {"latency_ms", "accept.log.kind.table"},
                                                 {"<html", "accept.log.kind.html"}}};

/// Another document of ours, by its schema; empty where it is none.
std::string document_of_ours(std::string_view head) {
  constexpr std::string_view kSchema = "\"roofplan.";
  const std::size_t at = head.find(kSchema);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + 1, end = head.find('"', begin);
  return std::string(head.substr(begin, end - begin));
}

/// Why a file in which no tool's output was found may be none.
Text unknown_log(const LogFile& file, std::string_view head) {
  if (file.bytes == 0) return Text("accept.log.empty");
  if (head.starts_with("\x1f\x8b") || head.starts_with("\x28\xb5\x2f\xfd") || head.starts_with("PK\x03\x04"))
    return Text("accept.log.compressed");
  const auto odd = std::count_if(head.begin(), head.end(), [](char c) { return c == '\0' || c == '\x7f'; });
  if (odd * 20 > static_cast<std::ptrdiff_t>(head.size()) || is_garbled(head))
    return Text("accept.log.binary");
  if (const std::string schema = document_of_ours(head); !schema.empty())
    return Text("accept.log.kind.ours", {{"schema", schema}});
  for (const OtherKind& kind : kOtherKinds) {
    if (head.find(kind.mark) != std::string_view::npos) return Text(kind.text);
  }
  return Text("accept.log.unknown");
}

}  // namespace

void read_log(const LogBytes& bytes, const std::string& name, Evidence& evidence) {
  LogFile file;
  file.name = name;
  LogReading reading(file, evidence);
  LineSplitter lines([&](const LogLine& line) { reading.take(line); });
  std::string head;
  for (std::string_view piece = bytes(); !piece.empty(); piece = bytes()) {
    if (head.size() < 4096) head.append(piece.substr(0, 4096 - head.size()));
    file.bytes += static_cast<std::int64_t>(piece.size());
    lines.feed(piece);
  }
  lines.finish();
  reading.finish();
  file.lines = lines.lines();
  if (file.tools.empty() && file.problems.empty()) file.problems.push_back({unknown_log(file, head), false});
  evidence.files.push_back(std::move(file));
}

void read_log_text(std::string_view text, const std::string& name, Evidence& evidence) {
  bool done = false;
  read_log([&] { return std::exchange(done, true) ? std::string_view{} : text; }, name, evidence);
}

void read_log_file(const std::string& path, Evidence& evidence) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(InputError::Kind::missing, "cannot be opened", "a readable file", {path, {}, 0});
  std::vector<char> block(std::size_t{1} << 18);
  read_log(
      [&]() -> std::string_view {
        in.read(block.data(), static_cast<std::streamsize>(block.size()));
        return {block.data(), static_cast<std::size_t>(in.gcount())};
      },
      path, evidence);
}

std::vector<std::string> log_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error))
      throw InputError(InputError::Kind::missing, "there is no such file or folder", {}, {path, {}, 0});
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> below;
    for (auto it =
             fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, error);
         it != fs::recursive_directory_iterator(); it.increment(error)) {
      if (error) break;
      if (it->is_regular_file(error)) below.push_back(it->path().string());
    }
    std::sort(below.begin(), below.end());
    files.insert(files.end(), below.begin(), below.end());
  }
  return files;
}

std::string node_of_file(const std::string& path) {
  static constexpr std::array<std::string_view, 34> kTools{
      "nvidia",  "smi",   "dcgm",  "dcgmi", "diag",        "nccl",   "test",    "tests", "nvbandwidth",
      "nvbw",    "ib",    "write", "bw",    "llama",       "bench",  "log",     "out",   "txt",
      "json",    "csv",   "md",    "all",   "reduce",      "gather", "scatter", "perf",  "exporter",
      "metrics", "query", "q",     "dmesg", "calibration", "stdout", "r3"};
  const fs::path file(path);
  std::string node, word;
  const std::string name = file.filename().string() + ".";
  for (const char c : name) {
    if (c != '-' && c != '_' && c != '.') {
      word.push_back(c);
      continue;
    }
    if (!word.empty() && std::find(kTools.begin(), kTools.end(), word) == kTools.end())
      node.append(node.empty() ? "" : "-").append(word);
    word.clear();
  }
  if (!node.empty()) return node;
  const std::string folder = file.parent_path().filename().string();
  return folder.empty() ? file.filename().string() : folder;
}

}  // namespace roofplan::model
