#include "tests/cli/process.hpp"

#include "tests/places.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace roofplan::test {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

ProcessResult run_shell(const std::string& command, const fs::path& folder) {
  const fs::path script = folder / ".command", out = folder / ".out", err = folder / ".err";
  std::ofstream(script) << "cd '" << folder.string() << "'\n"
                        << "PATH='" << fs::path(roofplan::test::program()).parent_path().string()
                        << "':$PATH\n"
                        << "unset NO_COLOR CLICOLOR_FORCE ROOFPLAN_DATA\nexport LC_ALL=C.UTF-8 TERM=xterm\n"
                        << command << "\n";
  const std::string line =
      "sh '" + script.string() + "' >'" + out.string() + "' 2>'" + err.string() + "' </dev/null";
  const int status = std::system(line.c_str());
  ProcessResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_file(out);
  result.err = read_file(err);
  return result;
}

}  // namespace roofplan::test
