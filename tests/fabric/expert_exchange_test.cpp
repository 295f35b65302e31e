#include "model/fabric/expert_exchange.hpp"

#include "model/calibration/fabric_path.hpp"
#include "model/catalog/catalog.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

FabricPath path_of(std::string_view system) {
  static const Catalog catalog;
  const LinkCatalog links(catalog.files(), catalog.sources());
  return fabric_path(catalog.systems().find(system), CalibrationSet(), links, LinkState::measured);
}

/// DeepSeek-V3 as DeepEP measures it: 8192 tokens a rank, hidden size 7168, 8 experts, fp8 out and bf16 back.
ExpertExchange deepseek(int ranks) {
  return {.tokens = 8192, .hidden = 7168, .top_k = 8, .ranks = ranks, .dispatch_bytes = 1.0};
}

}  // namespace

TEST_CASE("a token goes to each rank once, however many of its experts are there", "[fabric]") {
  // 16 (1 - (15/16)^8) = 6.4531 of at most 8.
  CHECK(copies_per_token(deepseek(16)) == Approx(6.4531).epsilon(1e-4));
  CHECK(copies_per_token(deepseek(1)) == 1.0);
  // With many ranks the experts of a token hardly ever share one.
  CHECK(copies_per_token(deepseek(10000)) == Approx(8).epsilon(0.001));
  ExpertExchange each = deepseek(16);
  each.once_per_rank = false;
  CHECK(copies_per_token(each) == 8.0);
}

TEST_CASE("sizes are tokens x hidden x bytes x copies", "[fabric]") {
  ExpertExchange x = deepseek(16);
  x.once_per_rank = false;
  CHECK(dispatch_size(x) / unit::B == Approx(8192.0 * 7168 * 8));
  CHECK(combine_size(x) / unit::B == Approx(8192.0 * 7168 * 8 * 2));
}

TEST_CASE("dispatch and combine reach the published bandwidths of DeepEP", "[fabric][validation]") {
  // H100, ConnectX-7: 90 and 81 GB/s on 2 x 8 ranks, 61 and 61 on 4 x 8, counting what stays local.
  const FabricPath path = path_of("dgx-h100");
  const auto rate = [&](int ranks) {
    return dispatch_size(deepseek(ranks)) / dispatch_time(path, deepseek(ranks)) / unit::GB_s;
  };
  CHECK(rate(16) == Approx(90).epsilon(0.10));
  CHECK(rate(32) == Approx(61).epsilon(0.10));
  CHECK(combine_size(deepseek(32)) / combine_time(path, deepseek(32)) / unit::GB_s ==
        Approx(61).epsilon(0.10));
}

TEST_CASE("the busiest rank is waited for, and one rank waits for nobody", "[fabric]") {
  const FabricPath path = path_of("dgx-h100");
  ExpertExchange x = deepseek(16);
  const Seconds even = dispatch_time(path, x);
  x.imbalance = 1.5;
  CHECK(dispatch_time(path, x) / even == Approx(1.5).epsilon(0.05));
  CHECK(dispatch_time(path, deepseek(1)).base() == 0.0);
}
