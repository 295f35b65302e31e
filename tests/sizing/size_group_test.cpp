#include "model/sizing/size_group.hpp"

#include "model/sizing/size.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

namespace {

const SpeedData& data() {
  static const SpeedData shipped(shipped_catalog());
  return shipped;
}

const ModelFile& model() {
  static const ModelFile file = find_model(shipped_catalog(), "llama-3.1-8b");
  return file;
}

Scenario scenario_of(double rps) {
  Scenario s;
  s.model.ref = "llama-3.1-8b";
  s.load.rps = rps / unit::s;
  s.targets.min_tok_s_per_user = 30.0 * unit::tok_s;
  return s;
}

SizeGroup& group_of(SizeEvaluations& evaluations, const Scenario& s) {
  return evaluations.group(s, data(), model(), shipped_catalog().systems().find("dgx-h100"), 1);
}

}  // namespace

TEST_CASE("a group is the same whatever the amount of load and the targets, and asked nothing twice",
          "[sizing]") {
  SizeEvaluations evaluations;
  Scenario s = scenario_of(1);
  SizeGroup& group = group_of(evaluations, s);
  const std::int64_t most = group.most_requests(s.targets, Arrivals::random, 1);
  const std::int64_t asked = evaluations.count();
  s.load.rps = 1000.0 / unit::s;
  s.targets.min_tok_s_per_user = 60.0 * unit::tok_s;
  CHECK(&group_of(evaluations, s) == &group);
  CHECK(group.most_requests(scenario_of(1).targets, Arrivals::random, 1) == most);
  CHECK(evaluations.count() == asked);
  s.load.prompt_tokens = 5000;
  CHECK(&group_of(evaluations, s) != &group);
}

TEST_CASE("the most requests of a group meet its targets, one more does not", "[sizing]") {
  SizeEvaluations evaluations;
  const Scenario s = scenario_of(1);
  SizeGroup& group = group_of(evaluations, s);
  const std::int64_t most = group.most_requests(s.targets, Arrivals::random, 1);
  CHECK(group.meets(s.targets, Arrivals::random, most));
  CHECK_FALSE(group.meets(s.targets, Arrivals::random, most + 1));
  // The least requests that complete a rate complete it, one fewer do not.
  const PerSecond rate = group.outcome(most).completed * 0.7;
  const auto requests = group.requests_for(rate);
  REQUIRE(requests);
  CHECK(group.outcome(*requests).completed >= rate);
  CHECK(group.outcome(*requests - 1).completed < rate);
  CHECK_FALSE(group.requests_for(group.outcome(most).completed * 1e6));
}

TEST_CASE("a search beside another finds what it finds alone, and asks less", "[sizing]") {
  SizeEvaluations together;
  std::int64_t before = 0;
  for (const double rps : {5.0, 500.0, 1e6}) {
    SizeRequest request{scenario_of(rps), {}, false, false};
    request.scenario.limits.systems = {"dgx-h100", "gb10"};
    const SizeAnswer alone = size_plans(request, data(), model());
    const SizeAnswer beside = size_plans(request, data(), model(), together);
    REQUIRE(alone.plans.size() == beside.plans.size());
    for (std::size_t i = 0; i < alone.plans.size(); ++i) {
      CHECK(alone.plans[i].system == beside.plans[i].system);
      CHECK(alone.plans[i].groups == beside.plans[i].groups);
      CHECK(alone.plans[i].requests_each == beside.plans[i].requests_each);
      CHECK(alone.plans[i].ttft == beside.plans[i].ttft);
    }
    if (before > 0) CHECK(beside.evaluations - before < alone.evaluations);
    before = beside.evaluations;
  }
}
