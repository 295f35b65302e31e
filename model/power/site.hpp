#pragma once

#include "model/hardware/system.hpp"
#include "model/power/circuit.hpp"
#include "model/power/power_cap.hpp"
#include "model/units/derivation.hpp"
#include "model/units/text.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace roofplan::model {

/// Floor of a rack, in m2: 600 mm wide, 1,200 mm deep, with half of a cold and half of a hot aisle of 1,200
/// mm each. Derived from these widths, a planning rule; coolant units, columns and doors come on top.
inline constexpr double kRackArea = 0.6 * (1.2 + 0.6 + 0.6);

/// What a site is asked for. Either `count` (systems) or `gpus` (accelerators, rounded up to whole systems).
struct SiteRequest {
  std::optional<std::int64_t> count;   ///< >= 1
  std::optional<std::int64_t> gpus;    ///< >= 1
  std::optional<double> pue;           ///< >= 1
  std::optional<Watts> rack_power;     ///< limit of one rack
  std::optional<double> rack_area_m2;  ///< floor of one rack with its share of the aisles; nothing: kRackArea
  std::optional<PowerCap> power_cap;
  std::vector<Circuit> circuits;  ///< feeds that desktops may hang on
  double coolant_supply_c = 25.0;
  std::optional<Watts> network;  ///< from the bill of materials where there is one
  std::optional<Watts> storage, management;
};

/// IT power by part.
struct ItPower {
  Watts compute, network, storage, management;
  Watts total() const { return compute + network + storage + management; }
};

/// How systems stand in racks.
struct RackPlan {
  std::int64_t racks = 0;
  std::int64_t systems_per_rack = 0;
  Text bound;  ///< what closes a rack: its units, its power limit, the vendor's layout
  std::optional<Watts> stranded_per_rack;  ///< power limit less the design power of the systems in it
};

/// Power shelves of a rack-scale system, per rack.
struct ShelfPlan {
  std::int64_t count = 0;
  Watts rating, installed;
  Watts usable;  ///< what N+N leaves
  bool covers_design = false, covers_peak = false;
};

/// How desktops share wall circuits.
struct CircuitPlan {
  Circuit circuit;
  Watts nameplate;  ///< of one system: the adapter's rating, else the peak power
  std::int64_t systems_per_circuit = 0;
  std::int64_t circuits = 0;
};

/// Power, heat and space of a number of systems. Powers are of the whole site at typical load unless named.
struct SiteAnswer {
  std::int64_t count = 0, gpus = 0;
  std::int64_t gpus_over = 0;        ///< beyond what was asked
  std::int64_t gpus_short_less = 0;  ///< that one system fewer would be short
  ItPower it;
  /// Of the compute systems alone; nothing where the vendor's figure is unknown.
  std::optional<Watts> compute_design, compute_peak;
  Text design_unknown, peak_unknown;
  /// The other parts, which do not change with the load of the systems.
  Watts beside_compute() const { return it.total() - it.compute; }
  double pue = 1.0;
  Watts facility, cooling;  ///< cooling and losses: facility less IT
  Watts liquid, air;        ///< heat of the compute systems, by where it goes
  std::optional<LitresPerSecond> coolant;
  Text coolant_unknown;
  double airflow_cfm = 0;          ///< that carries the compute systems' air heat
  double air_rise_kelvin = 0;      ///< with which it was computed
  double airflow_max_cfm = 0;      ///< datasheet maximum of all systems; 0 where unknown
  std::optional<RackPlan> racks;   ///< nothing for desktops
  std::optional<double> floor_m2;  ///< of the racks with their aisles
  std::optional<ShelfPlan> shelves;
  std::vector<CircuitPlan> circuits;       ///< one for each circuit asked for
  double energy_kwh_year = 0;              ///< facility power for 8,760 hours
  std::optional<Watts> accelerator_limit;  ///< of each, where a cap was asked for
  std::vector<Text> warnings;
};

/// Plans a site. Defaults where the request is silent: PUE 1.3 for air and 1.15 for liquid cooling
/// (estimate); storage and management each half of what the network leaves of 5 % of compute, at least 1 %
/// each (estimate, from the 64-system example of the DGX B300 best practices: 47 kW of 975 kVA beside
/// compute), none for desktops; coolant by the constant-return law where the system states a return
/// temperature, else with a rise of 10 K; air rise 15 K where the system states none. Throws InputError
/// (usage) for counts below 1, a PUE below 1, a rack limit of 0, a supply temperature at or above the return,
/// or a system whose typical power is unknown. A power cap changes the powers of
/// the systems as with_power_cap() does; network, storage and management keep theirs.
SiteAnswer plan_site(const System& system, const SiteRequest& request, Derivations* derivations = nullptr);

}  // namespace roofplan::model
