#include "model/sizing/size.hpp"

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
  std::int64_t evaluations = 0;
  const double most =
      most_requests(request.scenario, data(), find_model(catalog(), "llama-3.1-70b"), plan, evaluations);
  CHECK(most >= 256);
  CHECK(most / static_cast<double>(plan.groups) * static_cast<double>(plan.groups - 1) < 256);
}

TEST_CASE("a power limit is held against the design power, and says by how much it is missed", "[sizing]") {
  SizeRequest request = request_for(4, {"dgx-h100", "mac-studio-m3-ultra"});
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
  if (!catalog().systems().find("mac-studio-m3-ultra").power_design.known())
    CHECK(of("mac-studio-m3-ultra").key == "size.power_unknown");
}

TEST_CASE("an availability target buys one group more (N+1)", "[sizing]") {
  SizeRequest request = request_for(8, {"dgx-h100"});
  const SizeAnswer plain = answer_to("llama-3.1-8b", request);
  const std::int64_t before = best(plain).count;
  request.scenario.targets.availability = 0.999;
  const SizeAnswer spare = answer_to("llama-3.1-8b", request);
  CHECK(best(spare).count == before + 1);
  CHECK(best(spare).spares == 1);
}

TEST_CASE("plans are ranked by total cost, and the frontier holds none that another beats", "[sizing]") {
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
