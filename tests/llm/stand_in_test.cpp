#include "model/llm/stand_in.hpp"

#include "model/llm/kv_cache.hpp"
#include "model/llm/parameters.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("a dense stand-in has exactly the parameters of its name", "[llm]") {
  for (const auto& [name, params] : {std::pair{"dense:70B", 70'000'000'000LL},
                                     {"dense:200B", 200'000'000'000LL},
                                     {"dense:1T", 1'000'000'000'000LL},
                                     {"dense:0.6B", 600'000'000LL}}) {
    INFO(name);
    const Architecture model = stand_in_model(name);
    CHECK(count_parameters(model).total == params);
    CHECK(model.order.size() ==
          static_cast<std::size_t>(model.groups[0].count +
                                   (model.groups.size() > 1 ? model.groups[1].count : 0)));
    REQUIRE(model.assumptions.size() == 1);
    // What no layer took is small: less than one step of 256 in one layer.
    CHECK(model.embedding_extra >= 0);
    CHECK(model.embedding_extra < 3 * model.hidden * 256);
  }
}

TEST_CASE("the stand-in of 70B has the cache of Llama 70B", "[llm]") {
  // 2 x 80 layers x 8 KV heads x 128 x 2 bytes = 327,680 bytes a token.
  const Architecture model = stand_in_model("dense:70B");
  CHECK(model.hidden == 8192);
  CHECK(model.layers() == 80);
  CHECK(cache_need(model, {16, 1}).per_token == ByteCount(327'680));
}

TEST_CASE("a routed stand-in has its total exactly and its active parameters nearly", "[llm]") {
  for (const auto& [name, total, active] : {std::tuple{"moe:120B-a5B", 120e9, 5e9},
                                            {"moe:671B-a37B", 671e9, 37e9},
                                            {"moe:30B-A3B", 30e9, 3e9},
                                            {"moe:1T-a32B", 1e12, 32e9}}) {
    INFO(name);
    const ParameterCounts counts = count_parameters(stand_in_model(name));
    CHECK(static_cast<double>(counts.total) == total);
    CHECK(static_cast<double>(counts.active) == Approx(active).epsilon(0.05));
  }
}

TEST_CASE("sizes that name no model are refused", "[llm]") {
  for (const char* name :
       {"dense:", "dense:70", "dense:70GB", "dense:1M", "dense:999T", "dense:-70B", "moe:120B",
        "moe:120B-a120B", "moe:120B-a119B", "moe:120B-a", "llama", "dense:70b"}) {
    INFO(name);
    CHECK_THROWS_AS(stand_in_model(name), InputError);
  }
  CHECK(is_stand_in_name("dense:x"));
  CHECK(!is_stand_in_name("dense"));
}
