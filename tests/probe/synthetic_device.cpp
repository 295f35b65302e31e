#include "tests/probe/synthetic_device.hpp"

#include "model/catalog/model_reference.hpp"
#include "model/probe/calibrate_device.hpp"
#include "model/probe/layer.hpp"

#include <fmt/format.h>

namespace roofplan::test {
namespace {

using namespace probe;
namespace unit = model::unit;

std::string text(double value) {
  return fmt::format("{:.0f}", value);
}

model::CalibratedLaw law(std::string name, const RooflineLaw& l) {
  return {.law = std::move(name),
          .values = {{"launch", l.launch / unit::us, "us", 0.01},
                     {"rate", l.rate / unit::GB_s, "GB/s", 0.01},
                     {"compute_rate", l.compute_rate / unit::TFLOP_s, "TFLOP/s", 0.01}},
          .choices = {{"overlap", l.overlaps ? "full" : "none"}}};
}

}  // namespace

std::vector<Probe> SyntheticDevice::probes() {
  std::vector<Probe> out;
  for (const double n : {512.0, 1024.0, 2048.0, 4096.0}) {
    for (const double m : {1.0, 4.0, 16.0, 64.0}) {
      const double bytes = 4 * n * n;
      const Seconds t = product.time(product_bytes(m, n, n, bytes * unit::B), 2 * m * n * n * unit::flop);
      out.push_back({"product/fp32",
                     {{"m", text(m)}, {"n", text(n)}, {"k", text(n)}, {"bytes", text(bytes)}},
                     "us",
                     0,
                     taking(t),
                     [this] { return !broken_products; }});
    }
  }
  for (const double bytes : {1e5, 1e6, 1e7, 1e8}) {
    for (const double intensity : {0.5, 4.0, 16.0}) {
      const Seconds t = attention.time(bytes * unit::B, intensity * bytes * unit::flop);
      out.push_back({"attention/fp32",
                     {{"bytes", text(bytes)}, {"flop", text(intensity * bytes)}},
                     "us",
                     0,
                     taking(t)});
    }
  }
  for (double bytes = 250e3; bytes < 1e9; bytes *= 2) {
    const Seconds t = bytes * unit::B / stream.rate(bytes * unit::B);
    out.push_back({"memory/read", {{"bytes", text(bytes)}}, "GB/s", bytes, taking(t)});
  }
  for (const double bytes : {1e3, 1e4, 1e5, 1e6})
    out.push_back(
        {"elementwise", {{"bytes", text(bytes)}}, "us", 0, taking(elementwise.time(bytes * unit::B))});
  return out;
}

model::Calibration SyntheticDevice::truth() const {
  model::Calibration out;
  out.device = calibrated_device(identity_);
  out.set(law("machine/product/fp32", product));
  out.set(law("machine/attention/fp32", attention));
  out.set(
      {.law = "machine/stream", .values = {{"memory_rate", stream.memory_rate / unit::GB_s, "GB/s", 0.01}}});
  out.set(
      {.law = "machine/elementwise", .values = {{"latency", elementwise.latency / unit::us, "us", 0.01}}});
  return out;
}

std::vector<Replay> SyntheticDevice::replays(const model::Catalog& catalog) {
  const model::ModelFile model = model::find_model(catalog, "qwen3-0.6b");
  std::vector<Replay> out;
  for (const int batch : {1, 16}) {
    const Seconds t = total_time(predicted_layer(model.architecture, "fp32", batch, 512, truth()));
    out.push_back({.what = {.model = "qwen3-0.6b", .batch = batch, .depth = 512, .layers = 1},
                   .format = "fp32",
                   .probe = {"replay", {{"batch", fmt::format("{}", batch)}}, "us", 0, taking(t)}});
  }
  return out;
}

}  // namespace roofplan::test
