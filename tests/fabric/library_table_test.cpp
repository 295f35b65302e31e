#include "model/fabric/library_table.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

Protocol choice(LinkClass link, Collective op, int ranks, double mebibytes, int element = 2) {
  return library_choice(link, {op, mebibytes * unit::MiB, ranks, element});
}

}  // namespace

TEST_CASE("the library leaves LL where its own table says, all-gather on eight H100", "[fabric]") {
  // LL 6.6 + 7 x 0.6 = 10.8 us at 141 GB/s; LL128 14 + 7 x 1.9 = 27.3 us at 331.2 GB/s: equal at
  // 16.5 us / (7/8 (1/141 - 1/331.2)) = 4.63 MB. Simple 32.2 us at 360 GB/s: 4.9 us more, equal at 23.2 MB.
  const auto at = [](double mebibytes) {
    return choice(LinkClass::nvlink_hopper, Collective::all_gather, 8, mebibytes);
  };
  CHECK(at(4) == Protocol::low_latency);
  CHECK(at(8) == Protocol::low_latency_128);
  CHECK(at(16) == Protocol::low_latency_128);
  CHECK(at(32) == Protocol::simple);
}

TEST_CASE("switch sizes are where the measured times jump", "[fabric]") {
  // Two A100, all-reduce: 19 us at 512 KiB, 41 us at 1 MiB. Two B200: 20 us at 2 MiB, 37 us at 4 MiB.
  // Eight B200, all-gather: 44 us at 8 MiB, 104 us at 16 MiB.
  CHECK(choice(LinkClass::nvlink_ampere, Collective::all_reduce, 2, 0.5) == Protocol::low_latency);
  CHECK(choice(LinkClass::nvlink_ampere, Collective::all_reduce, 2, 1) == Protocol::simple);
  CHECK(choice(LinkClass::nvlink_blackwell, Collective::all_reduce, 2, 2) == Protocol::low_latency);
  CHECK(choice(LinkClass::nvlink_blackwell, Collective::all_reduce, 2, 4) == Protocol::simple);
  CHECK(choice(LinkClass::nvlink_blackwell, Collective::all_gather, 8, 8) == Protocol::low_latency);
  CHECK(choice(LinkClass::nvlink_blackwell, Collective::all_gather, 8, 16) == Protocol::simple);
}

TEST_CASE("the switch adds only large floating-point all-reduces of more than four ranks in one node",
          "[fabric]") {
  const Message big{Collective::all_reduce, 64 * unit::MiB, 8, 2};
  CHECK(library_choice(LinkClass::nvlink_hopper, big) == Protocol::in_switch);
  CHECK(library_choice(LinkClass::nvlink_hopper, big, true) != Protocol::in_switch);
  CHECK(choice(LinkClass::nvlink_hopper, Collective::all_reduce, 8, 64, 1) != Protocol::in_switch);
  CHECK(choice(LinkClass::nvlink_hopper, Collective::all_reduce, 4, 64) != Protocol::in_switch);
  CHECK(choice(LinkClass::nvlink_hopper, Collective::all_gather, 8, 64) != Protocol::in_switch);
  CHECK(choice(LinkClass::nvlink_hopper, Collective::all_reduce, 8, 0.001) == Protocol::low_latency);
  CHECK(choice(LinkClass::nvlink_ampere, Collective::all_reduce, 8, 64) != Protocol::in_switch);
}

TEST_CASE("sends to a peer change protocol at 16 KiB a peer", "[fabric]") {
  CHECK(choice(LinkClass::pcie, Collective::all_to_all, 8, 8 * 16.0 / 1024) == Protocol::low_latency);
  CHECK(choice(LinkClass::pcie, Collective::all_to_all, 8, 8 * 17.0 / 1024) == Protocol::simple);
  CHECK(choice(LinkClass::nvlink_hopper, Collective::send_recv, 2, 1) == Protocol::simple);
}
