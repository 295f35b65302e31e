#include "model/units/error.hpp"
#include "tests/catalog/shipped_systems.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {
std::string recognised(std::string_view text) {
  const System* system = shipped_systems().recognise(text);
  return system == nullptr ? "" : system->id;
}
}  // namespace

TEST_CASE("Every system of the command line's contract is there", "[catalog]") {
  for (const char* id :
       {"gb10", "dgx-b300", "dgx-b300-ac", "gb300-nvl72", "dgx-b200", "gb200-nvl72", "dgx-h200", "dgx-h100",
        "dgx-a100", "h100-pcie", "h100-nvl", "dgx-station-gb300", "rtx-pro-6000", "rtx-5090"}) {
    INFO(id);
    CHECK(shipped(id).id == id);
  }
}

TEST_CASE("Aliases and the names of measurement files find their system", "[catalog]") {
  const std::vector<std::pair<const char*, const char*>> names{
      {"dgx-spark", "gb10"},
      {"dell-pro-max-gb10", "gb10"},
      {"DGX Spark (GB10)", "gb10"},
      {"Dell Pro Max GB10", "gb10"},
      {"b300_sxm", "dgx-b300"},
      {"gb300", "gb300-nvl72"},
      {"gb200", "gb200-nvl72"},
      {"b200_sxm", "dgx-b200"},
      {"h200_sxm", "dgx-h200"},
      {"h100_sxm", "dgx-h100"},
      {"a100_sxm", "dgx-a100"},
      {"rtx_pro_6000_server", "rtx-pro-6000"},
      {"RTX PRO 6000 Blackwell WS", "rtx-pro-6000"},
      {"RTX PRO 6000 Blackwell Max-Q", "rtx-pro-6000-max-q"},
      {"GB300 NVL72", "gb300-nvl72"},
      {"GB200 NVL72", "gb200-nvl72"},
      {"DGX H100", "dgx-h100"},
      {"Apple M2 Ultra", "mac-studio-m2-ultra"},
      {"Strix Halo 128GB (Ryzen AI Max+ 395)", "strix-halo"},
      {"RTX 3090", "rtx-3090"},
      {"RTX 4090", "rtx-4090"},
      {"L40S 48GB", "l40s"},
      {"A100 PCIe 80GB", "a100-pcie"},
  };
  for (const auto& [name, id] : names) {
    INFO(name);
    CHECK(shipped(name).id == id);
  }
}

TEST_CASE("Names are found in any letter case and punctuation", "[catalog]") {
  CHECK(shipped("DGX B300").id == "dgx-b300");
  CHECK(shipped("dgxb300").id == "dgx-b300");
  CHECK(shipped("Gb300_Nvl72").id == "gb300-nvl72");
}

TEST_CASE("A GB300 workstation is the DGX Station, not a rack (field report S3)", "[catalog]") {
  CHECK(shipped("GB300-WS").id == "dgx-station-gb300");
  CHECK(recognised("NVIDIA GB300 workstation, 252 GB") == "dgx-station-gb300");
  const System& station = shipped("dgx-station-gb300");
  CHECK(station.chip.memory_marketed->count() == 252'000'000'000);
  CHECK(*station.chip.memory_bandwidth / unit::TB_s == Approx(7.1));
  CHECK(*shipped("gb300").chip.memory_bandwidth / unit::TB_s == Approx(8.0));
}

TEST_CASE("Longer names of measurement lists are recognised by their longest part", "[catalog]") {
  const std::vector<std::pair<const char*, const char*>> names{
      {"B200-SXM-180GB / XE9680L_B200_SXM_180GBx8_TRT", "dgx-b200"},
      {"GB200 / GB200-NVL72_GB200-186GB_aarch64x72_TRT", "gb200-nvl72"},
      {"GB300 / GB300-NVL8-CoreWeave_TRT", "gb300-nvl72"},
      {"GB300 (2 trays)", "gb300-nvl72"},
      {"4x GB300 NVL72", "gb300-nvl72"},
      {"H100-SXM5-80GB / Eos-dfw (1024x NVIDIA HGX H100)", "dgx-h100"},
      {"H200-SXM5-141GB / HPE Cray XD670 n4 (32x H200-SXM-141GB)", "dgx-h200"},
      {"Virtualized H200-SXM-141GB / vXE9680_H200-SXM-141GBx8_TRT", "dgx-h200"},
      {"Blackwell GPU (GB200) / BM.GPU.GB200.4", "gb200-nvl72"},
      {"Blackwell GPU (B200-SXM-180GB) / Nyx (1x NVIDIA DGX B200)", "dgx-b200"},
      {"Blackwell Ultra GPU (B300-SXM-270GB) / Nebius B300 n1 (8x B300-SXM-270GB)", "dgx-b300"},
      {"Blackwell Ultra GPU (GB300) / Theia (8x NVIDIA GB300 NVL72)", "gb300-nvl72"},
      {"RTX PRO 6000 Blackwell Server Edition / XE7740_RTXPro6000_PCIe_96GBx8_TRT", "rtx-pro-6000"},
      {"L40S / IBM_Cloud_gx3-48x240x2l40s_vLLM", "l40s"},
      {"A100 SXM4 80GB (Azure ND A100 v4)", "dgx-a100"},
      {"H100 SXM5 80GB (Azure ND H100 v5)", "dgx-h100"},
      {"GB200 185GB (Azure ND GB200 v6, 4-GPU tray)", "gb200-nvl72"},
      {"8x A100 SXM 80GB", "dgx-a100"},
      {"A100 SXM 80GB x4", "dgx-a100"},
      {"Framework Desktop Strix Halo 128GB", "strix-halo"},
      {"RTX 4090 desktop PC", "rtx-4090"},
      {"Apple M3 Ultra 512GB", "mac-studio-m3-ultra"},
      {"H200 x8", "dgx-h200"},
      {"H200 8-GPU HGX", "dgx-h200"},
      {"HGX H100 8-GPU node", "dgx-h100"},
      {"H100 8-GPU x2 nodes", "dgx-h100"},
      {"GB200 NVL72 (20 racks)", "gb200-nvl72"},
      {"B200 AWS p6-b200 x4 nodes", "dgx-b200"},
  };
  for (const auto& [name, id] : names) {
    INFO(name);
    CHECK(recognised(name) == id);
  }
}

TEST_CASE("Names of machines outside the catalogue are recognised as nothing", "[catalog]") {
  for (const char* name :
       {"GB10 + Strix Halo (RPC)", "H100 (form not stated)", "H100/H800 class SM90", "GH200 SXM", "V100",
        "RTX 5090D", "RTX 5080", "Vera Rubin NVL72 (preview)", "Jetson Thor", "Apple M4 Max 36GB",
        "H200-NVL-141GB / XE7745_H200_NVL_141GBx8_TRT", "A100 AWS p4d x4 nodes", "A100 80GB 1g.10gb", ""}) {
    INFO(name);
    CHECK(recognised(name).empty());
  }
}

TEST_CASE("An unknown system is a usage error with the nearest names", "[catalog]") {
  try {
    shipped("dgx-b30");
    FAIL("accepted an unknown system");
  } catch (const InputError& e) {
    CHECK(e.kind() == InputError::Kind::usage);
    REQUIRE(!e.nearest().empty());
    CHECK(e.nearest()[0].starts_with("dgx-b3"));
  }
}

TEST_CASE("This machine is missing until it has been calibrated", "[catalog]") {
  try {
    shipped("this");
    FAIL("accepted a machine that nobody measured");
  } catch (const InputError& e) {
    CHECK(e.kind() == InputError::Kind::missing);
    CHECK(e.expected().find("calibrate") != std::string::npos);
  }
}

TEST_CASE("Systems are listed from cards over desktops and nodes to racks", "[catalog]") {
  const auto ids = shipped_systems().ids();
  const auto at = [&](const char* id) { return std::find(ids.begin(), ids.end(), id) - ids.begin(); };
  CHECK(at("rtx-5090") < at("gb10"));
  CHECK(at("gb10") < at("dgx-b300"));
  CHECK(at("dgx-b300") < at("gb300-nvl72"));
}
