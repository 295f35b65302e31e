#include "model/sizing/size.hpp"

#include "model/sizing/cost_answer.hpp"
#include "model/sizing/scale_advice.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace roofplan::model;

namespace {

const Catalog& catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}

const SpeedData& data() {
  static const SpeedData kData(catalog());
  return kData;
}

SizeRequest request_for(std::int64_t users, std::vector<std::string> systems) {
  SizeRequest request;
  request.scenario.load.users = users;
  request.scenario.limits.systems = std::move(systems);
  request.sensitivity = false;
  return request;
}

SizeAnswer answer_to(const char* model, const SizeRequest& request) {
  return size_plans(request, data(), find_model(catalog(), model));
}

const SizePlan& best(const SizeAnswer& answer) {
  REQUIRE_FALSE(answer.plans.empty());
  REQUIRE(answer.plans.front().feasible);
  return answer.plans.front();
}

}  // namespace

TEST_CASE("more users never need fewer systems", "[sizing]") {
  std::int64_t last = 0;
  for (const std::int64_t users : {1, 8, 64, 512}) {
    SizeRequest request = request_for(users, {"dgx-h100"});
    request.scenario.targets.min_tok_s_per_user = 40.0 * unit::tok_s;
    const SizeAnswer answer = answer_to("llama-3.1-70b", request);
    CHECK(best(answer).count >= last);
    last = best(answer).count;
  }
  CHECK(last > 1);
}

TEST_CASE("a tighter target never costs less, and each plan meets its own", "[sizing]") {
  double last = 0;
  for (const double target : {10.0, 30.0, 50.0}) {
    SizeRequest request = request_for(100, {"dgx-h200"});
    request.scenario.targets.min_tok_s_per_user = target * unit::tok_s;
    const SizeAnswer answer = answer_to("llama-3.1-70b", request);
    CHECK(*best(answer).tok_s_per_user >= target);
    CHECK(best(answer).margin.value() == Approx(*best(answer).tok_s_per_user / target - 1));
    CHECK(best(answer).cost.total.amount() >= last);
    last = best(answer).cost.total.amount();
  }
}

TEST_CASE("one group fewer than the plan's misses the target", "[sizing]") {
  SizeRequest request = request_for(256, {"dgx-h100"});
  request.scenario.targets.min_tok_s_per_user = 40.0 * unit::tok_s;
  const SizeAnswer answer = answer_to("llama-3.1-70b", request);
  const SizePlan& plan = best(answer);
  REQUIRE(plan.groups > 1);
  SizeEvaluations evaluations;
  const double most =
      most_requests(request.scenario, data(), find_model(catalog(), "llama-3.1-70b"), plan, evaluations);
  CHECK(most >= 256);
  CHECK(most / static_cast<double>(plan.groups) * static_cast<double>(plan.groups - 1) < 256);
}

TEST_CASE("a power limit is held against the design power, and says by how much it is missed", "[sizing]") {
  SizeRequest request = request_for(4, {"dgx-h100", "strix-halo"});
  request.scenario.limits.power = 10'000.0 * unit::W;
  const SizeAnswer answer = answer_to("llama-3.1-8b", request);
  const auto of = [&](const char* system) {
    const auto it = std::find_if(answer.rejected.begin(), answer.rejected.end(),
                                 [&](const RejectedSystem& r) { return r.system == system; });
    return it == answer.rejected.end() ? Text() : it->reason;
  };
  // A DGX H100 is designed for 10.2 kW: 2 % over.
  REQUIRE(of("dgx-h100").key == "size.too_much_power");
  CHECK(std::get<std::string>(of("dgx-h100").args.back().value) == "2 %");
  REQUIRE_FALSE(catalog().systems().find("strix-halo").power_design.known());
  CHECK(of("strix-halo").key == "size.power_unknown");
}

TEST_CASE("a system that draws more than a rack may does not stand there, one that draws less does",
          "[sizing]") {
  SizeRequest request = request_for(4, {"dgx-h100"});
  request.scenario.site.rack_power = 7'000.0 * unit::W;
  const SizeAnswer weak = answer_to("llama-3.1-8b", request);
  REQUIRE(weak.rejected.size() == 1);
  // A DGX H100 is designed for 10.2 kW: 10.2 / 7 - 1 = 45.7 % over.
  REQUIRE(weak.rejected.front().reason.key == "size.rack_too_weak");
  CHECK(std::get<std::string>(weak.rejected.front().reason.args.back().value) == "46 %");
  request.scenario.site.rack_power = 12'000.0 * unit::W;
  const SizeAnswer enough = answer_to("llama-3.1-8b", request);
  CHECK(best(enough).margin.value() == Approx(1 - 10.2 / 12));
}

TEST_CASE("rent is held against the budget by its own cost, and needs no power, rack or purchase of ours",
          "[sizing]") {
  SizeRequest request = request_for(50, {"dgx-h100"});
  request.scenario.targets.min_tok_s_per_user = 20.0 * unit::tok_s;
  const SizeAnswer free = answer_to("llama-3.1-8b", request);
  REQUIRE(free.rented);
  const double rent = free.rented->cost.total.amount(), own = best(free).cost.total.amount();
  REQUIRE(rent < own);
  const auto rents_as_before = [&](const SizeRequest& limited) {
    const SizeAnswer answer = answer_to("llama-3.1-8b", limited);
    return !answer.can_buy() && answer.rented && answer.rented->cost.total.amount() == rent;
  };
  SizeRequest limited = request;
  limited.scenario.limits.budget = (rent + own) / 2;
  CHECK(rents_as_before(limited));
  limited = request;
  limited.scenario.limits.power = 1'000.0 * unit::W;
  CHECK(rents_as_before(limited));
  limited = request;
  limited.scenario.site.rack_power = 1'000.0 * unit::W;
  CHECK(rents_as_before(limited));
  limited.scenario.limits.budget = rent / 2;
  const SizeAnswer poor = answer_to("llama-3.1-8b", limited);
  CHECK_FALSE(poor.rented);
  REQUIRE(poor.rent_over_budget);
  CHECK(poor.rent_over_budget->cost.total.amount() == rent);
  // What misses the targets is not rented either.
  limited = request;
  limited.scenario.targets.min_tok_s_per_user = 1e6 * unit::tok_s;
  CHECK_FALSE(answer_to("llama-3.1-8b", limited).rented);
}

TEST_CASE("rented spares are accelerators, not boxes", "[sizing]") {
  SizeRequest request = request_for(8, {"dgx-h100"});
  const SizeAnswer without = answer_to("llama-3.1-8b", request);
  REQUIRE(without.rented);
  REQUIRE(without.rented->gpus == 1);
  // One accelerator works 1 / (1 + 0.13 / 8,760 h x 48 h) = 99.929 % of the time, one of two all but 5.1e-7
  // of it; a box of eight 99.43 %.
  for (const auto& [target, gpus] : {std::pair{0.999, 1}, {0.9999, 2}, {0.9999999, 3}}) {
    INFO(target);
    request.scenario.targets.availability = target;
    const SizeAnswer answer = answer_to("llama-3.1-8b", request);
    REQUIRE(answer.rented);
    CHECK(best(answer).spares > 0);
    CHECK(answer.rented->gpus == gpus);
  }
}

TEST_CASE("a node of eight fails 1.04 times a year, and repairs of 48 h leave it 99.43 % of the time",
          "[sizing]") {
  const SizeAnswer answer = answer_to("llama-3.1-8b", request_for(8, {"dgx-h100"}));
  // 1 / (1 + 0.13 x 8 / 8,760 h x 48 h), no spare.
  CHECK(best(answer).spares == 0);
  CHECK(best(answer).availability == Approx(0.99433).epsilon(1e-4));
}

TEST_CASE("the spares are as many as the availability target needs, not one", "[sizing]") {
  SizeRequest request = request_for(8, {"dgx-h100"});
  const std::int64_t without = best(answer_to("llama-3.1-8b", request)).count;
  std::int64_t last = 0;
  // One of two nodes: 1 - 0.00567^2 = 0.99997; one of three for more nines.
  for (const auto& [target, spares] : {std::pair{0.99, 0}, {0.999, 1}, {0.9999, 1}, {0.99999, 2}}) {
    request.scenario.targets.availability = target;
    const SizeAnswer answer = answer_to("llama-3.1-8b", request);
    INFO(target);
    CHECK(best(answer).spares == spares);
    CHECK(best(answer).count == without + spares);
    CHECK(best(answer).availability >= target);
    CHECK(best(answer).spares >= last);
    last = best(answer).spares;
  }
  request.scenario.targets.availability = 0.999;
  request.scenario.site.repair = 4.0 * unit::hour;
  CHECK(best(answer_to("llama-3.1-8b", request)).spares == 0);
  request.scenario.targets.availability = 1.0;
  CHECK_THROWS_AS(answer_to("llama-3.1-8b", request), InputError);
}

TEST_CASE("spares draw idle power, not that of work", "[sizing]") {
  SizeRequest request = request_for(8, {"dgx-h100"});
  const SizeAnswer working = answer_to("llama-3.1-8b", request);
  request.scenario.targets.availability = 0.999;
  const SizeAnswer spare = answer_to("llama-3.1-8b", request);
  REQUIRE(best(spare).spares == 1);
  // Idle is 0.26 of what a DGX H100 typically draws where no figure is stated.
  const System& system = catalog().systems().find("dgx-h100");
  const Watts idle = system_power(system, catalog().phase_power(), {}).mean;
  CHECK((*best(spare).power - *best(working).power) / unit::W == Approx(idle / unit::W));
  CHECK(idle < 0.5 * *system.power_typical);
}

TEST_CASE("a floor limit is held against the racks with their aisles", "[sizing]") {
  SizeRequest request = request_for(4, {"dgx-h100"});
  request.scenario.limits.floor_m2 = 1.0;
  const SizeAnswer answer = answer_to("llama-3.1-8b", request);
  REQUIRE(answer.rejected.size() == 1);
  // One rack of 0.6 m x (1.2 + 0.6 + 0.6) m.
  CHECK(answer.rejected.front().reason.key == "size.too_much_floor");
  CHECK(answer.plans.front().floor_m2.value() == Approx(1.44));
  request.scenario.limits.floor_m2 = 1.5;
  CHECK(best(answer_to("llama-3.1-8b", request)).margin.value() == Approx(1 - 1.44 / 1.5));
}

TEST_CASE("a power cap lets more systems stand under a power limit and lowers what they draw", "[sizing]") {
  SizeRequest request = request_for(4, {"dgx-h100"});
  request.scenario.limits.power = 10'000.0 * unit::W;
  REQUIRE_FALSE(answer_to("llama-3.1-8b", request).plans.front().feasible);
  request.scenario.system.power_cap = 0.7;
  const SizeAnswer capped = answer_to("llama-3.1-8b", request);
  // 10.2 kW less 0.3 x 8 x 700 W.
  CHECK(*best(capped).power_design / unit::W == Approx(10'200 - 1'680));
}

TEST_CASE("plans are ranked by total cost, and the frontier holds none that another beats (field report C13)",
          "[sizing]") {
  const SizeAnswer answer = answer_to("llama-3.1-8b", request_for(16, {"gb10", "dgx-h200", "dgx-b200"}));
  REQUIRE(answer.plans.size() == 3);
  for (std::size_t i = 1; i < answer.plans.size(); ++i)
    CHECK(answer.plans[i - 1].cost.total.amount() <= answer.plans[i].cost.total.amount());
  CHECK(best(answer).system == "gb10");
  CHECK(answer.pareto.front() == 0);
}

TEST_CASE("without any target one group serves whoever fits, and no margin is stated", "[sizing]") {
  const SizeAnswer answer = answer_to("llama-3.1-8b", request_for(2, {"dgx-h100"}));
  CHECK(best(answer).count == 1);
  CHECK_FALSE(best(answer).margin);
}

TEST_CASE("bisection asks the closed form less than a hundred times for 4,000 users", "[sizing]") {
  SizeRequest request = request_for(4000, {"dgx-h100"});
  request.scenario.targets.min_tok_s_per_user = 40.0 * unit::tok_s;
  const SizeAnswer answer = answer_to("llama-3.1-70b", request);
  CHECK(best(answer).groups > 10);
  CHECK(answer.evaluations < 100);
}

TEST_CASE("a rate of requests is served by Little's law", "[sizing]") {
  SizeRequest request;
  request.scenario.load.rps = 2.0 / unit::s;
  request.scenario.limits.systems = {"dgx-h100"};
  request.sensitivity = false;
  const SizeAnswer answer = answer_to("llama-3.1-8b", request);
  // 256 output tokens each, twice a second.
  CHECK(best(answer).output / unit::tok_s >= 512);
}

TEST_CASE("pools are bought only where a first token has a limit, and only where they save systems",
          "[sizing]") {
  SizeRequest request = request_for(256, {"dgx-h100"});
  request.scenario.targets.min_tok_s_per_user = 40.0 * unit::tok_s;
  const SizeAnswer without = answer_to("llama-3.1-70b", request);
  // Without a limit, requests could queue before prefill for as long as they like.
  CHECK_FALSE(best(without).pools);
  request.scenario.targets.max_ttft = 2.0 * unit::s;
  const SizeAnswer limited = answer_to("llama-3.1-70b", request);
  CHECK(best(limited).count <= best(without).count);
  CHECK(best(limited).ttft <= 2.0 * unit::s);
}

TEST_CASE("ten times a high rate takes at most as many steps more as it doubles", "[sizing]") {
  const auto steps = [](double rate) {
    SizeRequest request;
    request.scenario.load.rps = rate / unit::s;
    request.scenario.limits.systems = {"dgx-h100"};
    request.sensitivity = false;
    return answer_to("llama-3.1-8b", request).evaluations;
  };
  // One search by doubling and halving over at most 2^20 requests for each of four linked counts, at each of
  // two numbers of groups, against some millions of groups tried one by one.
  CHECK(steps(1e4) < 4 * 2 * 4 * 20);
  CHECK(steps(1e8) < 4 * 2 * 4 * 20);
}

TEST_CASE("a target for more of the requests never takes fewer systems, and holds at its quantile",
          "[sizing]") {
  std::int64_t last = 0;
  for (const char* statistic : {"mean", "p90", "p95", "p99"}) {
    INFO(statistic);
    SizeRequest request = request_for(256, {"dgx-h100"});
    request.scenario.targets.min_tok_s_per_user = 30.0 * unit::tok_s;
    request.scenario.targets.max_ttft = 2.0 * unit::s;
    request.scenario.targets.statistic = statistic;
    const SizeAnswer answer = answer_to("llama-3.1-70b", request);
    const SizePlan& plan = best(answer);
    CHECK(plan.count >= last);
    CHECK(*plan.tok_s_held >= 30);
    CHECK(plan.ttft_held <= 2.0 * unit::s);
    CHECK(plan.ttft_held >= plan.ttft);
    CHECK(*plan.tok_s_held <= *plan.tok_s_per_user);
    last = plan.count;
  }
}

TEST_CASE("at a rate the tail holds for the quantile of open requests", "[sizing]") {
  SizeRequest request;
  request.scenario.load.rps = 20.0 / unit::s;
  request.scenario.limits.systems = {"dgx-h100"};
  request.scenario.targets.min_tok_s_per_user = 60.0 * unit::tok_s;
  request.sensitivity = false;
  const SizePlan mean = best(answer_to("llama-3.1-70b", request));
  request.scenario.targets.statistic = "p99";
  const SizePlan tail = best(answer_to("llama-3.1-70b", request));
  CHECK(tail.count >= mean.count);
  CHECK(*tail.tok_s_held >= 60);
  CHECK(*tail.tok_s_held < *tail.tok_s_per_user);
}

TEST_CASE("spares of several rented systems are replicas, not whole systems", "[sizing]") {
  SizeRequest request = request_for(2400, {"dgx-h100"});
  request.scenario.parallel.tp = 1;
  request.scenario.targets.min_tok_s_per_user = 30.0 * unit::tok_s;
  request.scenario.targets.availability = 0.5;
  const SizeAnswer without = answer_to("llama-3.1-8b", request);
  REQUIRE(best(without).count == 2);
  REQUIRE(without.rented);
  CHECK(without.rented->gpus == 16);
  // One accelerator is out 1 - 1 / (1 + 0.13 / 8,760 h x 48 h) = 7.118e-4 of the time. Two or more of 17 are
  // 136 x 5.07e-7 = 6.9e-5 of it, three or more of 18 816 x 3.6e-10 = 2.9e-7. Of three boxes of eight two or
  // more are 3 x 0.00568^2 = 9.7e-5.
  for (const auto& [target, gpus] : {std::pair{0.9999, 17}, {0.99999, 18}}) {
    INFO(target);
    request.scenario.targets.availability = target;
    const SizeAnswer answer = answer_to("llama-3.1-8b", request);
    REQUIRE(answer.rented);
    CHECK(best(answer).count - best(answer).spares == 2);
    CHECK(answer.rented->gpus == gpus);
  }
}

TEST_CASE("a load longer than the model's context is told by size, scale and cost as by fit", "[sizing]") {
  const ModelFile model = find_model(catalog(), "llama-2-7b");
  REQUIRE(model.architecture.max_context == 4096);
  Scenario scenario;
  scenario.model.ref = "llama-2-7b";
  scenario.system.ref = "gb10";
  scenario.load.output_tokens = 256;
  const auto warns = [](const std::vector<Text>& warnings) {
    return std::any_of(warnings.begin(), warnings.end(),
                       [](const Text& t) { return t.key == "fit.context_beyond_model"; });
  };
  for (const std::int64_t prompt : {4096 - 256, 4096 - 255}) {
    INFO(prompt);
    const bool beyond = prompt + 256 > 4096;
    scenario.load.prompt_tokens = prompt;
    SizeRequest sizing{scenario, {}};
    sizing.sensitivity = false;
    sizing.scenario.limits.systems = {"gb10"};
    CHECK(warns(size_plans(sizing, data(), model).warnings) == beyond);
    ScaleRequest scaling;
    scaling.scenario = scenario;
    CHECK(warns(scale_advice(scaling, data(), model).warnings) == beyond);
    CHECK(warns(cost_answer(scenario, data(), &model).warnings) == beyond);
    const FitQuestion fitting(scenario, catalog(), model.architecture, catalog().systems().find("gb10"));
    CHECK(warns(fit(fitting.request()).warnings) == beyond);
  }
}

TEST_CASE("an engine that does not run on a system rejects it with the reason", "[sizing]") {
  const SizeAnswer answer = answer_to("llama-3.1-8b", request_for(1, {"mac-studio-m3-ultra"}));
  REQUIRE(answer.rejected.size() == 1);
  CHECK(answer.rejected.front().reason.key == "size.engine_elsewhere");
}

TEST_CASE("size links no more GB10 than can be linked", "[sizing]") {
  SizeRequest request = request_for(1, {"gb10"});
  request.scenario.model.weights = "int4";
  // 1,026 billion parameters at four bits are 478 GiB: four boxes leave 406, eight would leave 812.
  const SizeAnswer answer = answer_to("kimi-k2", request);
  for (const SizePlan& plan : answer.plans) CHECK(plan.linked <= 4);
  CHECK_FALSE(answer.can_buy());
}
