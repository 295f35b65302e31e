#include "model/calibration/least_squares.hpp"

#include "model/units/error.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace roofplan::model;

namespace {

/// log(predicted / measured) of the law a + x / b at x = 1, 4, 16 ... against a known truth.
ResidualFunction latency_bandwidth(std::vector<double> measured) {
  return [measured = std::move(measured)](std::span<const double> p, std::span<double> r) {
    double x = 1.0;
    for (std::size_t i = 0; i < r.size(); ++i, x *= 4) r[i] = std::log((p[0] + x / p[1]) / measured[i]);
  };
}

std::vector<double> truth(double a, double b, int n) {
  std::vector<double> out;
  double x = 1.0;
  for (int i = 0; i < n; ++i, x *= 4) out.push_back(a + x / b);
  return out;
}

const std::vector<FitParameter> kLatencyBandwidth{{"a", 1.0, 0.01, 1000.0}, {"b", 1.0, 0.01, 1e6}};

}  // namespace

TEST_CASE("an exact law is recovered with certainty", "[calibration]") {
  const FitResult fit = fit_least_squares(latency_bandwidth(truth(7.5, 300.0, 12)), 12, kLatencyBandwidth);
  CHECK(fit.converged);
  CHECK(fit.parameters[0].value == Approx(7.5).epsilon(1e-6));
  CHECK(fit.parameters[1].value == Approx(300.0).epsilon(1e-6));
  CHECK(fit.parameters[0].determined);
  CHECK(fit.parameters[1].relative_std < 1e-4);
}

TEST_CASE("a few points in another state do not bend the law", "[calibration]") {
  std::vector<double> measured = truth(7.5, 300.0, 20);
  measured[3] *= 4;
  measured[11] *= 4;
  const FitResult fit = fit_least_squares(latency_bandwidth(measured), 20, kLatencyBandwidth);
  CHECK(fit.parameters[0].value == Approx(7.5).epsilon(0.03));
  CHECK(fit.parameters[1].value == Approx(300.0).epsilon(0.03));
}

TEST_CASE("a parameter that the points say nothing about is reported as undetermined", "[calibration]") {
  // Three tiny messages show the latency only: the bandwidth could be anything above.
  const std::vector<double> tiny{7.5, 7.5, 7.5, 7.5};
  const ResidualFunction law = [&](std::span<const double> p, std::span<double> r) {
    for (std::size_t i = 0; i < 4; ++i)
      r[i] = std::log((p[0] + 1e-9 / p[1]) / tiny[i]) + (i % 2 ? 0.01 : -0.01);
  };
  const FitResult fit = fit_least_squares(law, 4, kLatencyBandwidth);
  CHECK(fit.parameters[0].determined);
  CHECK_FALSE(fit.parameters[1].determined);
}

TEST_CASE("a fit stays in its box and says when it presses against it", "[calibration]") {
  const std::vector<FitParameter> narrow{{"a", 1.0, 0.01, 1000.0}, {"b", 50.0, 10.0, 100.0}};
  const FitResult fit = fit_least_squares(latency_bandwidth(truth(7.5, 300.0, 12)), 12, narrow);
  CHECK(fit.parameters[1].value == Approx(100.0));
  CHECK(fit.parameters[1].on_bound);
  CHECK_FALSE(fit.parameters[1].determined);
}

TEST_CASE("several starts find the valley that the first start misses", "[calibration]") {
  // 2 + cos(x) + x^2/50 has a local minimum near 9 and its lowest near 3; the residual is monotone in it.
  const ResidualFunction law = [](std::span<const double> p, std::span<double> r) {
    r[0] = 2.0 + std::cos(p[0]) + p[0] * p[0] / 50.0;
  };
  const std::vector<FitParameter> x{{"x", 9.0, 0.0, 12.0, false}};
  CHECK(fit_least_squares(law, 1, x, {.loss_scale = 1, .starts = 1}).parameters[0].value ==
        Approx(9.07).epsilon(0.01));
  CHECK(fit_least_squares(law, 1, x, {.loss_scale = 1}).parameters[0].value == Approx(3.02).epsilon(0.01));
}

TEST_CASE("the reported deviation is that of the classic straight line", "[calibration]") {
  // Mean of n values with residual variance s^2: standard deviation s / sqrt(n). Values 9, 11, 9, 11: s^2 =
  // 4/3.
  const ResidualFunction law = [](std::span<const double> p, std::span<double> r) {
    for (std::size_t i = 0; i < 4; ++i) r[i] = p[0] - (i % 2 ? 11.0 : 9.0);
  };
  const FitResult fit = fit_least_squares(law, 4, {{"mean", 5.0, 0.0, 20.0, false}}, {.loss_scale = 1e3});
  CHECK(fit.parameters[0].value == Approx(10.0));
  CHECK(fit.parameters[0].relative_std == Approx(std::sqrt(4.0 / 3.0 / 4.0) / 10.0).epsilon(1e-3));
}

TEST_CASE("too few points and an impossible start are refused", "[calibration]") {
  CHECK_THROWS_AS(fit_least_squares(latency_bandwidth({1.0}), 1, kLatencyBandwidth), InputError);
  CHECK_THROWS_AS(
      fit_least_squares(latency_bandwidth(truth(1, 1, 4)), 4, {{"a", 5.0, 0.1, 1.0}, {"b", 1.0, 0.1, 2.0}}),
      InputError);
}
