#include "model/report/sweep_merge.hpp"

#include "model/report/value.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace roofplan::model::report {
namespace {

constexpr std::string_view kHeaderStart = "sweep,points,point";

struct Row {
  std::int64_t point = 0;
  std::string_view line;
  std::size_t file = 0;
  long number = 0;
};

[[noreturn]] void refuse(const Location& where, const std::string& message, const std::string& expected) {
  throw InputError(InputError::Kind::content, message, expected, where);
}

bool read_count(std::string_view text, std::int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && error == std::errc() && end == text.data() + text.size() && out >= 0;
}

/// The three leading fields of a row.
struct Place {
  std::string sweep;
  std::int64_t points = 0, point = 0;
};

Place place_of_csv(std::string_view line, const Location& where) {
  Place out;
  const std::size_t first = line.find(','), second = line.find(',', first + 1);
  const std::size_t third = std::min(line.find(',', second + 1), line.size());
  const bool good = first != std::string_view::npos && second != std::string_view::npos &&
                    read_count(line.substr(first + 1, second - first - 1), out.points) &&
                    read_count(line.substr(second + 1, third - second - 1), out.point);
  if (!good) refuse(where, "this is no row of a sweep", "sweep, points and point first");
  out.sweep = line.substr(0, first);
  return out;
}

Place place_of_json(std::string_view line, const Location& where) {
  const auto field = [&](const Value& row, const char* key) -> const Value& {
    const Value* found = row.find(key);
    if (found == nullptr) refuse(where, fmt::format("this row has no \"{}\"", key), "a row of a sweep");
    return *found;
  };
  Place out;
  try {
    const Value row = value_of_json(line, where.file);
    const auto* sweep = std::get_if<std::string>(&field(row, "sweep").content());
    const auto* points = std::get_if<std::int64_t>(&field(row, "points").content());
    const auto* point = std::get_if<std::int64_t>(&field(row, "point").content());
    if (sweep == nullptr || points == nullptr || point == nullptr || *point < 0 || *points < 1)
      refuse(where, "sweep, points or point is of the wrong kind", "a row of a sweep");
    return {*sweep, *points, *point};
  } catch (const InputError& e) {
    if (e.where().line == where.line) throw;
    refuse(where, "this line is no JSON object: was the sweep stopped while it wrote?", "a row of a sweep");
  }
}

class Merger {
 public:
  explicit Merger(const std::vector<SweepFile>& files) : files_(files) {}

  MergedSweep run() {
    for (std::size_t i = 0; i < files_.size(); ++i) read(i);
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.point < b.point; });
    check_once();
    check_all();
    if (out_.csv) out_.text = std::string(header_) + "\r\n";
    for (const Row& row : rows_) out_.text += std::string(row.line) + (out_.csv ? "\r\n" : "\n");
    return std::move(out_);
  }

 private:
  void read(std::size_t file) {
    const std::string_view text = files_[file].text;
    long number = 0;
    bool csv = false;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string_view line = text.substr(at, end - at);
      at = end + 1;
      if (line.ends_with('\r')) line.remove_suffix(1);
      const Location where{files_[file].name, {}, ++number};
      if (line.empty()) continue;
      if (number == 1) {
        csv = line.starts_with(kHeaderStart);
        check_layout(csv, csv ? line : std::string_view(), where);
        if (csv) continue;
      }
      add(csv ? place_of_csv(line, where) : place_of_json(line, where), {0, line, file, number}, where);
    }
  }

  void check_layout(bool csv, std::string_view header, const Location& where) {
    if (!layout_known_) {
      layout_known_ = true;
      out_.csv = csv;
      header_ = header;
      return;
    }
    if (csv != out_.csv) refuse(where, "some files are CSV, some JSONL", "shards in one format");
    if (header != header_)
      refuse(where, "the columns differ from those of the first file", "shards of one sweep");
  }

  void add(const Place& place, Row row, const Location& where) {
    if (rows_.empty()) {
      out_.sweep = place.sweep;
      out_.points = place.points;
    }
    if (place.sweep != out_.sweep || place.points != out_.points) {
      refuse(where, fmt::format("this row is of sweep {}, those before are of {}", place.sweep, out_.sweep),
             "shards of one sweep: same scenario, values, verb, version and data");
    }
    if (place.point >= out_.points) {
      refuse(where, fmt::format("point {} of a sweep of {}", place.point, out_.points),
             fmt::format("0 to {}", out_.points - 1));
    }
    row.point = place.point;
    rows_.push_back(row);
  }

  void check_once() const {
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      if (rows_[i].point != rows_[i - 1].point) continue;
      refuse({files_[rows_[i].file].name, {}, rows_[i].number},
             fmt::format("point {} stands in {} too, line {}", rows_[i].point, files_[rows_[i - 1].file].name,
                         rows_[i - 1].number),
             "every shard once");
    }
  }

  void check_all() const {
    if (!files_.empty() && rows_.empty()) refuse({files_.front().name, {}, 0}, "there are no rows", "shards");
    std::string gaps;
    std::int64_t next = 0;
    const auto gap = [&](std::int64_t until) {
      if (next == until) return;
      if (!gaps.empty()) gaps += ", ";
      gaps += until - 1 == next ? fmt::format("{}", next) : fmt::format("{}-{}", next, until - 1);
    };
    for (const Row& row : rows_) {
      gap(row.point);
      next = row.point + 1;
    }
    gap(out_.points);
    if (gaps.empty()) return;
    refuse({}, fmt::format("points {} of {} are missing", gaps, out_.points), "every shard of the sweep");
  }

  const std::vector<SweepFile>& files_;
  std::vector<Row> rows_;
  MergedSweep out_;
  std::string_view header_;
  bool layout_known_ = false;
};

}  // namespace

MergedSweep merge_sweeps(const std::vector<SweepFile>& files) {
  return Merger(files).run();
}

}  // namespace roofplan::model::report
