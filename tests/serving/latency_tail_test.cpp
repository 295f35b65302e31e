#include "model/serving/latency_tail.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace roofplan::model;

namespace {

/// Ten other clients, each ahead half of the time with a prompt of 1 s; 100 steps of 10 ms, a fifth of which
/// meet prompts and take 60 ms then: 20 ms in the mean.
SteadyState loop() {
  SteadyState s;
  s.step = 0.01 * unit::s;
  s.ttft = 7.0 * unit::s;
  s.tpot = 0.02 * unit::s;
  s.e2e = s.ttft + 100 * *s.tpot;
  s.others = 10;
  s.ahead = 0.5;
  s.ahead_each = 1.0 * unit::s;
  s.met = 0.2;
  s.decode_steps = 100;
  return s;
}

}  // namespace

TEST_CASE("words name shares, the mean none", "[serving]") {
  CHECK(quantile_of("p50").value() == Approx(0.5));
  CHECK(quantile_of("p95").value() == Approx(0.95));
  CHECK(quantile_of("p99").value() == Approx(0.99));
  CHECK_FALSE(quantile_of("mean"));
}

TEST_CASE("quantiles of coins and of rare events are those of the tables", "[serving]") {
  // Ten coins: P(X <= 7) = 968/1024 = 0.945, P(X <= 8) = 1013/1024 = 0.989.
  CHECK(binomial_quantile(10, 0.5, 0.90) == 7);
  CHECK(binomial_quantile(10, 0.5, 0.95) == 8);
  CHECK(binomial_quantile(10, 0.5, 0.99) == 9);
  CHECK(binomial_quantile(10, 0, 0.99) == 0);
  CHECK(binomial_quantile(10, 1, 0.01) == 10);
  // Poisson of mean 3: P(X <= 6) = 0.9665, P(X <= 7) = 0.9881, P(X <= 8) = 0.9962.
  CHECK(poisson_quantile(3, 0.95) == 6);
  CHECK(poisson_quantile(3, 0.99) == 8);
  // Large ones by the normal law: 10,000 + 2.3263 x 100.
  CHECK(poisson_quantile(10'000, 0.99) == Approx(10'233).margin(1));
  CHECK(binomial_quantile(10'000, 0.5, 0.99) == Approx(5'116).margin(1));
}

TEST_CASE("the wait of M/M/1 at 80 % is 5 s x ln(80) for 99 of 100 arrivals", "[serving]") {
  // Service of 1 s: mean wait 0.8 / (1 - 0.8) = 4 s; one of five does not wait at all.
  CHECK(wait_quantile(4.0 * unit::s, 0.8, 0.99) / unit::s == Approx(5 * std::log(80)));
  CHECK(wait_quantile(4.0 * unit::s, 0.8, 0.15) / unit::s == 0);
}

TEST_CASE("the first token of one in a hundred has nine prompts ahead where five are usual", "[serving]") {
  const LatencyTail tail = latency_tail(loop(), 0.99, Arrivals::closed);
  // 7 s in the mean with 5 prompts of 1 s ahead: 2 s + 9 s.
  CHECK(tail.ttft / unit::s == Approx(11));
  // Of 100 steps with a share of 0.2, P(X <= 29) = 0.9888 and P(X <= 30) = 0.9939: 30 steps of 60 ms, 70
  // of 10.
  CHECK(*tail.tpot / unit::ms == Approx(25));
  CHECK(*latency_tail(loop(), 0.5, Arrivals::closed).tpot / unit::ms == Approx(20));
}

TEST_CASE("at random arrivals the first token waits as in M/G/1", "[serving]") {
  const SteadyState s = loop();
  // Eleven requests in 9 s keep prompts of 1 s busy beyond what one server can: nearly always. 5 s x ln(100).
  const double tail = latency_tail(s, 0.99, Arrivals::random).ttft / unit::s;
  CHECK(tail == Approx(2 + 5 * std::log(100)).epsilon(1e-6));
}

TEST_CASE("one client alone has no tail", "[serving]") {
  SteadyState s = loop();
  s.others = 0;
  s.met = 0;
  for (const Arrivals arrivals : {Arrivals::closed, Arrivals::random}) {
    const LatencyTail tail = latency_tail(s, 0.99, arrivals);
    CHECK(tail.ttft == s.ttft);
    CHECK(tail.tpot == s.tpot);
  }
}

TEST_CASE("a rarer tail is never shorter", "[serving]") {
  for (const Arrivals arrivals : {Arrivals::closed, Arrivals::random}) {
    Seconds last;
    for (const double quantile : {0.5, 0.9, 0.95, 0.99}) {
      const LatencyTail tail = latency_tail(loop(), quantile, arrivals);
      CHECK(tail.ttft >= last);
      last = tail.ttft;
    }
  }
}
