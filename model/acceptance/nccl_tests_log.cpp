#include "model/acceptance/run_identity.hpp"
#include "model/acceptance/text_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace roofplan::model {
namespace {

/// Bytes of an element by the library's name of its type; 0 for a word that is no type.
int type_bytes(std::string_view word) {
  static constexpr std::array<std::pair<std::string_view, int>, 16> kTypes{{{"float", 4},
                                                                            {"half", 2},
                                                                            {"bfloat16", 2},
                                                                            {"double", 8},
                                                                            {"int8", 1},
                                                                            {"uint8", 1},
                                                                            {"int32", 4},
                                                                            {"uint32", 4},
                                                                            {"int64", 8},
                                                                            {"uint64", 8},
                                                                            {"f8e4m3", 1},
                                                                            {"f8e5m2", 1},
                                                                            {"fp8_e4m3", 1},
                                                                            {"fp8_e5m2", 1},
                                                                            {"char", 1},
                                                                            {"int", 4}}};
  for (const auto& [name, bytes] : kTypes) {
    if (name == word) return bytes;
  }
  return 0;
}

std::optional<Collective> op_of_program(std::string_view line) {
  const std::size_t at = line.find("_perf");
  if (at == std::string_view::npos) return std::nullopt;
  std::size_t from = at;
  while (from > 0 && (std::isalnum(static_cast<unsigned char>(line[from - 1])) || line[from - 1] == '_'))
    --from;
  return collective_from(line.substr(from, at - from));
}

/// The four or three numbers of one half of a row; nothing where they are missing ("N/A").
struct Half {
  double time_us = 0, algorithm = 0, bus = 0;
  std::int64_t wrong = 0;
};

std::optional<Half> half_of(const std::vector<std::string_view>& words, std::size_t from) {
  if (words.size() < from + 4) return std::nullopt;
  const auto time = number_of(words[from]), algorithm = number_of(words[from + 1]),
             bus = number_of(words[from + 2]);
  if (!time || !algorithm || !bus || *time <= 0) return std::nullopt;
  // Old releases print the largest error here ("0e+00"), newer ones the count of wrong elements.
  const auto wrong = integer_of(words[from + 3]);
  return Half{*time, *algorithm, *bus, wrong.value_or(0)};
}

constexpr int kMostRanks = 1 << 20;

class NcclTestsReader : public TextReader {
 public:
  explicit NcclTestsReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.empty()) return;
    if (text.front() == '#') return take_remark(text, line.number);
    if (text.front() >= '0' && text.front() <= '9') return take_row(text, line.number);
    if (const auto op = op_of_program(text)) hint_ = op;
    if (const auto version = behind(text, "NCCL version ")) note_library(*version);
    if (const auto network = behind(text, "NCCL INFO Using network ")) network_ = *network;
    if (open_ && run_.failure.empty() && text.find("Test ") != std::string_view::npos &&
        text.find(" failure") != std::string_view::npos)
      run_.failure = text.substr(0, 160);
  }

  void finish() override { close(); }

 private:
  void take_remark(std::string_view text, long line) {
    if (text.find("nThread ") != std::string_view::npos && text.find("minBytes ") != std::string_view::npos) {
      if (!run_.rows.empty() || !run_.ranks.empty()) close();
      open(line);
      if (const auto most = behind(text, "maxBytes ")) largest_ = number_of(words_of(*most, 1).front());
      return;
    }
    if (const auto name = behind(text, "Collective test starting:")) {
      if (!run_.rows.empty()) close();
      hint_ = op_of_program(*name);
      return;
    }
    if (text.find(" Pid ") != std::string_view::npos && text.find(" device ") != std::string_view::npos)
      return take_rank(text, line);
    if (const auto bad = behind(text, "Out of bounds values :")) {
      if (bad->find("FAILED") != std::string_view::npos) run_.wrong = std::max<std::int64_t>(run_.wrong, 1);
      return;
    }
    if (text.find("Avg bus bandwidth") != std::string_view::npos) close();
  }

  void take_rank(std::string_view text, long line) {
    open(line);
    const auto words = words_of(text);
    RankPlace place;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "Rank")
        place.rank =
            static_cast<int>(std::clamp<std::int64_t>(integer_of(words[i + 1]).value_or(-1), -1, kMostRanks));
      if (words[i] == "on" && place.host.empty()) place.host = words[i + 1];
      if (words[i] == "device")
        place.device =
            static_cast<int>(std::clamp<std::int64_t>(integer_of(words[i + 1]).value_or(0), 0, kMostRanks));
      if (words[i].size() > 2 && words[i].front() == '[' && words[i].back() == ']') {
        place.bus = words[i].substr(1, words[i].size() - 2);
        place.name = text.substr(static_cast<std::size_t>(words[i + 1].data() - text.data()));
        break;
      }
    }
    if (place.rank < 0 || place.rank >= kMostRanks || place.host.empty()) return;
    const bool again = std::any_of(run_.ranks.begin(), run_.ranks.end(),
                                   [&](const RankPlace& r) { return r.rank == place.rank; });
    if (place.rank == 0 && again) run_.alone = true;
    if (!again || place.rank == 0) run_.ranks.push_back(std::move(place));
  }

  void take_row(std::string_view text, long line) {
    const auto words = words_of(text, 20);
    if (words.size() < 5) return;
    const auto size = integer_of(words[0]);
    const int element = type_bytes(words[2]);
    constexpr std::int64_t kLargest = std::int64_t{1} << 50;
    if (!size || *size > kLargest || element == 0 || !integer_of(words[1])) return;
    open(line);
    desk_.file->tools.insert("nccl-tests");
    const bool root = words.size() > 5 && integer_of(words[4]).has_value() && words.size() >= 13;
    const std::size_t from = root ? 5 : 4;
    const auto out = half_of(words, from), in = half_of(words, from + 4);
    if (!out && !in) {
      desk_.report(Text("accept.log.row", {{"line", line}}), true);
      return;
    }
    if (words.size() < from + 8) desk_.report(Text("accept.log.row", {{"line", line}}), true);
    add(*size, element, out ? *out : *in, line);
    signs_.reduction = words[3];
    signs_.rooted = root && integer_of(words[4]) >= 0;
    if (words.size() >= from + 8 && integer_of(words[from + 3])) signs_.in_place = words[from + 7] != "N/A";
    run_.wrong += (out ? out->wrong : 0) + (in ? in->wrong : 0);
  }

  /// A row whose numbers contradict each other says nothing.
  void add(std::int64_t size, int element, const Half& half, long line) {
    constexpr std::size_t kMostRows = 4096;
    const double computed = static_cast<double>(size) / half.time_us / 1e3;
    const double rounding = 0.006 + computed * 0.006 / half.time_us;
    if (std::abs(half.algorithm - computed) > 0.02 * computed + rounding) {
      desk_.report(Text("accept.log.contradiction", {{"line", line}}), true);
      return;
    }
    if (run_.rows.size() >= kMostRows) return;
    run_.rows.push_back({static_cast<double>(size) * unit::B, element, half.time_us * unit::us,
                         half.algorithm * unit::GB_s, half.bus * unit::GB_s});
  }

  void open(long line) {
    if (open_) return;
    open_ = true;
    run_ = CollectiveRun{};
    signs_ = RunSigns{};
    run_.place = desk_.place(line);
    largest_.reset();
  }

  void note_library(std::string_view version) {
    const auto words = words_of(version, 1);
    if (!words.empty()) library_ = words.front();
  }

  void close() {
    if (!open_) return;
    open_ = false;
    desk_.file->tools.insert("nccl-tests");
    run_.library = library_;
    run_.network = network_;
    signs_.said = std::exchange(hint_, std::nullopt);
    signs_.file = desk_.file->name;
    identify(run_, signs_);
    const long line = run_.place.line;
    if (drop_contradictions(run_) > 0)
      desk_.report(Text("accept.log.contradicting_run", {{"line", line}}), true);
    if (run_.alone) {
      desk_.report(Text("accept.log.alone", {{"count", run_.ranks.size()}}), true);
    } else if (run_.rows.empty()) {
      desk_.report(Text("accept.log.no_rows", {{"line", line}}), true);
    } else if (largest_ && run_.rows.back().bytes / unit::B < 0.5 * *largest_) {
      desk_.report(Text("accept.log.stopped", {{"line", line}}), true);
    } else if (!run_.op && run_.rank_count != 1) {
      desk_.report(Text("accept.log.which", {{"line", line}}), true);
    } else if (run_.rank_count == 0) {
      desk_.report(Text("accept.log.ranks", {{"line", line}}), true);
    }
    constexpr std::size_t kMostRuns = 100'000;
    if (desk_.evidence->collectives.size() < kMostRuns)
      desk_.evidence->collectives.push_back(std::move(run_));
    run_ = CollectiveRun{};
  }

  ReadingDesk desk_;
  CollectiveRun run_;
  bool open_ = false;
  std::optional<Collective> hint_;
  std::optional<double> largest_;
  RunSigns signs_;
  std::string library_, network_;
};

}  // namespace

std::unique_ptr<TextReader> nccl_tests_reader(const ReadingDesk& desk) {
  return std::make_unique<NcclTestsReader>(desk);
}

}  // namespace roofplan::model
