#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

namespace roofplan::sim {

/// Makes `count` texts on `threads` threads and hands them on in order, several at a time, so that what is
/// written is the same for any number of threads. `make` runs on any thread and must not share what it
/// changes; `take` runs on one thread at a time and gets so many texts joined. When `stop` becomes true, what
/// was made so far without a gap is handed on and no more begun. Returns how many were handed on. An
/// exception of `make` or `take` is thrown once all before it is handed on: that of the lowest index.
std::int64_t ordered_loop(std::int64_t count, int threads,
                          const std::function<std::string(std::int64_t)>& make,
                          const std::function<void(const std::string&, std::int64_t)>& take,
                          const std::atomic<bool>& stop);

/// The threads that `asked` gives, else those of the machine.
int thread_count(std::int64_t asked);

}  // namespace roofplan::sim
