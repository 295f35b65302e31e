#include "model/sizing/growth.hpp"

#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace roofplan::model;

namespace {

const SpeedData& data() {
  static const SpeedData shipped(shipped_catalog());
  return shipped;
}

SizeRequest growing(double a_month, std::vector<std::string> systems) {
  SizeRequest request;
  Scenario& s = request.scenario;
  s.load.users = 8;
  s.load.growth_per_month = a_month;
  s.limits.systems = std::move(systems);
  s.targets.min_tok_s_per_user = 20.0 * unit::tok_s;
  request.sensitivity = false;
  return request;
}

SizeAnswer answer_to(const SizeRequest& request, const char* model = "gpt-oss-120b") {
  return size_plans(request, data(), find_model(shipped_catalog(), model));
}

CostOption option_of(double capital, double paid_per_year) {
  const Currency usd("USD");
  CostOption out;
  out.capital = {capital, usd};
  out.paid_per_year = out.paid_per_year_end = {paid_per_year, usd};
  out.year.energy = {paid_per_year, usd};
  return out;
}

Scenario two_years(double a_month) {
  Scenario out;
  out.money.years = 2;
  out.money.discount = 0;
  out.load.growth_per_month = a_month;
  return out;
}

}  // namespace

TEST_CASE("systems are added in the month in which the load passes what stands", "[sizing]") {
  const SizeRequest request = growing(0.05, {"gb10"});
  const SizePlan plan = answer_to(request).plans.front();
  REQUIRE(plan.feasible);
  REQUIRE(plan.stages.size() > 2);
  SizeEvaluations evaluations;
  Scenario one = request.scenario;
  const double carried =
      most_requests(one, data(), find_model(shipped_catalog(), "gpt-oss-120b"), plan, evaluations) /
      static_cast<double>(plan.groups);
  const auto open = [](std::int64_t month) {
    return std::ceil(8 * std::pow(1.05, static_cast<double>(month)) - 1e-9);
  };
  for (std::size_t i = 1; i < plan.stages.size(); ++i) {
    const double before = carried * static_cast<double>(plan.stages[i - 1].count / plan.linked);
    CHECK(open(plan.stages[i].month) > before);
    CHECK(open(plan.stages[i].month - 1) <= before);
    CHECK(plan.stages[i].load == open(plan.stages[i].month));
  }
  // 8 x 1.05^47 = 79.3: the last of 48 months.
  CHECK(plan.stages.back().load_end == 80);
  CHECK(carried * static_cast<double>(plan.count_end() / plan.linked) >= 80);
}

TEST_CASE("a load that stays adds nothing, and the end is today", "[sizing]") {
  const SizePlan plan = answer_to(growing(0, {"gb10"})).plans.front();
  CHECK(plan.stages.empty());
  CHECK(plan.count_end() == plan.count);
  CHECK(plan.cost.later.amount() == 0);
}

TEST_CASE("limits hold for the systems that stand in the end", "[sizing]") {
  SizeRequest request = growing(0.05, {"gb10"});
  const SizePlan free = answer_to(request).plans.front();
  REQUIRE(free.count_end() > free.count);
  // Between today's design power and that of the end: today's count would do.
  request.scenario.limits.power = 0.5 * (*free.power_design + *free.power_design_end);
  const SizeAnswer limited = answer_to(request);
  for (const SizePlan& plan : limited.plans)
    if (plan.feasible) CHECK(*plan.power_design_end <= *request.scenario.limits.power);
}

TEST_CASE("growth that no number of systems can follow is told with its month", "[sizing]") {
  const SizeAnswer answer = answer_to(growing(99, {"gb10"}));
  REQUIRE(answer.rejected.size() == 1);
  CHECK(answer.rejected.front().reason.key == "size.grows_out_of_reach");
}

TEST_CASE("the second half of a purchase is paid when it comes, and runs from then on", "[sizing]") {
  // 100 now; from month 12 on 250 in all; running costs of 12 and 24 a year.
  const CostOption cost =
      joined_cost({{0, option_of(100, 12)}, {12, option_of(250, 24)}}, two_years(0), std::nullopt);
  CHECK(cost.capital.amount() == Approx(100));
  CHECK(cost.later.amount() == Approx(150));
  REQUIRE(cost.yearly.size() == 2);
  CHECK(cost.yearly[0].amount() == Approx(12));
  CHECK(cost.yearly[1].amount() == Approx(150 + 24));
  CHECK(cost.total.amount() == Approx(100 + 12 + 150 + 24));
  CHECK(cost.whole.energy.amount() == Approx(36));
  CHECK(cost.present_value.amount() == Approx(cost.total.amount()));
}

TEST_CASE("a million tokens of a load that doubles after a year cost what both years' tokens share",
          "[sizing]") {
  // 2^(1/12) a month: 12 months make sum(2^(k/12), k = 0..11) = 1 / (2^(1/12) - 1) = 16.817 months of today,
  // the next twelve twice that.
  const double a_month = std::pow(2, 1.0 / 12) - 1;
  const CostOption cost = joined_cost({{0, option_of(100, 12)}}, two_years(a_month), 10.0 * unit::tok_s);
  const double months = 3 / a_month;
  REQUIRE(cost.per_mtok);
  CHECK(cost.per_mtok->amount() == Approx(124 / (10 * months * 730 * 3600) * 1e6));
}

TEST_CASE("owning that grows catches up with rent that grows when the sums meet", "[sizing]") {
  // Owning: 100 at once, 12 a year, 100 more in month 12. Rent: 120 a year, from month 12 on 240.
  const CostOption owned =
      joined_cost({{0, option_of(100, 12)}, {12, option_of(200, 24)}}, two_years(0), std::nullopt);
  const CostOption rented =
      joined_cost({{0, option_of(0, 120)}, {12, option_of(0, 240)}}, two_years(0), std::nullopt);
  // After a year owning has cost 112 - 120 = 8 less, then 100 more; 18 a month saved: 12 + 92 / 18 months.
  // The first crossing, after 100 / 9 months, does not last.
  const auto months = break_even_months(owned, rented);
  REQUIRE(months);
  CHECK(*months == Approx(12 + 92.0 / 18));
}

TEST_CASE("where renting is cheaper within the years it is the decision, and buying pays after them",
          "[sizing]") {
  SizeRequest request = growing(0, {"dgx-h100"});
  request.scenario.money.years = 1;
  const SizeAnswer year = answer_to(request, "llama-3.1-70b");
  REQUIRE(year.rented);
  CHECK(year.rented->cost.total < year.plans.front().cost.total);
  // Accelerators x price of an hour x 8,760 hours.
  const CostItem& item = year.rented->cost.items.front();
  CHECK(year.rented->cost.total.amount() ==
        Approx(static_cast<double>(year.rented->gpus) * item.each.amount() * 8760));
  const CostOption& own = year.plans.front().cost;
  const double months =
      own.capital.amount() / ((year.rented->cost.paid_per_year - own.paid_per_year).amount() / 12);
  if (year.break_even_months) {
    CHECK(*year.break_even_months == Approx(months));
    CHECK(*year.break_even_months > 12);
  } else {
    CHECK(months < 0);
  }
  request.scenario.limits.data_stays = true;
  CHECK_FALSE(answer_to(request, "llama-3.1-70b").rented);
}

TEST_CASE("a growing load rents more with each stage", "[sizing]") {
  const SizeAnswer answer = answer_to(growing(0.1, {"dgx-h100"}), "llama-3.1-70b");
  REQUIRE(answer.rented);
  CHECK(answer.rented->gpus < answer.rented->gpus_end);
  CHECK(answer.rented->cost.yearly.front() < answer.rented->cost.yearly.back());
}
