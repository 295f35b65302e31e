#pragma once

namespace roofplan::cli {

/// What the program returns. Part of the contract with scripts.
namespace exit_code {
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;     ///< does not fit, no plan, acceptance failed, comparison differs
inline constexpr int kUsage = 2;          ///< unknown verb, flag or name; a value out of range
inline constexpr int kBadContent = 3;     ///< the content of a file
inline constexpr int kMissing = 4;        ///< a file, device or library
inline constexpr int kStopped = 5;        ///< at a limit or interrupted, partial results printed
inline constexpr int kInternal = 70;      ///< a fault of this program
inline constexpr int kInterrupted = 130;  ///< before any result
}  // namespace exit_code

}  // namespace roofplan::cli
