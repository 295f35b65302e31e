#include "cli/run.hpp"

int main(int argc, char** argv) {
  return roofplan::cli::run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
