#include "model/probe/gpu/shared_library.hpp"
#include "model/probe/team/team.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace roofplan::probe {

std::unique_ptr<Team> open_team(const Launch& launch) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string module = (program.parent_path() / "libroofplan_mpi.so").string();
  const SharedLibrary library({module.c_str(), "libroofplan_mpi.so"});
  Team* (*make)() = nullptr;
  if (!library.find(make, {"roofplan_open_team"})) {
    throw model::InputError(model::InputError::Kind::missing,
                            fmt::format("started as {} processes, but libroofplan_mpi.so is not beside the "
                                        "program: it was built without MPI",
                                        launch.size),
                            "one process, or a build with -DROOFPLAN_MPI=ON");
  }
  return std::unique_ptr<Team>(make());
}

}  // namespace roofplan::probe
