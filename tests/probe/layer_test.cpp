#include "model/probe/layer.hpp"

#include "model/catalog/catalog.hpp"
#include "model/catalog/model_reference.hpp"
#include "model/units/error.hpp"
#include "tests/probe/synthetic_device.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using namespace roofplan::probe;
namespace unit = roofplan::model::unit;

TEST_CASE("the products of a predicted layer are its weights over the rate and its FLOP in turn", "[probe]") {
  // qwen3-0.6b: 4096 x 1024 + 1024 x 2048 + 6144 x 1024 + 1024 x 3072 = 15,728,640 weights, 62,914,560 B in
  // fp32; activations in 16 bits 2 (5120 + 3072 + 7168 + 4096) = 38,912 B; 31,457,280 FLOP; four launches.
  test::SyntheticDevice device;
  device.product = {20 * unit::us, 40 * unit::GB_s, 0.2 * unit::TFLOP_s, false};
  const model::Catalog catalog;
  const auto model = model::find_model(catalog, "qwen3-0.6b");
  Seconds products;
  for (const model::OperatorShare& op : predicted_layer(model.architecture, "fp32", 1, 512, device.truth())) {
    if (op.kind == model::OperatorKind::gemm) products += op.time;
  }
  const double by_hand = 4 * 20 + (62'914'560.0 + 38'912) / 40e3 + 31'457'280 / 0.2e6;
  CHECK(products / unit::us == Approx(by_hand).epsilon(1e-4));
}

TEST_CASE("attention of a predicted layer reads the cache of every sequence", "[probe]") {
  // Twice 8 KV heads of 128 in fp32: 8,192 B an entry; per entry 4 x 16 x 128 FLOP. Between the launch and
  // what the cache takes there is only the new token itself.
  test::SyntheticDevice device;
  device.attention = {8 * unit::us, 30 * unit::GB_s, 0.1 * unit::TFLOP_s, true};
  const model::Catalog catalog;
  const auto model = model::find_model(catalog, "qwen3-0.6b");
  Seconds attention;
  for (const model::OperatorShare& op :
       predicted_layer(model.architecture, "fp32", 4, 4096, device.truth())) {
    if (op.kind == model::OperatorKind::attention_decode) attention += op.time;
  }
  const double memory = 4 * 4096 * 8192.0 / 30e3, compute = 4 * 4096 * 8192.0 / 0.1e6;
  CHECK(attention / unit::us == Approx(8 + std::hypot(memory, compute)).epsilon(2e-3));
}

TEST_CASE("a calibration of points predicts no layer", "[probe]") {
  const model::Catalog catalog;
  const auto model = model::find_model(catalog, "qwen3-0.6b");
  CHECK_THROWS_AS(predicted_layer(model.architecture, "fp32", 1, 512, {}), model::InputError);
}

TEST_CASE("a layer is its four products, its cache and the work between", "[probe]") {
  const LayerShape layer{.hidden = 1024, .heads = 16, .kv_heads = 8, .head_dim = 128, .intermediate = 3072};
  // (16 + 2 x 8) 128 x 1024 + 1024 x 2048 + 6144 x 1024 + 1024 x 3072
  CHECK(layer.elements() == 4096.0 * 1024 + 1024.0 * 2048 + 6144.0 * 1024 + 1024.0 * 3072);
  CHECK(layer.cache_elements(2, 512) == 2.0 * 2 * 512 * 8 * 128);
  CHECK(layer.attention_flop(1, 512) == 4.0 * 512 * 16 * 128);
}
