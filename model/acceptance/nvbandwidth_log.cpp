#include "model/acceptance/json_log.hpp"
#include "model/json/json.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

constexpr std::size_t kMostCells = 2'000'000;

void add_cell(const ReadingDesk& desk, long line, const std::string& test, int row, int column, double rate) {
  constexpr double kLargest = 1e6;  // GB/s
  if (desk.evidence->copies.size() < kMostCells && rate > 0 && rate < kLargest)
    desk.evidence->copies.push_back({desk.place(line), test, row, column, rate * unit::GB_s});
}

/// "Running host_to_device_memcpy_ce.", a description, a line of column numbers, the rows, "SUM test 440.1".
class NvbandwidthReader : public TextReader {
 public:
  explicit NvbandwidthReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.empty()) return;
    if (text.starts_with("Running ") && text.ends_with(".") && text.find("_") != std::string_view::npos) {
      end_test(true);
      test_ = text.substr(8, text.size() - 9);
      line_ = line.number;
      desk_.file->tools.insert("nvbandwidth");
    } else if (text.starts_with("nvbandwidth Version")) {
      desk_.file->tools.insert("nvbandwidth");
      of_tool_ = true;
    } else if (of_tool_ && text.starts_with("Driver Version:")) {
      note_driver(trimmed(text.substr(15)), line.number);
    } else if (!test_.empty()) {
      take_test_line(text, line);
    }
  }

  void finish() override { end_test(true); }

 private:
  void take_test_line(std::string_view text, const LogLine& line) {
    if (text.starts_with("Waived")) return end_test(false);
    if (text.starts_with("ERROR") || text.starts_with("[ERROR")) {
      desk_.evidence->copy_failures.push_back(
          {desk_.place(line.number), test_, std::string(text.substr(0, 160))});
      return end_test(false);
    }
    if (text.find("bandwidth (GB/s)") != std::string_view::npos) {
      described_ = true;
      return;
    }
    if (text.starts_with("SUM ")) return end_test(rows_ == 0);
    if (described_ && text.front() >= '0' && text.front() <= '9') take_row(words_of(text, 1025), line);
  }

  void take_row(const std::vector<std::string_view>& words, const LogLine& line) {
    if (columns_ == 0) {  // the numbers of the columns
      columns_ = words.size();
      return;
    }
    const auto row = integer_of(words.front());
    if (!row || words.size() != columns_ + 1) {
      desk_.report(Text("accept.log.row", {{"line", line.number}}), true);
      return;
    }
    ++rows_;
    for (std::size_t i = 1; i < words.size() - (line.may_go_on ? 1 : 0); ++i) {
      if (const auto rate = number_of(words[i]))
        add_cell(desk_, line.number, test_, static_cast<int>(*row), static_cast<int>(i) - 1, *rate);
    }
  }

  void end_test(bool should_have_rows) {
    if (!test_.empty() && should_have_rows && rows_ == 0)
      desk_.report(Text("accept.log.no_copies", {{"line", line_}, {"test", test_}}), true);
    test_.clear();
    described_ = false;
    columns_ = rows_ = 0;
  }

  void note_driver(std::string_view driver, long line) {
    DeviceReading reading;
    reading.place = desk_.place(line);
    reading.driver = driver;
    desk_.evidence->add(reading);
  }

  ReadingDesk desk_;
  std::string test_;
  long line_ = 0;
  bool of_tool_ = false, described_ = false;
  std::size_t columns_ = 0, rows_ = 0;
};

/// A cell is a number, a number in quotes, or "N/A".
std::optional<double> cell_of(const JsonReader& cell) {
  if (cell.is_number()) return cell.as_number();
  return cell.is_string() ? number_of(cell.as_string()) : std::nullopt;
}

void read_testcase(const JsonReader& testcase, const ReadingDesk& desk, long line) {
  const std::string name = testcase.at("name").as_string();
  const auto status = testcase.find("status");
  if (status && status->is_string() && status->as_string() == "Error") {
    const auto why = testcase.find("error");
    desk.evidence->copy_failures.push_back(
        {desk.place(line), name, why && why->is_string() ? why->as_string() : "Error"});
    return;
  }
  const auto matrix = testcase.find("bandwidth_matrix");
  if (!matrix) return;
  int row = 0;
  for (const JsonReader& cells : matrix->elements()) {
    int column = 0;
    if (!cells.is_null()) {
      for (const JsonReader& cell : cells.elements()) {
        if (const auto rate = cell_of(cell)) add_cell(desk, line, name, row, column, *rate);
        ++column;
      }
    }
    ++row;
  }
}

}  // namespace

std::unique_ptr<TextReader> nvbandwidth_reader(const ReadingDesk& desk) {
  return std::make_unique<NvbandwidthReader>(desk);
}

void read_nvbandwidth(const JsonReader& root, const ReadingDesk& desk, long line) {
  const JsonReader run = root.at("nvbandwidth");
  if (const auto driver = run.find("Driver Version"); driver && driver->is_string()) {
    DeviceReading reading;
    reading.place = desk.place(line);
    reading.driver = driver->as_string();
    desk.evidence->add(reading);
  }
  if (const auto error = run.find("error"); error && error->is_string())
    desk.evidence->copy_failures.push_back(
        {desk.place(line), "nvbandwidth", error->as_string().substr(0, 160)});
  if (const auto testcases = run.find("testcases")) {
    for (const JsonReader& testcase : testcases->elements()) read_testcase(testcase, desk, line);
  }
}

}  // namespace roofplan::model
