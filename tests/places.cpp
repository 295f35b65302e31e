#include "tests/places.hpp"

namespace roofplan::test {

std::string source_root() {
  return ROOFPLAN_SOURCE_DIR;
}
std::string program() {
  return ROOFPLAN_PROGRAM;
}

}  // namespace roofplan::test
