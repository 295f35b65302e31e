#include "cli/output/terminal.hpp"

#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace roofplan::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

int terminal_width() {
  if (::isatty(STDOUT_FILENO) == 0) return 0;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  constexpr int kUsualWidth = 80;
  return kUsualWidth;
}

bool wants_colour(std::string_view setting) {
  if (setting == "always") return true;
  if (setting == "never" || !environment("NO_COLOR").empty()) return false;
  const std::string_view force = environment("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  if (environment("TERM") == "dumb") return false;
  return ::isatty(STDOUT_FILENO) != 0;
}

}  // namespace roofplan::cli
