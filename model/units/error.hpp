#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// Where in the input a fault lies. Empty parts are left out of the message.
struct Location {
  std::string file;     ///< path or flag, as the user named it
  std::string pointer;  ///< JSON pointer ("/system/count") or column name
  long line = 0;        ///< 1-based; 0 when unknown

  std::string to_string() const;
};

/// Bad input, told so that it can be mended: where, what is wrong, what was expected, what was near.
/// The only exception that reaches main().
class InputError : public std::exception {
 public:
  enum class Kind {
    usage,    ///< a verb, flag, name or flag value (exit code 2)
    content,  ///< the content of a file (exit code 3)
    missing,  ///< a needed file, device or library is not there (exit code 4)
  };

  InputError(Kind kind, std::string message, std::string expected = {}, Location where = {},
             std::vector<std::string> nearest = {});

  const char* what() const noexcept override { return text_.c_str(); }
  Kind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& expected() const { return expected_; }
  const Location& where() const { return where_; }
  const std::vector<std::string>& nearest() const { return nearest_; }

  /// The same error, located: fills the parts of the location that are still empty.
  InputError at(const Location& where) const;
  /// The same error of another kind (a name typed as a flag is usage, the same in a file is content).
  InputError as(Kind kind) const;

 private:
  Kind kind_;
  std::string message_, expected_;
  Location where_;
  std::vector<std::string> nearest_;
  std::string text_;
};

/// Up to `most` of `choices` that a mistyped `word` may have meant, nearest first: prefixes and small edit
/// distances (a third of the word's length, at least 2), else those that share over half of it from its start.
std::vector<std::string> nearest_names(std::string_view word, const std::vector<std::string>& choices,
                                       std::size_t most = 3);

}  // namespace roofplan::model
