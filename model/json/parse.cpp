#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace roofplan::model {
namespace {

/// nlohmann's number of the error for a number that no double holds.
constexpr int kNumberOverflow = 406;

long line_of(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + std::count(text.begin(), end, '\n');
}

/// Builds the document while refusing what nlohmann would let pass: duplicate keys and deep nesting.
class Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(std::string_view text, const std::string& file, int max_depth)
      : text_(text), file_(file), max_depth_(max_depth) {}

  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool v) override { return add(v); }
  bool number_integer(number_integer_t v) override { return add(v); }
  bool number_unsigned(number_unsigned_t v) override { return add(v); }
  bool number_float(number_float_t v, const string_t&) override { return add(v); }
  bool string(string_t& v) override { return add(std::move(v)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return keys_.pop_back(), close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return keys_.pop_back(), close(); }
  bool key(string_t& k) override {
    if (!keys_.back().insert(k).second) {
      throw InputError(InputError::Kind::content, fmt::format("the key \"{}\" stands twice in one object", k),
                       {}, {file_, {}, 0});
    }
    key_ = std::move(k);
    return true;
  }
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& e) override {
    const std::string what = e.what();
    const std::size_t colon = what.rfind("syntax error");
    std::string message = colon == std::string::npos ? "malformed JSON" : what.substr(colon);
    if (message.size() > 200) message = message.substr(0, 200) + "...";
    if (e.id == kNumberOverflow)
      message = fmt::format("the number {} is beyond what a double holds", token);
    else if (colon == std::string::npos && !token.empty())
      message += " near \"" + token.substr(0, 40) + "\"";
    throw InputError(InputError::Kind::content, message, {}, {file_, {}, line_of(text_, position)});
  }

 private:
  Json* slot(Json&& v) {
    if (stack_.empty()) return root_ = std::move(v), &root_;
    Json& parent = *stack_.back();
    if (parent.is_array()) return parent.push_back(std::move(v)), &parent.back();
    // Keys are known to be new here; emplace_back skips the search for an equal one.
    auto& members = parent.get_ref<Json::object_t&>();
    members.emplace_back(std::move(key_), std::move(v));
    return &members.back().second;
  }
  bool add(Json v) { return slot(std::move(v)), true; }
  bool open(Json&& v) {
    if (static_cast<int>(stack_.size()) >= max_depth_) {
      throw InputError(InputError::Kind::content, fmt::format("nested deeper than {} levels", max_depth_), {},
                       {file_, {}, 0});
    }
    stack_.push_back(slot(std::move(v)));
    keys_.emplace_back();
    return true;
  }
  bool close() { return stack_.pop_back(), true; }

  std::string_view text_;
  const std::string& file_;
  int max_depth_;
  Json root_;
  std::vector<Json*> stack_;
  std::vector<std::unordered_set<std::string>> keys_;
  std::string key_;
};

/// Python's json writes Infinity, -Infinity and NaN bare. Outside strings they become null, padded with
/// spaces so that positions in messages stay true.
std::string without_bare_infinity(std::string_view text) {
  std::string out(text);
  bool in_string = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (in_string && out[i] == '\\') {
      ++i;
    } else if (out[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
        if (std::string_view(out).substr(i, word.size()) != word) continue;
        std::string replacement = "null";
        replacement.resize(std::max(word.size(), replacement.size()), ' ');
        out.replace(i, word.size(), replacement);
        break;
      }
    }
  }
  return out;
}

}  // namespace

Json parse_json(std::string_view text, const std::string& file, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    throw InputError(InputError::Kind::content,
                     fmt::format("the document is larger than {} MiB", limits.max_bytes >> 20), {},
                     {file, {}, 0});
  }
  std::string changed;
  if (limits.bare_infinity) {
    changed = without_bare_infinity(text);
    text = changed;
  }
  Builder builder(text, file, limits.max_depth);
  if (!Json::sax_parse(text.begin(), text.end(), &builder)) {
    throw InputError(InputError::Kind::content, "malformed JSON", {}, {file, {}, 0});
  }
  return builder.take();
}

}  // namespace roofplan::model
