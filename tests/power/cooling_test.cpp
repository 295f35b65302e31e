#include "model/power/cooling.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace roofplan::model;

TEST_CASE("14.5 kW are 49,476 BTU/h", "[power]") {
  CHECK(heat_btu_per_hour(14.5 * unit::kW) == Approx(49'476).margin(1));
}

TEST_CASE("14.5 kW with a rise of 15 K need 0.8015 m3/s or 1,698 CFM of air", "[power]") {
  CHECK(airflow_m3_s(14.5 * unit::kW, 15) == Approx(0.801548).epsilon(1e-5));
  CHECK(airflow_cfm(14.5 * unit::kW, 15) == Approx(1698.4).margin(0.1));
}

TEST_CASE("water needs 1.44 L/min per kW at 10 K, PG25 1.51", "[power]") {
  CHECK(coolant_flow(1 * unit::kW, 10, Coolant{}) / unit::L_min == Approx(1.43973).epsilon(1e-5));
  CHECK(coolant_flow(1 * unit::kW, 10, Coolant{1.018, 3.90}) / unit::L_min == Approx(1.51126).epsilon(1e-5));
}

TEST_CASE("one megawatt at 9.6 K needs the published 1,591 and 1,505 L/min", "[power]") {
  CHECK(coolant_flow(1 * unit::MW, 9.6, Coolant{1.015, 3.87}) / unit::L_min == Approx(1591).epsilon(5e-4));
  CHECK(coolant_flow(1 * unit::MW, 9.6, Coolant{0.994, 4.178}) / unit::L_min == Approx(1505).epsilon(5e-4));
}

TEST_CASE("a constant return reproduces Lenovo's five points for 121.5 kW of liquid heat", "[power]") {
  struct Point {
    double supply_c, litres_per_minute;
  };
  constexpr std::array kTable{Point{25, 59}, Point{30, 71}, Point{35, 89}, Point{40, 119}, Point{45, 177}};
  for (const Point& point : kTable) {
    INFO(point.supply_c);
    const double flow = coolant_flow(121.5 * unit::kW, point.supply_c, ConstantReturnLoop{}) / unit::L_min;
    CHECK(flow == Approx(point.litres_per_minute).epsilon(0.015));
  }
}
