#include "model/roofline/operator.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("a causal prompt of n tokens sees n (n + 1) / 2 positions", "[roofline]") {
  const Visibility all;
  CHECK(all.pairs(4, 0) == 10);              // 1 + 2 + 3 + 4
  CHECK(all.pairs(4, 100) == 4 * 100 + 10);  // each also the 100 before
  CHECK(all.read(4, 100) == 104);
  CHECK(all.seen(7) == 8);
}

TEST_CASE("a window caps what every token sees", "[roofline]") {
  const Visibility window{3, Visibility::kAll, Visibility::kAll};
  CHECK(window.pairs(5, 0) == 1 + 2 + 3 + 3 + 3);
  CHECK(window.pairs(2, 10) == 6);
  CHECK(window.read(1, 10) == 3);
  CHECK(window.read(2, 10) == 4);  // the windows of two neighbours share all but one position
}

TEST_CASE("a sparse indexer caps entries, and pooling divides them", "[roofline]") {
  const Visibility chosen{0, 1, 4};
  CHECK(chosen.pairs(6, 0) == 1 + 2 + 3 + 4 + 4 + 4);
  CHECK(chosen.read(1, 99) == 4);
  const Visibility pooled{128, 4, Visibility::kAll};
  CHECK(pooled.seen(127) == 128);
  CHECK(pooled.seen(1127) == 128 + 1000 / 4);
  CHECK(pooled.read(1, 1127) == 128 + 1000 / 4);
}

TEST_CASE("one token touches its top-k experts and a large batch all of them", "[roofline]") {
  CHECK(distinct_experts(128, 4, 1, 1) == Approx(4));
  CHECK(distinct_experts(8, 2, 1e6, 1) == Approx(8));
  // By hand: 8 (1 - (1 - 2/8)^2) = 8 (1 - 0.5625) = 3.5.
  CHECK(distinct_experts(8, 2, 2, 1) == Approx(3.5));
  // Tokens of one text share experts: fewer distinct ones, never fewer than for one token.
  CHECK(distinct_experts(128, 4, 16, 0.7) < distinct_experts(128, 4, 16, 1));
  CHECK(distinct_experts(128, 4, 16, 0.7) > 4);
  CHECK(distinct_experts(4, 4, 1, 1) == Approx(4));
}

TEST_CASE("an operator takes at least its compute and its memory time and at most their sum", "[roofline]") {
  Operator op;
  op.flop_per_token = 3e9;
  op.weight_bytes = 4e6;
  op.s_per_flop = 1e-12;        // 3 ms at one token
  op.s_per_weight_byte = 1e-9;  // 4 ms
  const OperatorCost cost = evaluate(op, {1, 1, 0}, 1);
  CHECK(cost.time_s == Approx(5e-3));  // sqrt(3^2 + 4^2)
  CHECK(cost.bound == Bound::memory);
  op.overlap = 0;  // read first, then compute
  CHECK(evaluate(op, {1, 1, 0}, 1).time_s == Approx(7e-3));
  op.overlap = 1;
  CHECK(evaluate(op, {100, 1, 0}, 1).time_s == Approx(0.3).epsilon(1e-3));
  CHECK(evaluate(op, {100, 1, 0}, 1).bound == Bound::compute);
}

TEST_CASE("a launch is waited for besides the work", "[roofline]") {
  Operator op;
  op.launch_s = 2e-6;
  op.weight_bytes = 1;
  op.s_per_weight_byte = 1e-6;
  CHECK(evaluate(op, {1, 1, 0}, 1).time_s == Approx(3e-6));
  CHECK(evaluate(op, {1, 1, 0}, 1).bound == Bound::launch);
}

TEST_CASE("tabulated exchange times follow the law between and beyond the samples", "[roofline]") {
  const auto law = [](Bytes b) { return 10.0 * unit::us + b / (20.0 * unit::GB_s); };
  const ExchangeTimes times(law);
  for (const double bytes : {300.0, 12345.0, 1e6, 3e8, 9e9})
    CHECK(times.seconds(bytes) == Approx(law(bytes * unit::B).base()).epsilon(0.01));
  CHECK(times.seconds(0) == 0);
  CHECK(times.seconds(1e12) == Approx(law(1e12 * unit::B).base()).epsilon(0.01));
}

TEST_CASE("the time of an operator asked alone is that of its cost", "[roofline]") {
  class Law : public KernelTime {
   public:
    double seconds(const StepPoint& point, double sequences, double tokens, double) const override {
      return 1e-6 * point.context + 1e-5 * sequences + 1e-4 * tokens;
    }
  };
  const Law law;
  const ExchangeTimes exchange([](Bytes b) { return 10.0 * unit::us + b / (20.0 * unit::GB_s); });
  Operator rates;
  rates.token_share = 0.5;
  rates.flop_per_token = 3e9;
  rates.weight_bytes = 4e6;
  rates.s_per_flop = 1e-12;
  rates.s_per_weight_byte = 1e-9;
  rates.fixed_s = 1e-3;
  rates.s_per_token = 1e-4;
  Operator by_law = rates, capped = rates, moved = rates, software;
  by_law.kernel = capped.kernel = &law;
  capped.compute_stretch = 2;
  moved.exchange = &exchange;
  moved.activation_bytes_per_token = 1e6;
  software.kind = OperatorKind::software;
  software.fixed_s = 2e-3;
  software.s_per_sequence = 1e-4;
  for (const Operator& op : {rates, by_law, capped, moved, software})
    for (const StepPoint& point : {StepPoint{1, 1, 0}, StepPoint{8, 1, 1000}, StepPoint{3, 512, 64}})
      CHECK(seconds_of(op, point, 0.8) == evaluate(op, point, 0.8).time_s);
  // By hand: 1 ms fixed, 4 sequences and tokens of 0.1 ms each, and the law's 1 ms + 0.04 ms + 0.4 ms.
  CHECK(seconds_of(by_law, {8, 1, 1000}, 1) == Approx(1e-3 + 4e-4 + 1e-3 + 4e-5 + 4e-4));
}
