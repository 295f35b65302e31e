#include "model/probe/device.hpp"

#include "model/calibration/calibration_file.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::probe;
namespace unit = roofplan::model::unit;

namespace {

class FakeDevice : public Device {
 public:
  FakeDevice() {
    identity_.kind = "cuda";
    identity_.name = "Fake 9000";
    identity_.unique = "GPU-1";
    identity_.units = 132;
    identity_.memory = roofplan::model::ByteCount(1'000'000'000);
  }
  const DeviceIdentity& identity() const override { return identity_; }
  DeviceState state() override { return now; }

  DeviceState now;

 private:
  DeviceIdentity identity_;
};

}  // namespace

TEST_CASE("a healthy idle device gives no complaint", "[probe]") {
  FakeDevice device;
  device.now.busy = 0.01;
  device.now.clock_mhz = 1950;
  device.now.rated_clock_mhz = 1980;
  CHECK(complaints(device.state(), device.state()).empty());
}

TEST_CASE("busy, throttled, degraded, slow and limited devices are told", "[probe]") {
  FakeDevice device;
  const DeviceState idle = device.state();
  device.now.busy = 0.6;
  CHECK(complaints(device.state(), idle).size() == 1);
  device.now.throttled = {"hw_slowdown"};
  device.now.degraded = {"uncorrected ECC errors: 3"};
  device.now.clock_mhz = 1000;
  device.now.rated_clock_mhz = 1980;
  device.now.power_limit = 400 * unit::W;
  device.now.default_power_limit = 700 * unit::W;
  CHECK(complaints(idle, device.state()).size() == 5);
}

TEST_CASE("a fingerprint tells two devices of one kind apart and survives the file", "[probe]") {
  FakeDevice device;
  DeviceIdentity other = device.identity();
  other.unique = "GPU-2";
  CHECK(fingerprint(device.identity()) != fingerprint(other));
  roofplan::model::Calibration calibration;
  calibration.device = calibrated_device(device.identity());
  const auto back =
      roofplan::model::parse_calibration(roofplan::model::calibration_text(calibration), "again.json");
  CHECK(back.device.fingerprint == fingerprint(device.identity()));
  CHECK(back.device.kind == "cuda");
  CHECK(back.device.memory.count() == 1'000'000'000);
}
