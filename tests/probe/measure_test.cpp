#include "model/probe/measure.hpp"

#include "model/probe/probe.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace roofplan::probe;
namespace unit = roofplan::model::unit;

namespace {

/// A clock that only the samples move.
struct FakeTime {
  Seconds at;
  ElapsedClock clock() {
    return [this] { return at; };
  }
  Sampler taking(std::vector<double> seconds) {
    return [this, seconds, i = std::size_t{0}]() mutable {
      const Seconds t = seconds[i++ % seconds.size()] * unit::s;
      at += t;
      return t;
    };
  }
};

}  // namespace

TEST_CASE("a steady device is known after the least number of samples that an interval needs", "[probe]") {
  FakeTime time;
  const Measurement m = measure(time.taking({1e-3}), {.warm_up = 2, .least = 6}, {}, time.clock());
  CHECK(m.n == 6);
  CHECK(m.converged);
  CHECK(m.median / unit::ms == Approx(1.0));
  CHECK(time.at / unit::ms == Approx(8.0));  // two of them warm-up
}

TEST_CASE("outliers move neither the median nor its interval", "[probe]") {
  FakeTime time;
  const Measurement m = measure(time.taking({1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 50e-3}),
                                {.warm_up = 0, .relative_error = 0, .time_limit = 100 * unit::s, .most = 100},
                                {}, time.clock());
  CHECK(m.median / unit::ms == Approx(1.0));
  CHECK(m.p90 / unit::ms == Approx(1.0));
  CHECK(m.relative_error == Approx(0.0).margin(1e-12));
}

TEST_CASE("a device that never settles stops at the time limit and says so", "[probe]") {
  FakeTime time;
  const Measurement m =
      measure(time.taking({1e-3, 2e-3}), {.warm_up = 0, .relative_error = 0.001, .time_limit = 0.1 * unit::s},
              {}, time.clock());
  CHECK_FALSE(m.converged);
  CHECK(time.at / unit::ms <= 102.0);
  CHECK(m.p10 / unit::ms == Approx(1.0));
  CHECK(m.p90 / unit::ms == Approx(2.0));
}

TEST_CASE("the interval of a median spans the ranks of the binomial law", "[probe]") {
  // 100 times 1, 2 ... 100: ranks 50 -+ 9.8, from 0 counted 40 and 60: (61 - 41) / 2 / 50.5.
  std::vector<double> times;
  for (int i = 1; i <= 100; ++i) times.push_back(i);
  CHECK(relative_error_of_quantile(times, 0.5) == Approx(10.0 / 50.5));
}

TEST_CASE("a probe whose result is wrong is left out and named", "[probe]") {
  FakeTime time;
  const std::vector<Probe> probes{
      {"memory/read", {{"bytes", "1000"}}, "GB/s", 1000, time.taking({1e-6})},
      {"memory/copy", {{"bytes", "1000"}}, "GB/s", 1000, time.taking({1e-6}), [] { return false; }}};
  const RunResult run = run_probes(probes, {.rule = {}, .now = time.clock()});
  REQUIRE(run.probes.size() == 1);
  CHECK(run.probes[0].value == Approx(1.0));  // 1000 B in 1 us
  REQUIRE(run.notes.size() == 1);
  CHECK(run.notes[0].find("memory/copy bytes=1000 computed a wrong result") == 0);
}

TEST_CASE("an interrupt keeps the probes that were done", "[probe]") {
  FakeTime time;
  int asked = 0;
  const std::vector<Probe> probes(5, {"launch/pool", {}, "us", 0, time.taking({1e-6})});
  const RunResult run = run_probes(
      probes, {.rule = {.least = 6}, .interrupted = [&] { return ++asked > 15; }, .now = time.clock()});
  CHECK(run.interrupted);
  CHECK(run.probes.size() < 5);
}

TEST_CASE("the tenth that was disturbed least stands for a probe where others run", "[probe]") {
  // Nine in ten executions are disturbed: the tenth percentile is the time of the others.
  FakeTime time;
  std::vector<double> times(20, 3e-3);
  times[4] = times[14] = 1e-3;
  const Measurement m =
      measure(time.taking(times),
              {.warm_up = 0, .quantile = 0.1, .relative_error = -1, .time_limit = 100 * unit::s, .most = 100},
              {}, time.clock());
  CHECK(m.value / unit::ms == Approx(1.0));
  CHECK(m.median / unit::ms == Approx(3.0));
}

TEST_CASE("rounds share out the time of a probe and see the device at several times", "[probe]") {
  // The device is twice as slow from 1 s on. Two rounds of 0.5 s for each of two probes: either probe sees
  // both speeds.
  FakeTime time;
  const auto slowing = [&] {
    const Seconds t = (time.at > 1.0 * unit::s ? 20.0 : 10.0) * unit::ms;
    time.at += t;
    return t;
  };
  const std::vector<Probe> probes{{"a", {}, "ms", 0, slowing}, {"b", {}, "ms", 0, slowing}};
  RunOptions options;
  options.rule = {.warm_up = 0, .relative_error = -1, .time_limit = 1.0 * unit::s};
  options.rounds = 2;
  options.now = time.clock();
  const RunResult run = run_probes(probes, options);
  REQUIRE(run.probes.size() == 2);
  for (const auto& p : run.probes) {
    CHECK(p.p10 == Approx(10.0));
    CHECK(p.p90 == Approx(20.0));
  }
  CHECK(time.at / unit::s == Approx(2.0).epsilon(0.05));
}
