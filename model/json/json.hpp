#pragma once

// The only header that includes nlohmann. Include it from sources, never from headers.

#include "model/units/error.hpp"
#include "model/units/unit_text.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// JSON with the keys of an object in the order in which they were written.
using Json = nlohmann::ordered_json;

struct JsonLimits {
  std::size_t max_bytes = std::size_t{64} << 20;
  int max_depth = 64;
  bool bare_infinity = false;  ///< accept Infinity and NaN outside strings (as null), as Python writes them
};

/// Parses a whole document. Throws InputError (content) with file and line for malformed text, duplicate
/// keys, numbers beyond double, nesting beyond the limit, text after the document; never crashes on garbage.
Json parse_json(std::string_view text, const std::string& file, const JsonLimits& limits = {});

/// Reads a file whole. Throws InputError: missing when it cannot be opened or is a folder, content when it
/// is larger than `max_bytes`.
std::string read_text_file(const std::string& path, std::size_t max_bytes = std::size_t{64} << 20);

/// Writes to a temporary file beside `path`, then renames. Throws InputError (missing) on failure, nothing
/// half-written.
void write_text_file(const std::string& path, std::string_view text);
/// Throws as write_text_file() would where the file's folder takes no files, before there is a text.
void check_writable(const std::string& path);

/// A view of one JSON value that knows where it stands, for readers that check everything. An object reader
/// remembers which keys were asked for; `finish()` refuses the others with the nearest known key.
/// All errors are InputError (content) with file and JSON pointer.
class JsonReader {
 public:
  JsonReader(const Json& value, std::string file, std::string pointer = {});

  const Json& value() const { return *value_; }
  const std::string& file() const { return file_; }
  const std::string& pointer() const { return pointer_; }
  Location where() const { return {file_, pointer_, 0}; }

  bool is_null() const { return value_->is_null(); }
  bool is_object() const { return value_->is_object(); }
  bool is_array() const { return value_->is_array(); }
  bool is_string() const { return value_->is_string(); }
  bool is_number() const { return value_->is_number(); }

  /// Member of an object; refuses a value that is no object, and a missing key.
  JsonReader at(std::string_view key) const;
  /// Member of an object, or nothing where the key is missing or null.
  std::optional<JsonReader> find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key).has_value(); }
  /// Elements of an array; refuses a value that is no array.
  std::vector<JsonReader> elements() const;
  /// Members of an object in order; marks them all as read.
  std::vector<std::pair<std::string, JsonReader>> members() const;
  /// Marks a key as known without reading it.
  void ignore(std::string_view key) const;
  /// Throws when the object has keys that nobody asked for.
  void finish() const;

  std::string as_string() const;
  bool as_bool() const;
  double as_number() const;
  /// A whole number in [low, high]; a number such as 8.0 counts as whole.
  std::int64_t as_integer(std::int64_t low = INT64_MIN, std::int64_t high = INT64_MAX) const;
  /// A string among `choices`.
  std::string as_word(const std::vector<std::string>& choices) const;
  /// A number in the unit `default_unit`, or a string with a unit of its own ("40 kW").
  template <class Q>
  Q as_quantity(std::string_view default_unit) const {
    if (is_number()) return quantity_in<Q>(as_number(), default_unit);
    try {
      return parse_quantity<Q>(as_string());
    } catch (const InputError& e) {
      throw e.as(InputError::Kind::content).at(where());
    }
  }

  [[noreturn]] void fail(std::string message, std::string expected = {},
                         std::vector<std::string> nearest = {}) const;

 private:
  const Json* value_;
  std::string file_, pointer_;
  mutable std::set<std::string, std::less<>> known_;
};

}  // namespace roofplan::model
