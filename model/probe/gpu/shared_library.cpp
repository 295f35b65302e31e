#include "model/probe/gpu/shared_library.hpp"

#include <dlfcn.h>

namespace roofplan::probe {

SharedLibrary::SharedLibrary(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (handle_ != nullptr) return;
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
}

void* SharedLibrary::symbol(const char* name) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

}  // namespace roofplan::probe
