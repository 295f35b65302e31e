#include "model/calibration/this_system.hpp"

#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace roofplan::model {
namespace {

constexpr const char* kSource = "this-calibration";
constexpr const char* kUnmeasured = "not measured by the calibration of this machine";

Json unknown() {
  return {{"value", nullptr}, {"reason", kUnmeasured}};
}
Json measured(double value, const char* unit, const char* kind = "measured") {
  return {{"value", value}, {"unit", unit}, {"source", kSource}, {"kind", kind}};
}
Json share(double value) {
  return measured(std::clamp(value, 0.01, 1.0), "fraction");
}

constexpr std::string_view kProduct = "machine/product/";

/// What the laws say about the chip as a whole; the main format is that of most kernels.
struct ChipRates {
  double memory_gb_s = 0, product_gb_s = 0, attention_gb_s = 0;
  double attention_tflop_s = 0, attention_us = 0, elementwise_us = 0;
  double product_overlap = 1, attention_overlap = 1;
  std::map<std::string, double> tflop_s, launch_us;  ///< of products, by format
  std::string main;

  double main_tflop_s() const { return tflop_s.at(main); }
};

double overlap_of(const CalibratedLaw& law) {
  return law.choice("overlap", "full") == "none" ? 0 : 1;
}

ChipRates chip_rates(const Calibration& c) {
  ChipRates out;
  for (const CalibratedLaw& law : c.fit) {
    if (!law.law.starts_with(kProduct)) continue;
    const std::string format = law.law.substr(kProduct.size());
    out.tflop_s[format] = law.value("compute_rate");
    out.launch_us[format] = law.value("launch");
  }
  if (out.tflop_s.empty()) return out;
  out.main = out.tflop_s.contains("bf16") ? "bf16" : out.tflop_s.begin()->first;
  const CalibratedLaw& product = c.at(std::string(kProduct) + out.main);
  out.product_gb_s = product.value("rate");
  out.product_overlap = out.attention_overlap = overlap_of(product);
  out.attention_gb_s = out.product_gb_s;
  out.attention_tflop_s = out.main_tflop_s();
  out.attention_us = out.elementwise_us = out.launch_us.at(out.main);
  if (const CalibratedLaw* attention = c.find("machine/attention/" + out.main)) {
    out.attention_gb_s = attention->value("rate");
    out.attention_tflop_s = attention->value("compute_rate");
    out.attention_us = attention->value("launch");
    out.attention_overlap = overlap_of(*attention);
  }
  if (const CalibratedLaw* elementwise = c.find("machine/elementwise"))
    out.elementwise_us = elementwise->value("latency");
  // Products stream weights with no sum to carry and can outrun the reading probe.
  out.memory_gb_s = std::max(out.product_gb_s, out.attention_gb_s);
  if (const CalibratedLaw* stream = c.find("machine/stream"))
    out.memory_gb_s = std::max(out.memory_gb_s, stream->value("memory_rate"));
  return out;
}

Json chip_json(const CalibratedDevice& d, const ChipRates& rates) {
  Json out{{"id", "this"}, {"name", d.name}, {"family", d.kind}};
  out["compute_capability"] = Json{{"text", nullptr}, {"reason", kUnmeasured}};
  out["sm_count"] = d.units > 0 ? measured(d.units, "SM") : unknown();
  out["memory_marketed"] = unknown();
  out["memory_visible"] = measured(static_cast<double>(d.memory.count()), "B");
  out["memory_bandwidth"] = measured(rates.memory_gb_s, "GB/s");
  out["l2"] = d.cache.count() > 0 ? measured(static_cast<double>(d.cache.count()), "B") : unknown();
  for (const char* key : {"tdp", "scale_up_link", "host_link"}) out[key] = unknown();
  Json& dense = out["dense_rate"] = Json::object();
  // A format that was not measured is computed in the main one: no faster.
  dense["bf16"] = measured(rates.main_tflop_s(), "TFLOPS", "derived");
  for (const auto& [format, rate] : rates.tflop_s) dense[format] = measured(rate, "TFLOPS");
  out["other"] = Json::object();
  out["texts"] = Json::object();
  return out;
}

Json system_json(const CalibratedDevice& d) {
  Json out{{"id", "this"},
           {"name", d.name},
           {"aliases", Json::array()},
           {"class", "desktop"},
           {"chip", "this"},
           {"accelerators", 1},
           {"scale_up_size", 1},
           {"unified_memory", d.kind == "cpu" || d.unified_memory}};
  for (const char* key : {"reserved", "host_memory", "rack_units", "power_typical", "power_design",
                          "power_peak", "power_idle", "nic_count", "nic_rate", "liquid_fraction"})
    out[key] = unknown();
  out["other"] = Json::object();
  out["texts"] = Json::object();
  return out;
}

/// Rates are the chip's own already: shares say only how kernels differ from each other.
Json efficiency_json(const ChipRates& rates) {
  Json compute{{"bf16", share(1)}};
  Json launch{{"bf16", measured(rates.launch_us.at(rates.main), "us")}};
  for (const auto& [format, us] : rates.launch_us) {
    compute[format] = share(1);
    launch[format] = measured(us, "us");
  }
  const Json memory = share(rates.product_gb_s / rates.memory_gb_s);
  const Json overlap = measured(rates.product_overlap, "fraction");
  const Json attention{{"compute", share(rates.attention_tflop_s / rates.main_tflop_s())},
                       {"memory", share(rates.attention_gb_s / rates.memory_gb_s)},
                       {"overlap", measured(rates.attention_overlap, "fraction")},
                       {"launch_decode", measured(rates.attention_us, "us")},
                       {"launch_prefill", measured(rates.attention_us, "us")}};
  return {{"id", "this"},
          {"families", Json::array()},
          {"chips", {"this"}},
          {"gemm", {{"memory", memory}, {"overlap", overlap}, {"compute", compute}, {"launch", launch}}},
          {"attention", attention},
          {"experts",
           {{"memory", memory}, {"overlap", overlap}, {"compute", compute}, {"launch", launch.at("bf16")}}},
          {"elementwise", {{"launch", measured(rates.elementwise_us, "us")}}}};
}

}  // namespace

bool measured_exchanges(const Calibration& calibration) {
  return std::any_of(calibration.fit.begin(), calibration.fit.end(),
                     [](const CalibratedLaw& law) { return law.law.starts_with("machine/collective"); });
}

std::vector<std::pair<std::string, std::string>> this_system_files(const Calibration& calibration) {
  if (!calibration.device.measured_here()) return {};
  const ChipRates rates = chip_rates(calibration);
  if (rates.main.empty()) return {};
  return {{"chips/this.json", chip_json(calibration.device, rates).dump(1)},
          {"systems/this.json", system_json(calibration.device).dump(1)},
          {"efficiencies/this.json", efficiency_json(rates).dump(1)}};
}

}  // namespace roofplan::model
