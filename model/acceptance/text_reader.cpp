#include "model/acceptance/text_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace roofplan::model {
namespace {

/// No measurement is larger; a number that is cannot be meant.
constexpr double kLargest = 1e30;

}  // namespace

void ReadingDesk::report(Text text, bool damaged) const {
  constexpr std::size_t kMost = 20;
  std::vector<LogProblem>& problems = file->problems;
  const bool known =
      std::any_of(problems.begin(), problems.end(), [&](const LogProblem& p) { return p.text == text; });
  if (!known && problems.size() < kMost) problems.push_back({std::move(text), damaged});
}

std::vector<std::unique_ptr<TextReader>> text_readers(const ReadingDesk& desk) {
  std::vector<std::unique_ptr<TextReader>> readers;
  for (const auto& make :
       {nccl_tests_reader, nvidia_smi_reader, nvidia_smi_csv_reader, dcgm_exporter_reader, kernel_log_reader,
        nvbandwidth_reader, perftest_reader, llama_bench_reader, topology_reader})
    readers.push_back(make(desk));
  return readers;
}

std::vector<std::string_view> words_of(std::string_view line, std::size_t most) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (words.size() < most) {
    at = line.find_first_not_of(' ', at);
    if (at == std::string_view::npos) break;
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

std::optional<double> number_of(std::string_view word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !(std::abs(value) <= kLargest))
    return std::nullopt;
  return value;
}

std::optional<std::int64_t> integer_of(std::string_view word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::optional<double> leading_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !(std::abs(value) <= kLargest)) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(' ') - from + 1);
}

std::optional<std::string_view> behind(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return trimmed(line.substr(at + key.size()));
}

}  // namespace roofplan::model
