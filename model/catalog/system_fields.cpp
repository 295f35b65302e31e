#include "model/catalog/system_fields.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/units/unit_text.hpp"

namespace roofplan::model {
namespace {

class FieldLister {
 public:
  explicit FieldLister(const Sources& sources) : sources_(sources) {}

  template <class T>
  void add(const std::string& path, const Figure<T>& figure) {
    SystemField field;
    field.path = path;
    if (!figure.known()) {
      field.unknown_reason = figure.unknown_reason;
      fields.push_back(std::move(field));
      return;
    }
    field.value = provenance(figure.provenance);
    field.value.number = figure.shown;
    field.value.unit = figure.unit;
    if (figure.low && figure.high) {
      field.low = in_unit(*figure.low, figure.unit);
      field.high = in_unit(*figure.high, figure.unit);
    }
    for (const Alternative& other : figure.alternatives) {
      SystemField::Value value = provenance(other.provenance);
      value.number = other.value;
      value.unit = other.unit;
      field.alternatives.push_back(std::move(value));
    }
    fields.push_back(std::move(field));
  }

  void add(const std::string& path, const SourcedText& fact) {
    SystemField field;
    field.path = path;
    field.unknown_reason = fact.unknown_reason;
    if (fact.known()) {
      field.value = provenance(fact.provenance);
      field.value.text = fact.text;
    }
    fields.push_back(std::move(field));
  }

  template <class Map>
  void add_all(const std::string& prefix, const Map& map) {
    for (const auto& [name, fact] : map) add(prefix + name, fact);
  }

  std::vector<SystemField> fields;

 private:
  SystemField::Value provenance(const Provenance& from) const {
    SystemField::Value out;
    const Source& source = sources_.at(from.source);
    out.source = from.source;
    out.source_title = source.title;
    out.tier = tier_name(source.tier);
    out.kind = kind_name(from.kind);
    out.date = from.date;
    out.note = from.note;
    return out;
  }

  static double in_unit(double value, const std::string&) { return value; }
  static double in_unit(ByteCount value, const std::string& unit_text) {
    return static_cast<double>(value.count()) / parse_unit(unit_text).base;
  }
  template <class D>
  static double in_unit(Quantity<D> value, const std::string& unit_text) {
    return value.base() / parse_unit(unit_text).base;
  }

  const Sources& sources_;
};

void list_chip(const Chip& chip, FieldLister& out) {
  out.add("chip.compute_capability", chip.compute_capability);
  out.add("chip.sm_count", chip.sm_count);
  out.add("chip.memory_marketed", chip.memory_marketed);
  out.add("chip.memory_visible", chip.memory_visible);
  out.add("chip.memory_bandwidth", chip.memory_bandwidth);
  out.add("chip.l2", chip.l2);
  out.add("chip.tdp", chip.tdp);
  out.add("chip.scale_up_link", chip.scale_up_link);
  out.add("chip.host_link", chip.host_link);
  out.add_all("chip.dense_rate.", chip.dense_rate);
  out.add_all("chip.other.", chip.other);
  out.add_all("chip.texts.", chip.texts);
}

}  // namespace

std::vector<SystemField> list_fields(const System& system, const Sources& sources) {
  FieldLister out(sources);
  out.add("reserved", system.reserved);
  out.add("host_memory", system.host_memory);
  out.add("rack_units", system.rack_units);
  out.add("power_typical", system.power_typical);
  out.add("power_design", system.power_design);
  out.add("power_peak", system.power_peak);
  out.add("power_idle", system.power_idle);
  out.add("nic_count", system.nic_count);
  out.add("nic_rate", system.nic_rate);
  out.add("liquid_fraction", system.liquid_fraction);
  out.add_all("other.", system.other);
  out.add_all("texts.", system.texts);
  list_chip(system.chip, out);
  return std::move(out.fields);
}

}  // namespace roofplan::model
