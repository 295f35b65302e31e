#include "model/calibration/calibration_file.hpp"
#include "tests/cli/process.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;

TEST_CASE("two processes under mpirun measure what they exchange, and the first writes it",
          "[probe][team][slow]") {
  const test::TemporaryFolder folder;
  const bool here =
      test::run_shell("command -v mpirun && test -e $(dirname $(command -v roofplan))/libroofplan_mpi.so",
                      folder.path())
          .exit_code == 0;
  if (!here) return;  // built without MPI, or no launcher
  // Open MPI keeps memory of its own to the end, which the leak checker of a sanitized build would report.
  const std::string allowed =
      "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0 "
      "OMPI_MCA_btl_vader_single_copy_mechanism=none;";
  const test::ProcessResult result = test::run_shell(
      allowed + "mpirun --oversubscribe -n 2 roofplan calibrate --backend cpu --quick -q --out team.json",
      folder.path());
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.empty());
  const model::Calibration c = model::read_calibration(folder.path("team.json"));
  CHECK(c.device.accelerators == 2);
  for (const char* kind : {"all_reduce", "all_gather"}) {
    const auto& law = c.at(std::string("machine/collective/") + kind + "/2");
    // Slower than a memory, faster than a disk: what two processes of one machine exchange.
    CHECK(law.value("rate") > 0.05);
    CHECK(law.value("rate") < 500);
  }
  const std::string notes = c.notes.empty() ? "" : c.notes.front();
  CHECK(notes.find("2 processes exchanged") != std::string::npos);
}
