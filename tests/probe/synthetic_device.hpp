#pragma once

#include "model/probe/back_end.hpp"
#include "model/probe/machine_law.hpp"

#include <random>
#include <string>

namespace roofplan::test {

/// A device whose laws are known. Its times carry 3 % noise, and every tenth execution is three times too
/// slow; its clock moves by what it runs.
class SyntheticDevice : public probe::Device, public probe::BackEnd {
 public:
  SyntheticDevice() {
    identity_.kind = "cpu";
    identity_.name = "Synthetic processor";
    identity_.units = 4;
    identity_.memory = model::ByteCount(std::int64_t{64} << 30);
    identity_.cache = model::ByteCount(16'000'000);
  }

  const probe::DeviceIdentity& identity() const override { return identity_; }
  probe::DeviceState state() override { return now; }
  probe::Device& device() override { return *this; }
  probe::RunOptions options() const override {
    probe::RunOptions out;
    out.rule.relative_error = 0.01;
    out.rule.time_limit = 20.0 * model::unit::s;
    out.rounds = 2;
    return out;
  }
  probe::ElapsedClock clock() {
    return [this] { return at_; };
  }
  std::vector<probe::Probe> probes() override;
  std::vector<probe::Replay> replays(const model::Catalog& catalog) override;

  probe::RooflineLaw product{20 * model::unit::us, 40 * model::unit::GB_s, 0.2 * model::unit::TFLOP_s, false};
  probe::RooflineLaw attention{8 * model::unit::us, 30 * model::unit::GB_s, 0.1 * model::unit::TFLOP_s, true};
  probe::StreamLaw stream{45 * model::unit::GB_s, 160 * model::unit::GB_s, 16 * model::unit::MB};
  probe::CopyLaw elementwise{4 * model::unit::us, 12 * model::unit::GB_s};
  probe::DeviceState now;
  bool broken_products = false;  ///< their check fails

  /// The calibration with exactly these laws.
  model::Calibration truth() const;

 private:
  probe::Sampler taking(probe::Seconds t) {
    return [this, t] {
      const double factor = ++executions_ % 10 == 0 ? 3.0 : std::exp(noise_(random_));
      at_ += t * factor;
      return t * factor;
    };
  }

  probe::DeviceIdentity identity_;
  probe::Seconds at_;
  std::mt19937_64 random_{11};
  std::normal_distribution<double> noise_{0.0, 0.03};
  int executions_ = 0;
};

}  // namespace roofplan::test
