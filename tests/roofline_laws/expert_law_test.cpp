#include "model/roofline/laws/expert_gemm.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

using namespace roofplan::model;

namespace {

ExpertGemmLaw round_law() {
  ExpertGemmLaw law;
  law.sm_count = 100;
  law.launch = 10 * unit::us;
  law.memory_rate = 4 * unit::TB_s;
  law.matrix_rate = 500 * unit::TFLOP_s;
  law.sm_rate = 1000 * unit::GB_s;
  law.tile_setup = 0.1 * unit::us;
  law.k_step = 0.01 * unit::ns;
  law.routed_bytes = law.token_bytes = 0;
  return law;
}

ExpertGemmShape shape_of(double tokens, const ExpertLoad& load) {
  return {.tokens = tokens, .top_k = 8, .hidden = 4096, .inner = 1536, .local_experts = 128, .load = load};
}

}  // namespace

TEST_CASE("One token of one expert reads that expert's three matrices", "[roofline_laws]") {
  ExpertGemmLaw law = round_law();
  law.sm_rate = 1e5 * unit::GB_s;  // nothing but DRAM limits
  law.matrix_rate = 1e6 * unit::TFLOP_s;
  law.tile_setup = 0 * unit::us;
  const double t = expert_gemm_time(shape_of(1, {1, 1}), law) / unit::us;
  CHECK(t == Approx(10 + 3.0 * 4096 * 1536 * 2 / 4e12 * 1e6).epsilon(0.03));
}

TEST_CASE("One token of one expert on few SMs is bound by what they take in", "[roofline_laws]") {
  // 24 and 32 tiles of 16 x 128 in one wave: 4096 and 1536 steps of (16 + 128) 2 B / 100 GB/s = 2.88 ns, and
  // two setups, beside 6.3 us and 3.1 us of DRAM.
  ExpertGemmLaw law = round_law();
  law.sm_rate = 100 * unit::GB_s;
  const double first = std::hypot(4096 * 2.88e-3 + 0.1, 2.0 * 4096 * 1536 * 2 / 4e12 * 1e6);
  const double second = std::hypot(1536 * 2.88e-3 + 0.1, 1.0 * 4096 * 1536 * 2 / 4e12 * 1e6);
  const double t = expert_gemm_time(shape_of(1, {1, 1}), law) / unit::us;
  CHECK(t == Approx(10 + first + second).epsilon(0.01));
}

TEST_CASE("Weights that an L2 keeps are read at three times the rate when warm, not when cold",
          "[roofline_laws]") {
  ExpertGemmLaw law = round_law();
  law.sm_rate = 1e5 * unit::GB_s;
  law.matrix_rate = 1e6 * unit::TFLOP_s;
  law.l2_size = 1e6 * unit::MB;
  const ExpertGemmShape shape = shape_of(8, {64, 64});
  const double cold = expert_gemm_time(shape, law) / unit::us - 10;
  CHECK((expert_gemm_time(shape, law, CacheState::warm) / unit::us - 10) / cold ==
        Approx(1.0 / 3).epsilon(0.02));
  law.l2_size = 1 * unit::MB;
  CHECK(expert_gemm_time(shape, law, CacheState::warm) / expert_gemm_time(shape, law) == Approx(1));
}

TEST_CASE("Weights are read once per distinct expert, not per local one", "[roofline_laws]") {
  const auto above_launch = [](double distinct) {
    return expert_gemm_time(shape_of(8, {64, distinct}), round_law()) / unit::us - 10;
  };
  CHECK(above_launch(64) / above_launch(16) == Approx(4).epsilon(0.05));
}

TEST_CASE("Scheduling takes its time for every local expert, and sorting for every doubling of the tokens",
          "[roofline_laws]") {
  ExpertGemmLaw law = round_law();
  law.per_local_expert = 50 * unit::ns;
  law.per_token_doubling = 200 * unit::ns;
  const ExpertGemmShape shape = shape_of(7, {56, 48});
  // 128 experts, whether they have tokens or not; 7 tokens and one are three doublings.
  CHECK((expert_gemm_time(shape, law) - expert_gemm_time(shape, round_law())) / unit::us ==
        Approx(128 * 0.05 + 3 * 0.2));
}

TEST_CASE("Many tokens reach the matrix rate", "[roofline_laws]") {
  ExpertGemmLaw law = round_law();
  const double routed = 8.0 * 65536;
  const double t = expert_gemm_time(shape_of(65536, {routed, 128}), law) / unit::s;
  CHECK(routed * 6.0 * 4096 * 1536 / t / 500e12 == Approx(0.97).margin(0.03));
}

TEST_CASE("Experts without a gate have two thirds of the weights", "[roofline_laws]") {
  ExpertGemmShape shape = shape_of(256, {2048, 128});
  const double gated = expert_gemm_time(shape, round_law()) / unit::us - 10;
  shape.gated = false;
  CHECK((expert_gemm_time(shape, round_law()) / unit::us - 10) / gated == Approx(2.0 / 3).epsilon(0.02));
}

TEST_CASE("A kernel that multiplies the tokens of all ranks gains no compute from expert parallelism",
          "[roofline_laws]") {
  ExpertGemmLaw law = round_law();
  law.multiplies_all = true;
  const double all = 8.0 * 16384;
  const auto one = expert_gemm_time(shape_of(16384, {all, 128}), law);
  CHECK(expert_gemm_time(shape_of(16384, {all / 8, 128}), law) / one == Approx(1).epsilon(0.03));
  law.multiplies_all = false;
  CHECK(expert_gemm_time(shape_of(16384, {all / 8, 128}), law) / one < 0.3);
}

TEST_CASE("Balanced routing touches an expert per routed token until all are touched", "[roofline_laws]") {
  const ExpertLoad few = balanced_load({.tokens = 2, .top_k = 8, .experts = 256, .ranks = 4});
  CHECK(few.routed_tokens == 4);
  CHECK(few.distinct_experts == 4);
  CHECK(balanced_load({.tokens = 1024, .top_k = 8, .experts = 256, .ranks = 4}).distinct_experts == 64);
}

TEST_CASE("Uniform routing touches E (1 - (1 - k/E)^b) experts", "[roofline_laws]") {
  const ExpertLoad load = uniform_load({.tokens = 32, .top_k = 8, .experts = 256, .ranks = 1});
  CHECK(load.distinct_experts == Approx(256 * (1 - std::pow(1 - 8.0 / 256, 32))));
  CHECK(load.routed_tokens == 256);
}

TEST_CASE("The busiest rank of uniform routing agrees with drawn routings", "[roofline_laws]") {
  std::mt19937_64 random(7);
  constexpr int kTokens = 64, kTopK = 8, kExperts = 128, kRanks = 8, kDraws = 400;
  double busiest = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<int> experts(kExperts), ranks(kRanks, 0);
    for (int t = 0; t < kTokens; ++t) {
      for (int e = 0; e < kExperts; ++e) experts[static_cast<std::size_t>(e)] = e;
      std::shuffle(experts.begin(), experts.end(), random);
      for (int k = 0; k < kTopK; ++k)
        ++ranks[static_cast<std::size_t>(experts[static_cast<std::size_t>(k)] * kRanks / kExperts)];
    }
    busiest += *std::max_element(ranks.begin(), ranks.end()) / static_cast<double>(kDraws);
  }
  const ExpertLoad load =
      uniform_load({.tokens = kTokens, .top_k = kTopK, .experts = kExperts, .ranks = kRanks});
  CHECK(load.routed_tokens == Approx(busiest).epsilon(0.05));
}

TEST_CASE("A power law concentrates tokens: fewer experts touched, a busier rank", "[roofline_laws]") {
  const RoutedLayer layer{.tokens = 16, .top_k = 8, .experts = 256, .ranks = 8};
  const ExpertLoad skewed = power_law_load(layer, 1.2), even = balanced_load(layer);
  CHECK(skewed.distinct_experts < even.distinct_experts);
  CHECK(skewed.routed_tokens > even.routed_tokens);
  CHECK(skewed.routed_tokens < 16.0 * 8);
}

TEST_CASE("Routing by groups sends balanced choices to the first half of the experts", "[roofline_laws]") {
  // 8 choices lie in 8 groups; 4 groups are taken: 4 choices stay, 4 go to the lowest experts of group 0.
  const auto load = [](double ranks) {
    const RoutedLayer layer{.tokens = 1024, .top_k = 8, .experts = 256, .ranks = ranks};
    return group_limited_load(balanced_load(layer), layer, true);
  };
  CHECK(load(1).distinct_experts == 128);
  CHECK(load(1).routed_tokens == 8192);
  CHECK(load(2).routed_tokens == 8192);
  CHECK(load(4).routed_tokens == 1024 * (4 * 0.5 + 4));
  CHECK(load(8).routed_tokens == 1024 * (4 * 0.25 + 4));
  const RoutedLayer few{.tokens = 1024, .top_k = 4, .experts = 128, .ranks = 4};
  CHECK(group_limited_load(balanced_load(few), few, true).distinct_experts == 32);
  // Eight experts are eight groups of one: all tokens meet at two of them, on however many ranks.
  for (const double ranks : {1.0, 8.0}) {
    const RoutedLayer eight{.tokens = 1024, .top_k = 2, .experts = 8, .ranks = ranks};
    const ExpertLoad lowest = group_limited_load(balanced_load(eight), eight, true);
    CHECK(lowest.distinct_experts == 2);
    CHECK(lowest.routed_tokens == 2048);
  }
}

TEST_CASE("Random choices limited to 4 of 8 groups load the first rank as drawn routings do",
          "[roofline_laws]") {
  std::mt19937_64 random(11);
  constexpr int kTokens = 4000, kTopK = 8, kExperts = 128, kGroups = 8, kTaken = 4;
  std::vector<int> order(kExperts), first(kExperts, 0);
  for (int i = 0; i < kExperts; ++i) order[static_cast<std::size_t>(i)] = i;
  for (int t = 0; t < kTokens; ++t) {
    std::shuffle(order.begin(), order.end(), random);
    std::vector<bool> chosen(kExperts, false);
    std::vector<std::pair<int, int>> groups;  // minus the score, group
    for (int g = 0; g < kGroups; ++g) groups.emplace_back(0, g);
    for (int k = 0; k < kTopK; ++k) {
      chosen[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = true;
      auto& score = groups[static_cast<std::size_t>(order[static_cast<std::size_t>(k)] * kGroups / kExperts)];
      score.first = std::max(-2, score.first - 1);
    }
    std::sort(groups.begin(), groups.end());
    std::vector<std::pair<bool, int>> reachable;  // not chosen, expert
    for (int g = 0; g < kTaken; ++g) {
      for (int e = 0; e < kExperts / kGroups; ++e) {
        const int expert = groups[static_cast<std::size_t>(g)].second * kExperts / kGroups + e;
        reachable.emplace_back(!chosen[static_cast<std::size_t>(expert)], expert);
      }
    }
    std::sort(reachable.begin(), reachable.end());
    for (int k = 0; k < kTopK; ++k)
      ++first[static_cast<std::size_t>(reachable[static_cast<std::size_t>(k)].second)];
  }
  for (const int ranks : {2, 4, 8}) {
    INFO(ranks);
    const RoutedLayer layer{.tokens = kTokens, .top_k = kTopK, .experts = kExperts, .ranks = 1.0 * ranks};
    const double drawn = std::accumulate(first.begin(), first.begin() + kExperts / ranks, 0.0);
    const double even = 1.0 * kTokens * kTopK / ranks;
    const double stated = group_limited_load({even, 1.0 * kExperts / ranks}, layer, false).routed_tokens;
    CHECK(stated / (kTokens * kTopK) == Approx(drawn / (kTokens * kTopK)).margin(0.04));
  }
}

TEST_CASE("The largest of n normal values is as tabulated", "[roofline_laws]") {
  // Expected maxima of n standard normal values (Harter, Biometrika 48, 1961, table 1).
  CHECK(extreme_of_normals(1) == 0);
  CHECK(extreme_of_normals(2) == Approx(0.5642).epsilon(0.05));
  CHECK(extreme_of_normals(4) == Approx(1.0294).epsilon(0.03));
  CHECK(extreme_of_normals(8) == Approx(1.4236).epsilon(0.03));
  CHECK(extreme_of_normals(16) == Approx(1.7660).epsilon(0.03));
}
