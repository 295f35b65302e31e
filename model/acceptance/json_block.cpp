#include "model/acceptance/json_block.hpp"

#include <cctype>

namespace roofplan::model {

bool JsonBlocks::opens(std::string_view text) const {
  const std::string_view rest = trimmed(text.substr(1));
  if (text.front() == '{') return rest.empty() || rest.front() == '"' || rest.front() == '}';
  return text.front() == '[' && (rest.empty() || rest.front() == '{');
}

bool JsonBlocks::may_continue(std::string_view text) const {
  const char c = text.front();
  if (c == '{' || c == '[') return opens(text) ? last_ == ',' || last_ == '[' || last_ == ':' : c == '[';
  if (c == '}' || c == ']' || c == ',' || c == '"' || c == ':') return true;
  // A bare number or word stands alone or before a comma.
  const std::size_t blank = text.find(' ');
  const bool single = blank == std::string_view::npos || text[blank - 1] == ',';
  return single && (std::isdigit(static_cast<unsigned char>(c)) || c == '-' || text.starts_with("true") ||
                    text.starts_with("false") || text.starts_with("null"));
}

bool JsonBlocks::take(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  if (text.empty()) return depth_ > 0;
  if (depth_ > 0) {
    if (may_continue(text)) {
      append(text);
      return true;
    }
    if (!opens(text)) return false;
    end(false);
  }
  if (!opens(text)) return false;
  line_ = line.number;
  append(text);
  return true;
}

void JsonBlocks::append(std::string_view text) {
  bool in_string = false;
  std::size_t used = 0;
  for (; used < text.size(); ++used) {
    const char c = text[used];
    if (in_string) {
      if (c == '\\') ++used;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && --depth_ == 0) {
      ++used;
      break;
    }
  }
  used = std::min(used, text.size());
  last_ = text[used - 1];
  text_.append(text.substr(0, used)).push_back('\n');
  if (depth_ <= 0 || in_string || text_.size() > kMost) end(depth_ <= 0 && !in_string);
}

void JsonBlocks::end(bool whole) {
  take_(text_, line_, whole);
  text_.clear();
  text_.shrink_to_fit();
  depth_ = 0;
  last_ = 0;
}

void JsonBlocks::finish() {
  if (depth_ > 0) end(false);
}

}  // namespace roofplan::model
