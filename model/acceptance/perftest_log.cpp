#include "model/acceptance/text_reader.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// Unit of the bandwidth columns: perftest's MB are 2^20 bytes, newer releases write MiB.
std::optional<BytesPerSecond> unit_in(std::string_view head) {
  if (head.find("[Gb/sec]") != std::string_view::npos) return unit::Gb_s;
  if (head.find("[MB/sec]") != std::string_view::npos || head.find("[MiB/sec]") != std::string_view::npos)
    return unit::MiB / unit::s;
  return std::nullopt;
}

class PerftestReader : public TextReader {
 public:
  explicit PerftestReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.empty()) return;
    if (text.starts_with("RDMA_") || text.starts_with("Send ")) {
      if (text.ends_with(" BW Test")) open(text, line.number);
      return;
    }
    if (!open_) return;
    if (const auto device = behind(text, "Device         :")) {
      port_.device = words_of(*device, 1).empty() ? "" : std::string(words_of(*device, 1).front());
    } else if (text.starts_with("#bytes")) {
      rate_unit_ = unit_in(text);
    } else if (text.front() >= '0' && text.front() <= '9') {
      take_row(words_of(text, 8), line);
    } else if (text.find("ailed to") != std::string_view::npos ||
               text.find("Unable to") != std::string_view::npos ||
               text.find("Couldn't") != std::string_view::npos) {
      desk_.report(Text("accept.log.perftest", {{"line", line.number}, {"what", text.substr(0, 120)}}), true);
    }
  }

  void finish() override { close(); }

 private:
  void open(std::string_view title, long line) {
    close();
    open_ = true;
    both_ways_ = title.find("Bidirectional") != std::string_view::npos;
    port_ = PortRate{};
    port_.place = desk_.place(line);
    desk_.file->tools.insert("perftest");
  }

  void take_row(const std::vector<std::string_view>& words, const LogLine& line) {
    const std::size_t whole = words.size() - (line.may_go_on ? 1 : 0);
    if (!rate_unit_ || whole < 4) {
      if (rate_unit_) desk_.report(Text("accept.log.row", {{"line", line.number}}), true);
      return;
    }
    const auto bytes = integer_of(words[0]);
    const auto average = number_of(words[3]);
    if (!bytes || *bytes > std::int64_t{1} << 50 || !integer_of(words[1]) || !average || *average <= 0)
      return;
    const Bytes size = static_cast<double>(*bytes) * unit::B;
    const BytesPerSecond rate = *average * *rate_unit_ / (both_ways_ ? 2.0 : 1.0);
    // Rates reach their end value somewhere below the largest message and stay there.
    port_.bytes = std::max(port_.bytes, size);
    port_.rate = std::max(port_.rate, rate);
  }

  void close() {
    if (open_ && port_.rate.base() > 0) {
      desk_.evidence->ports.push_back(port_);
    } else if (open_) {
      desk_.report(Text("accept.log.no_port", {{"line", port_.place.line}}), true);
    }
    open_ = false;
    rate_unit_.reset();
  }

  ReadingDesk desk_;
  PortRate port_;
  std::optional<BytesPerSecond> rate_unit_;
  bool open_ = false, both_ways_ = false;
};

}  // namespace

std::unique_ptr<TextReader> perftest_reader(const ReadingDesk& desk) {
  return std::make_unique<PerftestReader>(desk);
}

}  // namespace roofplan::model
