#include "model/acceptance/outlier_test.hpp"

#include "tests/acceptance/log_sets.hpp"
#include "tests/acceptance/promises.hpp"

#include <catch2/catch.hpp>

using namespace roofplan;
using namespace roofplan::test;
using model::PairRate;

namespace {

const model::AcceptanceLimits& limits() {
  static const model::Promise kPromise = promise_of("dgx-h200");
  return *kPromise.limits;
}

std::vector<PairRate> full_mesh(int nodes, double rate) {
  std::vector<PairRate> pairs;
  for (int a = 0; a < nodes; ++a) {
    for (int b = a + 1; b < nodes; ++b)
      pairs.push_back(
          {std::to_string(a), std::to_string(b), rate * noise(3, static_cast<std::uint64_t>(a * nodes + b))});
  }
  return pairs;
}

using Indices = std::vector<std::size_t>;
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("The robust spread of 1 2 3 4 100 is that of its middle", "[acceptance]") {
  const std::vector<double> values{100, 2, 4, 1, 3};
  const model::RobustSpread spread = model::robust_spread(values);
  CHECK(spread.median == 3);
  CHECK(spread.deviation == Approx(1.4826));  // distances 2 1 0 1 97, their median 1
  CHECK(model::robust_spread(std::vector<double>{4, 1, 2, 3}).median == 2.5);
}

TEST_CASE("One value far on the bad side is an outlier, one on the good side is not", "[acceptance]") {
  const std::vector<double> rates{480, 481, 479, 482, 400, 900};
  CHECK(model::outliers_among(rates, model::BadSide::low, limits()) == Indices{4});
  CHECK(model::outliers_among(rates, model::BadSide::high, limits()) == Indices{5});
}

TEST_CASE("Healthy spread and too few values show no outlier", "[acceptance]") {
  CHECK(model::outliers_among(std::vector<double>{480, 100}, model::BadSide::low, limits()).empty());
  // Eight healthy GB10 read 218 to 234 GB/s.
  const std::vector<double> gb10{218, 234, 226, 230, 222, 233, 228, 220};
  CHECK(model::outliers_among(gb10, model::BadSide::low, limits()).empty());
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<double> values;
    for (std::uint64_t i = 0; i < 2048; ++i) values.push_back(480 * noise(seed, i, 0.01));
    CHECK(model::outliers_among(values, model::BadSide::low, limits()).empty());
  }
}

TEST_CASE("An end all of whose pairs are slow is to blame, and not its partners", "[acceptance]") {
  std::vector<PairRate> pairs = full_mesh(8, 45);
  for (PairRate& pair : pairs) {
    if (pair.a == "3" || pair.b == "3") pair.rate *= 0.6;
  }
  const model::PairFaults faults = model::locate_faults(pairs, limits());
  CHECK(faults.ends == Names{"3"});
  CHECK(faults.pairs.empty());
  CHECK(faults.usual == Approx(45).epsilon(0.01));
}

TEST_CASE("One slow pair among fine ones is a link, also beside a slow end", "[acceptance]") {
  std::vector<PairRate> pairs = full_mesh(8, 45);
  std::size_t cable = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].a == "1" && pairs[i].b == "6") cable = i;
  }
  pairs[cable].rate = 20;
  CHECK(model::locate_faults(pairs, limits()).ends.empty());
  CHECK(model::locate_faults(pairs, limits()).pairs == Indices{cable});
  for (PairRate& pair : pairs) {
    if (pair.a == "3" || pair.b == "3") pair.rate *= 0.6;
  }
  CHECK(model::locate_faults(pairs, limits()).ends == Names{"3"});
  CHECK(model::locate_faults(pairs, limits()).pairs == Indices{cable});
}

TEST_CASE("Pairs that are each measured once are named as pairs", "[acceptance]") {
  std::vector<PairRate> pairs;
  for (int i = 0; i < 8; ++i)
    pairs.push_back({"a" + std::to_string(i), "b" + std::to_string(i), 45.0 + 0.1 * i});
  pairs[5].rate = 22;
  CHECK(model::locate_faults(pairs, limits()).ends.empty());
  CHECK(model::locate_faults(pairs, limits()).pairs == Indices{5});
}
