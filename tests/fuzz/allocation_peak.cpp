#include "tests/fuzz/allocation_peak.hpp"

#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

std::atomic<bool> counting{false};
std::atomic<std::int64_t> held{0};
std::atomic<std::int64_t> peak{0};

void note(std::int64_t bytes) {
  const std::int64_t now = held.fetch_add(bytes) + bytes;
  if (now > peak.load()) peak.store(now);
}

void* take_or_null(std::size_t bytes) noexcept {
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory != nullptr && counting.load(std::memory_order_relaxed)) {
    note(static_cast<std::int64_t>(malloc_usable_size(memory)));
  }
  return memory;
}

void* take(std::size_t bytes) {
  void* const memory = take_or_null(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) {
  if (memory != nullptr && counting.load(std::memory_order_relaxed)) {
    note(-static_cast<std::int64_t>(malloc_usable_size(memory)));
  }
  std::free(memory);
}

}  // namespace

// All forms are replaced: a sanitizer brings its own of those that are left out, and they must match.
void* operator new(std::size_t bytes) {
  return take(bytes);
}
void* operator new[](std::size_t bytes) {
  return take(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return take_or_null(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return take_or_null(bytes);
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}

namespace roofplan::test {

AllocationPeak::AllocationPeak() {
  held = 0;
  peak = 0;
  counting = true;
}

AllocationPeak::~AllocationPeak() {
  counting = false;
}

std::int64_t AllocationPeak::bytes() const {
  return peak;
}

}  // namespace roofplan::test
