#include "model/power/cooling.hpp"

namespace roofplan::model {

double heat_btu_per_hour(Watts heat) {
  return heat / unit::W * 3.412142;
}

double airflow_m3_s(Watts heat, double rise_kelvin) {
  constexpr double kDensity = 1.2, kHeatCapacity = 1005.0;
  return heat / unit::W / (kDensity * kHeatCapacity * rise_kelvin);
}

double airflow_cfm(Watts heat, double rise_kelvin) {
  constexpr double kCubicFootInCubicMetres = 0.3048 * 0.3048 * 0.3048;
  return airflow_m3_s(heat, rise_kelvin) * 60.0 / kCubicFootInCubicMetres;
}

LitresPerSecond coolant_flow(Watts heat, double rise_kelvin, const Coolant& coolant) {
  const double joules_per_litre = coolant.density_kg_l * coolant.heat_capacity_kj_kg_k * 1e3 * rise_kelvin;
  return heat / (joules_per_litre * unit::J / unit::litre);
}

LitresPerSecond coolant_flow(Watts heat, double supply_c, const ConstantReturnLoop& loop) {
  return loop.litre_kelvin_per_minute_kw * (heat / unit::kW) / (loop.return_c - supply_c) * unit::L_min;
}

}  // namespace roofplan::model
