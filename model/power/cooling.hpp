#pragma once

#include "model/units/quantity.hpp"

namespace roofplan::model {

/// Heat in BTU per hour: 1 W = 3.412142 BTU/h (definition of the BTU, ISO).
double heat_btu_per_hour(Watts heat);

/// Air that carries `heat` away with a rise of `rise_kelvin` > 0, in cubic metres per second:
/// heat / (density x heat capacity x rise) with 1.2 kg/m3 and 1,005 J/(kg K), sea level and 20 C.
double airflow_m3_s(Watts heat, double rise_kelvin);
/// The same in cubic feet per minute.
double airflow_cfm(Watts heat, double rise_kelvin);

/// What carries heat in a liquid loop.
struct Coolant {
  double density_kg_l = 0.997;  ///< water at 25 C
  double heat_capacity_kj_kg_k = 4.18;
};

/// Flow that carries `heat` with a rise of `rise_kelvin` > 0: heat / (density x heat capacity x rise).
LitresPerSecond coolant_flow(Watts heat, double rise_kelvin, const Coolant& coolant);

/// Flow of a rack whose return temperature is constant: flow = factor x heat_kW / (return - supply) litres
/// per minute, the law that Lenovo's table for the GB300 NVL72 follows with 14.5 and 55 C. supply_c below
/// return_c.
struct ConstantReturnLoop {
  double litre_kelvin_per_minute_kw = 14.5;
  double return_c = 55.0;
};
LitresPerSecond coolant_flow(Watts heat, double supply_c, const ConstantReturnLoop& loop);

}  // namespace roofplan::model
