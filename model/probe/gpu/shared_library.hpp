#pragma once

#include <initializer_list>

namespace roofplan::probe {

/// A library opened at run time, so that a program starts where it is not there. It stays open: drivers do
/// not take well to being unloaded.
class SharedLibrary {
 public:
  /// The first of `names` that can be opened; none: opened() is false and every function is nullptr.
  explicit SharedLibrary(std::initializer_list<const char*> names);

  bool opened() const { return handle_ != nullptr; }
  /// Sets `function` to the first of `names` that the library has, else to nullptr. True where it has one.
  template <class Function>
  bool find(Function*& function, std::initializer_list<const char*> names) const {
    function = nullptr;
    for (const char* name : names) {
      if (function == nullptr) function = reinterpret_cast<Function*>(symbol(name));
    }
    return function != nullptr;
  }

 private:
  void* symbol(const char* name) const;

  void* handle_ = nullptr;
};

}  // namespace roofplan::probe
