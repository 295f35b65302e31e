#include "model/roofline/laws/expert_gemm.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace roofplan::model;

namespace {

ExpertGemmLaw round_law() {
  ExpertGemmLaw law;
  law.launch = 10 * unit::us;
  law.memory_rate = 4 * unit::TB_s;
  law.matrix_rate = 500 * unit::TFLOP_s;
  law.depth_step = 0.01 * unit::ns;
  law.routed_bytes = law.token_bytes = 0;
  return law;
}

ExpertGemmShape shape_of(double tokens, const ExpertLoad& load) {
  return {.tokens = tokens, .top_k = 8, .hidden = 4096, .inner = 1536, .local_experts = 128, .load = load};
}

}  // namespace

TEST_CASE("One token of one expert reads that expert's three matrices", "[roofline_laws]") {
  const double t = expert_gemm_time(shape_of(1, {1, 1}), round_law()) / unit::us;
  CHECK(t == Approx(10 + 3.0 * 4096 * 1536 * 2 / 4e12 * 1e6).epsilon(0.03));
}

TEST_CASE("Weights are read once per distinct expert, not per local one", "[roofline_laws]") {
  const auto above_launch = [](double distinct) {
    return expert_gemm_time(shape_of(8, {64, distinct}), round_law()) / unit::us - 10;
  };
  CHECK(above_launch(64) / above_launch(16) == Approx(4).epsilon(0.05));
}

TEST_CASE("Many tokens reach the matrix rate", "[roofline_laws]") {
  ExpertGemmLaw law = round_law();
  law.tile_overhead = 0.1;
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

TEST_CASE("The largest of n normal values is as tabulated", "[roofline_laws]") {
  // Expected maxima of n standard normal values (Harter, Biometrika 48, 1961, table 1).
  CHECK(extreme_of_normals(1) == 0);
  CHECK(extreme_of_normals(2) == Approx(0.5642).epsilon(0.05));
  CHECK(extreme_of_normals(4) == Approx(1.0294).epsilon(0.03));
  CHECK(extreme_of_normals(8) == Approx(1.4236).epsilon(0.03));
  CHECK(extreme_of_normals(16) == Approx(1.7660).epsilon(0.03));
}
