#include "model/calibration/error_statistics.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("error statistics follow their definitions", "[calibration]") {
  // Errors 0.1, 0.1, 0.2, 0.5, 1.0: median 0.2, mean 1.9 / 5, p90 the ceil(4.5) = 5th; middle ratio 1.1.
  const double ratios[] = {1.1, 0.9, 1.2, 0.5, 2.0};
  const ErrorStatistics s = error_statistics(ratios);
  CHECK(s.n == 5);
  CHECK(s.median_ape == Approx(0.2));
  CHECK(s.mean_ape == Approx(0.38));
  CHECK(s.p90_ape == Approx(1.0));
  CHECK(s.bias == Approx(0.1));
}

TEST_CASE("the nearest rank of ten values at 90 % is the ninth", "[calibration]") {
  const double values[] = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  CHECK(nearest_rank(values, 0.9) == 9);
  CHECK(nearest_rank(values, 1.0) == 10);
  CHECK(nearest_rank(values, 0.01) == 1);
  CHECK(median(values) == 5.5);
}

TEST_CASE("statistics of nothing are zero, not NaN", "[calibration]") {
  const ErrorStatistics s = error_statistics({});
  CHECK(s.n == 0);
  CHECK(s.median_ape == 0);
  CHECK(s.p90_ape == 0);
}
