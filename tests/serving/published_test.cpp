#include "model/calibration/error_statistics.hpp"
#include "model/serving/replica.hpp"
#include "tests/serving/question.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace roofplan::model;

namespace {

/// A published decode rate on one GB10 with llama.cpp: all sequences together.
struct Point {
  const char* model;
  const char* weights;
  double depth, batch, tok_s;
};

double predicted(const Point& p) {
  Question question(p.model, "gb10", "llama.cpp", p.weights);
  question.request.fit.cache = "fp16";
  const WeightPlan weights(*question.request.fit.formats, question.model, p.weights);
  const Replica replica(question.request, weights, ParallelPlan());
  return p.batch / (replica.steps().decode_step(p.batch, p.depth) / unit::s);
}

ErrorStatistics errors(const std::vector<Point>& points) {
  std::vector<double> ratios;
  for (const Point& p : points) {
    ratios.push_back(predicted(p) / p.tok_s);
    INFO(p.model << " depth " << p.depth << " batch " << p.batch << ": " << ratios.back() * p.tok_s << " for "
                 << p.tok_s);
    CHECK(ratios.back() == Approx(1).epsilon(0.3));
  }
  return error_statistics(ratios);
}

}  // namespace

TEST_CASE("decode on a GB10 meets llama.cpp's own table to depth 32768", "[serving][validation]") {
  // ggml-org/llama.cpp, benches/dgx-spark, build b7941 (2026-02-05), and DandinPower/llama.cpp_bench
  // (Q4_K_M).
  const ErrorStatistics e = errors({{"gpt-oss-20b", "mxfp4_moe", 16, 1, 83.43},
                                    {"gpt-oss-20b", "mxfp4_moe", 32784, 1, 61.65},
                                    {"gpt-oss-120b", "mxfp4_moe", 16, 1, 58.72},
                                    {"gpt-oss-120b", "mxfp4_moe", 8208, 1, 52.87},
                                    {"gpt-oss-120b", "mxfp4_moe", 32784, 1, 42.76},
                                    {"qwen3-30b-a3b", "q8_0", 16, 1, 61.06},
                                    {"qwen3-30b-a3b", "q8_0", 8208, 1, 48.02},
                                    {"qwen3-30b-a3b", "q8_0", 32784, 1, 30.21},
                                    {"qwen2.5-7b", "q8_0", 16, 1, 29.43},
                                    {"qwen2.5-7b", "q8_0", 32784, 1, 22.51},
                                    {"gemma-3-4b", "q4_0", 16, 1, 81.05},
                                    {"gemma-3-4b", "q4_0", 32784, 1, 62.28},
                                    {"glm-4.7-flash", "q8_0", 16, 1, 48.68},
                                    {"glm-4.7-flash", "q8_0", 16400, 1, 38.72},
                                    {"nemotron-3-super-120b-a12b", "q4_k_m", 16, 1, 19.94},
                                    {"qwen3-8b", "q4_k_m", 640, 1, 43.94},
                                    {"qwen3-32b", "q4_k_m", 640, 1, 10.75}});
  CHECK(e.median_ape <= 0.06);
  CHECK(e.p90_ape <= 0.15);
}

TEST_CASE("batches on a GB10 meet llama.cpp's batched table to 32 sequences", "[serving][validation]") {
  const ErrorStatistics e = errors({{"gpt-oss-120b", "mxfp4_moe", 528, 2, 73.27},
                                    {"gpt-oss-120b", "mxfp4_moe", 528, 8, 159.18},
                                    {"gpt-oss-120b", "mxfp4_moe", 528, 32, 353.31},
                                    {"gpt-oss-20b", "mxfp4_moe", 528, 8, 271.79},
                                    {"qwen3-30b-a3b", "q8_0", 528, 8, 153.42},
                                    {"qwen3-30b-a3b", "q8_0", 528, 32, 346.53},
                                    {"qwen2.5-7b", "q8_0", 528, 8, 194.15},
                                    {"qwen2.5-7b", "q8_0", 4112, 32, 363.87},
                                    {"gemma-3-4b", "q4_0", 528, 32, 819.61}});
  CHECK(e.median_ape <= 0.12);
  CHECK(e.p90_ape <= 0.30);
}

TEST_CASE("rates that others measured and nothing was fitted to are met within 25 %",
          "[serving][validation]") {
  // geerlingguy/ai-benchmarks (2025-12-18, Ollama, Q4_K_M) and elsung/dgx-spark-deepseek-v4-flash (2026-06).
  for (const Point& p : std::vector<Point>{{"llama-3.1-70b", "q4_k_m", 100, 1, 4.71},
                                           {"llama-3.2-3b", "q4_k_m", 100, 1, 97.93},
                                           {"gpt-oss-20b", "mxfp4_moe", 100, 1, 87.97},
                                           {"gemma-3-27b", "q4_0", 64, 1, 13.8}}) {
    INFO(p.model << " " << predicted(p));
    CHECK(predicted(p) == Approx(p.tok_s).epsilon(0.25));
  }
}
