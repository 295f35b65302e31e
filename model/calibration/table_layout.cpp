#include "model/calibration/table_layout.hpp"

#include "model/calibration/collective_layouts.hpp"
#include "model/calibration/datacentre_layout.hpp"
#include "model/calibration/desktop_layout.hpp"
#include "model/calibration/kernels/kernel_layouts.hpp"
#include "model/calibration/serving_layout.hpp"
#include "model/units/lower_case.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

bool matches(const TableLayout& layout, const CsvTable& table) {
  return std::all_of(layout.columns.begin(), layout.columns.end(),
                     [&](const std::string& column) { return table.has(column); });
}

void collect(std::vector<std::string>& into, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(into.begin(), into.end(), name) == into.end()) into.push_back(name);
  }
}

}  // namespace

bool exclude_marked(const std::string& note, RowPrediction& row) {
  // "treat decode as spec-decode unless confirmed" says as much as the mark in capitals.
  const bool marked =
      note.find("OUTLIER") != std::string::npos || lower_case(note).find("spec-decode") != std::string::npos;
  if (!marked) return false;
  row.state = RowPrediction::State::excluded;
  row.reason = "marked as an outlier or as speculative decoding";
  return true;
}

const std::vector<TableLayout>& table_layouts() {
  static const std::vector<TableLayout> kLayouts = [] {
    std::vector<TableLayout> all;
    for (auto&& part :
         {collective_layouts(), kernel_layouts(), desktop_layouts(), datacentre_layouts(), serving_layouts()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  return kLayouts;
}

const TableLayout& layout_of(const CsvTable& table) {
  const TableLayout* best = nullptr;
  for (const TableLayout& layout : table_layouts()) {
    if (matches(layout, table) && (!best || layout.columns.size() > best->columns.size())) best = &layout;
  }
  if (best) return *best;
  std::vector<std::string> known;
  for (const TableLayout& layout : table_layouts()) {
    known.push_back(fmt::format("{} ({})", layout.name, fmt::join(layout.columns, ",")));
  }
  throw InputError(InputError::Kind::content, "the header is of no known table of measurements",
                   fmt::format("the columns of one of: {}", fmt::join(known, "; ")), {table.file(), {}, 1});
}

std::vector<Calibration> calibrate_from(std::span<const CsvTable> tables,
                                        const std::vector<std::string>& wanted, const CalibrationSet& known) {
  std::vector<std::string> systems;
  for (const CsvTable& table : tables) {
    const TableLayout& layout = layout_of(table);
    if (!layout.fit) {
      throw InputError(InputError::Kind::content,
                       fmt::format("nothing can be fitted to a table of {}", layout.name), {},
                       {table.file(), {}, 1});
    }
    collect(systems, layout.systems(table));
  }
  for (const std::string& system : wanted) {
    if (std::find(systems.begin(), systems.end(), system) == systems.end()) {
      throw InputError(InputError::Kind::usage, fmt::format("no point is of the system \"{}\"", system), {},
                       {}, nearest_names(system, systems));
    }
  }
  std::vector<Calibration> out;
  for (const std::string& system : wanted.empty() ? systems : wanted) {
    Calibration calibration;
    calibration.device.system = system;
    calibration.device.name = system;
    for (const TableLayout& layout : table_layouts()) {
      std::vector<const CsvTable*> own;
      for (const CsvTable& table : tables) {
        if (&layout_of(table) == &layout) own.push_back(&table);
      }
      if (!own.empty()) layout.fit(own, system, known, calibration);
    }
    out.push_back(std::move(calibration));
  }
  return out;
}

}  // namespace roofplan::model
