#include "model/sizing/scale_advice.hpp"

#include "model/catalog/model_reference.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

using Kind = ScaleOption::Kind;

const Catalog& catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}

ScaleRequest request_for(const char* weights, std::int64_t users) {
  ScaleRequest request;
  request.scenario.system.ref = "gb10";
  request.scenario.model.weights = weights;
  request.scenario.load.users = users;
  return request;
}

ScaleAnswer advise(const char* model, const ScaleRequest& request) {
  return scale_advice(request, SpeedData(catalog()), find_model(catalog(), model));
}

const ScaleOption& option(const ScaleAnswer& answer, Kind kind, bool by_layers = false) {
  for (const ScaleOption& o : answer.options) {
    if (o.kind == kind && (kind != Kind::link || (o.speed.parallel.pp > 1) == by_layers)) return o;
  }
  FAIL("no such option");
  return answer.options.front();
}

}  // namespace

TEST_CASE("a model too large for one box asks for a link, not for a second box apart (seed B6)", "[sizing]") {
  const ScaleAnswer a = advise("llama-3.1-405b", request_for("int4", 1));
  CHECK(a.advice == Kind::link);
  CHECK_FALSE(option(a, Kind::single).speed.fits);
}

TEST_CASE("too many people for a model that fits one box ask for a second box apart (seed B6)", "[sizing]") {
  ScaleRequest request = request_for("native", 24);
  const ScaleAnswer probe = advise("gpt-oss-120b", request);
  const ScaleOption& single = option(probe, Kind::single);
  const ScaleOption& apart = option(probe, Kind::separate);
  REQUIRE(single.tok_s_per_user);
  REQUIRE(apart.tok_s_per_user);
  CHECK(*apart.tok_s_per_user > *single.tok_s_per_user);
  // A target between what one box and two boxes give each user is met by two boxes only.
  request.scenario.targets.min_tok_s_per_user =
      0.5 * (*single.tok_s_per_user + *apart.tok_s_per_user) * unit::tok_s;
  CHECK(advise("gpt-oss-120b", request).advice == Kind::separate);
}

TEST_CASE("linking by layers makes no user's tokens come more than 1.1 times as fast (seed B9)", "[sizing]") {
  for (const char* model : {"gpt-oss-120b", "llama-3.1-8b", "qwen3-32b"}) {
    INFO(model);
    const ScaleAnswer a = advise(model, request_for("native", 1));
    const ScaleOption& linked = option(a, Kind::link, true);
    REQUIRE(linked.gain);
    CHECK(*linked.gain <= 1.1);
  }
}

TEST_CASE("the link pays exactly while one exchange stays below its break-even (seed B9)", "[sizing]") {
  const ScaleAnswer a = advise("llama-3.1-8b", request_for("native", 1));
  const ScaleOption& single = option(a, Kind::single);
  const ScaleOption& linked = option(a, Kind::link);
  REQUIRE(linked.exchange);
  REQUIRE(linked.break_even_exchange);
  const bool faster_step = linked.speed.step.total < single.speed.step.total;
  CHECK(faster_step == (*linked.exchange < *linked.break_even_exchange));
  // With exchanges as long as that, a step of the pair takes as long as one of a single box.
  const StepTime& step = linked.speed.step;
  const double exchanges = step.communication / *linked.exchange;
  const Seconds even = step.total - step.communication + exchanges * *linked.break_even_exchange;
  CHECK(even / single.speed.step.total == Approx(1));
}

TEST_CASE("two of three tests and someone to run them move the work to servers (seed B12)", "[sizing]") {
  ScaleRequest request = request_for("native", 12);
  request.busy_hours = 24;
  CHECK(advise("gpt-oss-120b", request).advice != Kind::servers);
  request.operator_there = true;
  const ScaleAnswer a = advise("gpt-oss-120b", request);
  CHECK(a.advice == Kind::servers);
  CHECK(a.users.holds);
  CHECK(a.duty.holds);
  CHECK_FALSE(a.data.holds);
  CHECK(a.tests_held == 2);
  request.scenario.load.users = 9;
  CHECK(advise("gpt-oss-120b", request).tests_held == 1);
}

TEST_CASE("a model too large for four linked boxes needs servers", "[sizing]") {
  const ScaleAnswer a = advise("kimi-k2", request_for("fp8", 1));
  CHECK(a.advice == Kind::servers);
}

TEST_CASE("each option is held against every target, and none is advised that no option meets", "[sizing]") {
  ScaleRequest request = request_for("nvfp4", 8);
  const auto meets = [](const ScaleAnswer& a) {
    std::vector<bool> out;
    for (const ScaleOption& o : a.options) out.push_back(o.meets_target);
    return out;
  };
  // A box reads 273 GB/s: 70 billion parameters at 4.5 bits come at most 6.9 times a second, from two linked
  // boxes at most 13.8 times, from an H100 node 700 times.
  request.scenario.targets.min_tok_s_per_user = 20.0 * unit::tok_s;
  const ScaleAnswer fast = advise("llama-3.1-70b", request);
  CHECK(meets(fast) == std::vector<bool>{false, false, false, false, true});
  CHECK(fast.advice == Kind::servers);
  for (const ScaleOption& o : fast.options) CHECK(o.misses.empty() == o.meets_target);
  request.scenario.targets.min_tok_s_per_user = 2000.0 * unit::tok_s;
  const ScaleAnswer none = advise("llama-3.1-70b", request);
  CHECK_FALSE(none.any_meets());
  CHECK(none.reason.key == "scale.none_meets");
  // A first token that comes too late counts as well.
  request.scenario.targets.min_tok_s_per_user = 1.0 * unit::tok_s;
  REQUIRE(option(advise("llama-3.1-70b", request), Kind::single).meets_target);
  request.scenario.targets.max_ttft = 0.001 * unit::s;
  const ScaleAnswer late = advise("llama-3.1-70b", request);
  CHECK_FALSE(late.any_meets());
  CHECK(option(late, Kind::single).misses.front().key == "size.first_token_late");
}

TEST_CASE("a link that the model needs is advised for a stated target only where it meets it", "[sizing]") {
  ScaleRequest request = request_for("int4", 1);
  // 405 billion parameters at four bits over 2 x 273 GB/s: below 2.7 tokens a second.
  request.scenario.targets.min_tok_s_per_user = 1.0 * unit::tok_s;
  CHECK(advise("llama-3.1-405b", request).advice == Kind::link);
  request.scenario.targets.min_tok_s_per_user = 5.0 * unit::tok_s;
  CHECK(advise("llama-3.1-405b", request).advice == Kind::servers);
}
