#pragma once

#include "model/roofline/operator.hpp"

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace roofplan::model {

/// Times of kernels of one chip by kernel and shape, each worked out when it is first asked for and kept.
/// Step models of many plans and questions share one. Threads may ask at once: a time follows from its key
/// alone, so it is the same whoever asks first.
class KernelTimeStore {
 public:
  struct Key {
    std::string kernel;             ///< kind, formats and variants
    std::array<double, 8> shape{};  ///< sizes and the engine's shares
    auto operator<=>(const Key&) const = default;
  };

  /// What is kept under `key`, else what `make()` returns: a std::unique_ptr<KernelTime>, empty where no law
  /// answers. Lives as long as the store.
  template <class Make>
  const KernelTime* find(const Key& key, Make make) {
    const std::scoped_lock lock(mutex_);
    const auto [at, fresh] = times_.try_emplace(key);
    if (fresh) at->second = make();
    return at->second.get();
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::unique_ptr<const KernelTime>> times_;
};

}  // namespace roofplan::model
