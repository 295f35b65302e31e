#include <cstdio>

int main() {
  std::puts("roofplan");
  return 0;
}
