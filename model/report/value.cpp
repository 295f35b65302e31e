#include "model/report/value.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace roofplan::model::report {

Value::Value(double number) : content_(number) {
  if (!std::isfinite(number)) throw std::domain_error("a result is not a finite number");
}

Value Value::unknown(Text reason) {
  Value value;
  value.content_ = Unknown{std::move(reason)};
  return value;
}

Value Value::list(List items) {
  Value value;
  value.content_ = std::move(items);
  return value;
}

Value Value::object() {
  Value value;
  value.content_ = Object{};
  return value;
}

Value& Value::add(std::string key, Value value) {
  auto* object = std::get_if<Object>(&content_);
  if (object == nullptr) throw std::logic_error("a member is added to a value that is no object");
  const auto same = [&](const Member& m) { return m.key == key; };
  if (std::any_of(object->begin(), object->end(), same)) {
    throw std::logic_error("the result has the key \"" + key + "\" twice");
  }
  object->push_back({std::move(key), std::move(value)});
  return *this;
}

Value& Value::add_range(const std::string& key, double value, double low, double high) {
  return add(key, value).add(key + "_low", low).add(key + "_high", high);
}

Value& Value::push(Value value) {
  auto* items = std::get_if<List>(&content_);
  if (items == nullptr) throw std::logic_error("an element is added to a value that is no list");
  items->push_back(std::move(value));
  return *this;
}

const Value::Object& Value::members() const {
  static const Object kNone;
  const auto* object = std::get_if<Object>(&content_);
  return object != nullptr ? *object : kNone;
}

const Value::List& Value::elements() const {
  static const List kNone;
  const auto* items = std::get_if<List>(&content_);
  return items != nullptr ? *items : kNone;
}

const Value* Value::find(std::string_view path) const {
  if (path.empty()) return this;
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot);
  for (const Member& member : members()) {
    if (member.key != key) continue;
    return dot == std::string_view::npos ? &member.value : member.value.find(path.substr(dot + 1));
  }
  return nullptr;
}

bool is_scalar(const Value& value) {
  return !value.is_list() && !value.is_object();
}

}  // namespace roofplan::model::report
