#pragma once

#include "model/units/text.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roofplan::model::report {

/// A result for machines: an ordered tree that knows no file format. Numbers are bare, so the key names the
/// unit ("weights_bytes"). A number is finite: NaN and infinities throw std::domain_error when put in.
class Value {
 public:
  struct Member;
  struct Unknown {
    Text reason;  ///< written beside the null as "<key>_reason"; may be empty
  };
  using List = std::vector<Value>;
  using Object = std::vector<Member>;
  using Content = std::variant<Unknown, bool, std::int64_t, double, std::string, Text, List, Object>;

  Value() = default;  ///< null without a reason, as foreign JSON has it; our own results say why (unknown())
  Value(bool b) : content_(b) {}
  template <std::integral I>
  requires(!std::same_as<I, bool>) Value(I n) : content_(static_cast<std::int64_t>(n)) {}
  Value(double number);
  Value(ByteCount bytes) : content_(bytes.count()) {}
  Value(std::string text) : content_(std::move(text)) {}
  Value(std::string_view text) : content_(std::string(text)) {}
  Value(const char* text) : content_(std::string(text)) {}
  Value(Text text) : content_(std::move(text)) {}

  static Value unknown(Text reason);
  /// The value where there is one, else null with the reason.
  template <class T>
  static Value known_or(const std::optional<T>& value, Text reason) {
    return value ? Value(*value) : unknown(std::move(reason));
  }
  static Value list(List items = {});
  /// A list of the items as values.
  static Value list_of(const auto& items) { return list(List(items.begin(), items.end())); }
  static Value object();

  /// Appends a member and returns the object, so that calls chain. Throws std::logic_error when this is no
  /// object or has the key already.
  Value& add(std::string key, Value value);
  /// Adds `key`, `key`_low and `key`_high.
  Value& add_range(const std::string& key, double value, double low, double high);
  /// Appends an element. Throws std::logic_error when this is no list.
  Value& push(Value value);

  bool is_unknown() const { return std::holds_alternative<Unknown>(content_); }
  bool is_list() const { return std::holds_alternative<List>(content_); }
  bool is_object() const { return std::holds_alternative<Object>(content_); }
  const Content& content() const { return content_; }
  /// Members of an object, elements of a list; empty for everything else.
  const Object& members() const;
  const List& elements() const;
  /// The value below a path of keys with dots ("per_device.kv_bytes"), or nullptr. An empty path is the
  /// value.
  const Value* find(std::string_view path) const;

 private:
  Content content_;
};

struct Value::Member {
  std::string key;
  Value value;
};

/// The value of a JSON text. Throws InputError (content).
Value value_of_json(std::string_view text, const std::string& file);

/// Neither a list nor an object.
bool is_scalar(const Value& value);

}  // namespace roofplan::model::report
