#include "model/acceptance/json_log.hpp"
#include "model/json/json.hpp"

#include <algorithm>
#include <map>

namespace roofplan::model {
namespace {

constexpr std::size_t kMostRows = 200'000;
constexpr TokensPerSecond kLargest = 1e12 * unit::tok_s;
constexpr std::int64_t kMostTokens = 1'000'000'000;

void add_rate(const ReadingDesk& desk, EngineRate rate) {
  desk.file->tools.insert("llama-bench");
  if (desk.evidence->engine_rates.size() < kMostRows && rate.rate.base() > 0 && rate.rate < kLargest &&
      rate.tokens <= kMostTokens && rate.depth >= 0 && rate.depth <= kMostTokens)
    desk.evidence->engine_rates.push_back(std::move(rate));
}

/// "pp512", "tg128", "tg 128", "tg128 @ d4096". Nothing for mixed tests ("pp512+tg128").
std::optional<EngineRate> test_of(std::string_view test) {
  EngineRate rate;
  if (!test.starts_with("pp") && !test.starts_with("tg")) return std::nullopt;
  rate.prefill = test.starts_with("pp");
  const std::size_t at = test.find('@');
  const auto tokens = integer_of(trimmed(test.substr(2, at == std::string_view::npos ? at : at - 2)));
  if (!tokens) return std::nullopt;
  rate.tokens = *tokens;
  if (at != std::string_view::npos) {
    const std::string_view depth = trimmed(test.substr(at + 1));
    rate.depth = integer_of(depth.starts_with("d") ? depth.substr(1) : depth).value_or(0);
  }
  return rate;
}

/// Fields of a line of comma-separated values with quotes, as llama-bench writes them.
std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back().push_back(c);
    }
  }
  return fields;
}

class LlamaBenchReader : public TextReader {
 public:
  explicit LlamaBenchReader(const ReadingDesk& desk) : desk_(desk) {}

  void take(const LogLine& line) override {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with("|")) {
      take_markdown(text, line.number);
    } else if (text.starts_with("build_commit,")) {
      names_ = csv_fields(text);
    } else if (!names_.empty() && text.find(',') != std::string_view::npos) {
      take_csv(text, line.number);
    }
  }

  void finish() override {}

 private:
  void take_markdown(std::string_view text, long line) {
    std::vector<std::string_view> cells;
    for (std::string_view rest = text.substr(1); !rest.empty() && cells.size() < 64;) {
      const std::size_t bar = rest.find('|');
      if (bar == std::string_view::npos) break;
      cells.push_back(trimmed(rest.substr(0, bar)));
      rest.remove_prefix(bar + 1);
    }
    if (cells.size() < 3) return;
    const auto column = [&](std::string_view name) {
      return static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin());
    };
    if (column("t/s") < cells.size() && column("test") < cells.size() && column("model") < cells.size()) {
      model_ = column("model");
      test_ = column("test");
      rate_ = column("t/s");
      columns_ = cells.size();
      return;
    }
    if (columns_ == 0 || cells.front().starts_with("-")) return;
    if (cells.size() != columns_) return desk_.report(Text("accept.log.row", {{"line", line}}), true);
    auto rate = test_of(cells[test_]);
    const auto value = leading_number(cells[rate_]);
    if (!rate || !value) return;
    rate->place = desk_.place(line);
    rate->model = rate->kind = cells[model_];
    rate->rate = *value * unit::tok_s;
    add_rate(desk_, std::move(*rate));
  }

  void take_csv(std::string_view text, long line) {
    const std::vector<std::string> fields = csv_fields(text);
    if (fields.size() != names_.size()) {
      if (text.front() == '"') desk_.report(Text("accept.log.row", {{"line", line}}), true);
      return;
    }
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < fields.size(); ++i) row[names_[i]] = fields[i];
    const auto whole = [&](const char* name) { return integer_of(row[name]).value_or(0); };
    const std::int64_t prompt = whole("n_prompt"), generated = whole("n_gen");
    const auto value = number_of(row["avg_ts"]);
    if (!value || (prompt > 0) == (generated > 0)) return;
    add_rate(desk_, {desk_.place(line), row["model_filename"], row["model_type"], prompt > 0,
                     std::max(prompt, generated), whole("n_depth"), *value * unit::tok_s});
  }

  ReadingDesk desk_;
  std::vector<std::string> names_;
  std::size_t columns_ = 0, model_ = 0, test_ = 0, rate_ = 0;
};

void read_row(const JsonReader& row, const ReadingDesk& desk, long line) {
  const auto whole = [&](const char* key) {
    const auto found = row.find(key);
    const double number = found && found->is_number() ? found->as_number() : 0;
    return number > 0 && number < 1e15 ? static_cast<std::int64_t>(number) : std::int64_t{0};
  };
  const auto words = [&](const char* key) {
    const auto found = row.find(key);
    return found && found->is_string() ? found->as_string() : std::string();
  };
  const std::int64_t prompt = whole("n_prompt"), generated = whole("n_gen");
  if ((prompt > 0) == (generated > 0)) return;
  add_rate(desk, {desk.place(line), words("model_filename"), words("model_type"), prompt > 0,
                  std::max(prompt, generated), whole("n_depth"), row.at("avg_ts").as_number() * unit::tok_s});
}

}  // namespace

std::unique_ptr<TextReader> llama_bench_reader(const ReadingDesk& desk) {
  return std::make_unique<LlamaBenchReader>(desk);
}

void read_llama_bench(const JsonReader& root, const ReadingDesk& desk, long line) {
  if (root.is_object()) return read_row(root, desk, line);
  for (const JsonReader& row : root.elements()) read_row(row, desk, line);
}

}  // namespace roofplan::model
