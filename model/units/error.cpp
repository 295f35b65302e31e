#include "model/units/error.hpp"

#include "model/units/lower_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace roofplan::model {

std::string Location::to_string() const {
  std::string out = file;
  if (line > 0) out += fmt::format("{}line {}", out.empty() ? "" : ":", line);
  if (!pointer.empty()) out += fmt::format("{}{}", out.empty() ? "" : ": ", pointer);
  return out;
}

InputError::InputError(Kind kind, std::string message, std::string expected, Location where,
                       std::vector<std::string> nearest)
    : kind_(kind),
      message_(std::move(message)),
      expected_(std::move(expected)),
      where_(std::move(where)),
      nearest_(std::move(nearest)) {
  const std::string place = where_.to_string();
  text_ = place.empty() ? message_ : place + ": " + message_;
  if (!expected_.empty()) text_ += "; expected " + expected_;
  if (!nearest_.empty()) text_ += fmt::format("; did you mean {}?", fmt::join(nearest_, ", "));
}

InputError InputError::at(const Location& where) const {
  Location merged = where_;
  if (merged.file.empty()) merged.file = where.file;
  if (merged.pointer.empty()) merged.pointer = where.pointer;
  if (merged.line == 0) merged.line = where.line;
  return {kind_, message_, expected_, merged, nearest_};
}

InputError InputError::as(Kind kind) const {
  return {kind, message_, expected_, where_, nearest_};
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

using Ranked = std::vector<std::pair<std::size_t, std::string>>;

/// Choices of the same family as a word that is far from all: "llama-3-8b" for "llama-9".
Ranked of_the_family(const std::string& wanted, const std::vector<std::string>& choices) {
  constexpr std::size_t kShortestStem = 4;
  std::size_t longest = std::max(kShortestStem, wanted.size() / 2 + 1);
  Ranked found;
  for (const std::string& choice : choices) {
    const std::string candidate = lower_case(choice);
    const auto parted = std::mismatch(wanted.begin(), wanted.end(), candidate.begin(), candidate.end());
    const auto shared = static_cast<std::size_t>(parted.first - wanted.begin());
    if (shared < longest) continue;
    if (shared > longest) found.clear();
    longest = shared;
    found.emplace_back(edit_distance(wanted, candidate), choice);
  }
  return found;
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view word, const std::vector<std::string>& choices,
                                       std::size_t most) {
  constexpr std::size_t kLongestWord = 100;  // a longer word is no typing slip, and the distance is quadratic
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string wanted = lower_case(std::string(word));
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  Ranked found;
  for (const std::string& choice : choices) {
    const std::string candidate = lower_case(choice);
    const bool related = wanted.size() >= 3 && candidate.find(wanted) != std::string::npos;
    const std::size_t distance = edit_distance(wanted, candidate);
    if (distance <= limit) {
      found.emplace_back(distance, choice);
    } else if (related) {
      found.emplace_back(limit + 1, choice);
    }
  }
  if (found.empty()) found = of_the_family(wanted, choices);
  std::sort(found.begin(), found.end());
  std::vector<std::string> out;
  for (const auto& entry : found) {
    if (out.size() == most) break;
    if (std::find(out.begin(), out.end(), entry.second) == out.end()) out.push_back(entry.second);
  }
  return out;
}

}  // namespace roofplan::model
