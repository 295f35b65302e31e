#include "model/catalog/system_reader.hpp"
#include "model/units/error.hpp"
#include "tests/catalog/shipped_systems.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace roofplan::model;
namespace fs = std::filesystem;

namespace {

/// A folder of its own that goes away with it.
class OverlayFolder {
 public:
  OverlayFolder() : path_(fs::temp_directory_path() / ("roofplan-overlay-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~OverlayFolder() { fs::remove_all(path_); }
  OverlayFolder(const OverlayFolder&) = delete;
  OverlayFolder& operator=(const OverlayFolder&) = delete;

  std::string path() const { return path_.string(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }

 private:
  fs::path path_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string kOwnSource =
    R"({"our-meter": {"title": "Our own meter", "unlocated": "kept in house", "date_read": "2026-11-30",
        "tier": "third-party"}})";

}  // namespace

TEST_CASE("An overlay file of the same path replaces the compiled-in one", "[catalog]") {
  const OverlayFolder folder;
  const std::string gb10 = DataFiles().text("systems/gb10.json");
  folder.write("systems/gb10.json", replaced(gb10, "\"value\": 95", "\"value\": 90"));
  const SystemCatalog catalog{DataFiles(folder.path())};
  CHECK(*catalog.find("gb10").power_typical / unit::W == Approx(90));
  CHECK(catalog.ids() == shipped_systems().ids());
}

TEST_CASE("An overlay file of another name replaces the system whose id it carries", "[catalog]") {
  const OverlayFolder folder;
  const std::string gb10 = DataFiles().text("systems/gb10.json");
  folder.write("systems/our-box.json", replaced(gb10, "\"value\": 95", "\"value\": 80"));
  const SystemCatalog catalog{DataFiles(folder.path())};
  CHECK(*catalog.find("dgx-spark").power_typical / unit::W == Approx(80));
  CHECK(catalog.ids() == shipped_systems().ids());
}

TEST_CASE("Compiled-in chips and systems are named by their id", "[catalog]") {
  const DataFiles files;
  for (const char* folder : {"chips", "systems"}) {
    for (const std::string& path : files.in_folder(folder))
      CHECK(path == std::string(folder) + "/" + read_id(files.text(path), path) + ".json");
  }
}

TEST_CASE("Two files of an overlay cannot carry the same id", "[catalog]") {
  const OverlayFolder folder;
  const std::string gb10 = DataFiles().text("systems/gb10.json");
  folder.write("systems/one.json", gb10);
  folder.write("systems/two.json", gb10);
  CHECK_THROWS_AS(SystemCatalog{DataFiles(folder.path())}, InputError);
}

TEST_CASE("An overlay may add a system, with sources of its own", "[catalog]") {
  const OverlayFolder folder;
  std::string card = DataFiles().text("systems/rtx-5090.json");
  card = replaced(card, "\"id\": \"rtx-5090\"", "\"id\": \"two-5090\"");
  card = replaced(card, "[\"GeForce RTX 5090\"]", "[\"our pair\"]");
  card = replaced(card, "\"accelerators\": 1", "\"accelerators\": 2");
  card = replaced(card, "\"spheron-rtx-5090\"", "\"our-meter\"");
  folder.write("systems/two-5090.json", card);
  folder.write("sources.json", kOwnSource);
  const SystemCatalog catalog{DataFiles(folder.path())};
  CHECK(catalog.find("our pair").accelerators == 2);
  CHECK(catalog.find("rtx-5090").accelerators == 1);
  CHECK(catalog.sources().at("our-meter").title == "Our own meter");
  CHECK(catalog.sources().contains("nvidia-dgx-b300-user-guide"));
}

TEST_CASE("An error in an overlay names the file of the overlay", "[catalog]") {
  const OverlayFolder folder;
  folder.write("systems/bad.json", "{\"id\": \"bad\"");
  try {
    SystemCatalog{DataFiles(folder.path())};
    FAIL("accepted a truncated file");
  } catch (const InputError& e) {
    CHECK(e.kind() == InputError::Kind::content);
    CHECK(e.where().file == (fs::path(folder.path()) / "systems/bad.json").string());
  }
}

TEST_CASE("A missing overlay folder is a missing file, not an empty overlay", "[catalog]") {
  try {
    DataFiles("/no/such/folder");
    FAIL("accepted a folder that is not there");
  } catch (const InputError& e) {
    CHECK(e.kind() == InputError::Kind::missing);
  }
}
