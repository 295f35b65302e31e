#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace roofplan::model {

/// One line of a log without line end, terminal escapes and control characters; a tab is a blank.
struct LogLine {
  std::string_view text;
  long number = 0;       ///< 1-based, by line feeds
  bool cut = false;      ///< longer than the splitter takes; the rest is lost
  bool garbled = false;  ///< a tenth of its bytes or more are no text
  /// The file ends behind a digit of this line, without a line end: its last number may be cut.
  bool may_go_on = false;
};

/// Cuts a stream of bytes into lines, whatever it holds: line ends of Unix, Windows and old progress bars
/// (a lone carriage return ends a line too), NULs, UTF-16 of plain text, escape sequences, lines without
/// end. Holds at most one line of `most` bytes.
class LineSplitter {
 public:
  static constexpr std::size_t kMost = std::size_t{4} << 20;

  explicit LineSplitter(std::function<void(const LogLine&)> take, std::size_t most = kMost)
      : take_(std::move(take)), most_(most) {}

  void feed(std::string_view bytes);
  /// Hands over what stands behind the last line end.
  void finish();
  long lines() const { return number_; }

 private:
  void end_line(long number, bool may_go_on = false);

  std::function<void(const LogLine&)> take_;
  std::size_t most_;
  std::string line_;
  std::string clean_;
  long number_ = 0;
  bool cut_ = false;
  bool after_return_ = false;
};

/// The text without escape sequences (ECMA-48 CSI and OSC) and control characters. `buffer` is used where
/// something has to go.
std::string_view without_controls(std::string_view text, std::string& buffer);

/// Whether a tenth of the bytes or more, and four at least, are no text: control characters that no terminal
/// is sent, and bytes that are no UTF-8 (RFC 3629). Every second byte may be NUL, as in UTF-16 of plain text.
bool is_garbled(std::string_view bytes);

}  // namespace roofplan::model
