#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The values that a field takes in a sweep, as text that set_field reads. Of a range only its ends are kept,
/// so that a million values cost no memory.
class SweepValues {
 public:
  /// Reads values with commas between, each a word, "a-b+s" (from a to b in steps of s) or "a-b*f" (each f
  /// times the one before, f > 1). Throws InputError (usage) for an empty value, and for ranges that are
  /// empty or have more than a million values.
  explicit SweepValues(std::string_view text);

  std::int64_t size() const { return size_; }
  /// The value `index` of size().
  std::string at(std::int64_t index) const;
  /// Indices of values that stand for all: a field takes numbers of one interval, or whole ones of it, so
  /// that of equal steps the first two and the last tell.
  std::vector<std::int64_t> telling() const;

 private:
  /// A word, or a range where `count` is above 0 and the word empty.
  struct Item {
    std::string word;
    double from = 0, to = 0, step = 0;
    bool times = false;
    std::int64_t first = 0, count = 1;

    double value(std::int64_t index) const;
    double tolerance() const;
    void count_values(std::string_view text);
  };
  static Item item_of(std::string_view text);

  std::vector<Item> items_;
  std::int64_t size_ = 0;
};

}  // namespace roofplan::model
