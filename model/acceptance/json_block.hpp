#pragma once

#include "model/acceptance/text_reader.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace roofplan::model {

/// Finds JSON documents among the lines of a log: "{" or "[" that opens a document, up to the bracket that
/// closes it. Lines in between that cannot be JSON are left to others, so that messages of another process
/// break nothing; a document that starts where no value may stand ends the one before it, cut short.
class JsonBlocks {
 public:
  static constexpr std::size_t kMost = std::size_t{16} << 20;

  /// `take` gets each document with its first line, and whether it is whole.
  using Take = std::function<void(std::string_view text, long line, bool whole)>;
  explicit JsonBlocks(Take take) : take_(std::move(take)) {}

  /// Whether the line is part of a document.
  bool take(const LogLine& line);
  void finish();

 private:
  bool opens(std::string_view text) const;
  bool may_continue(std::string_view text) const;
  void append(std::string_view text);
  void end(bool whole);

  Take take_;
  std::string text_;
  long line_ = 0;
  int depth_ = 0;
  char last_ = 0;  ///< last character that is no blank
};

/// Reads the documents of nvbandwidth -j, dcgmi diag -j, llama-bench -o json and jsonl, and our calibration
/// files.
JsonBlocks json_logs(const ReadingDesk& desk);

}  // namespace roofplan::model
