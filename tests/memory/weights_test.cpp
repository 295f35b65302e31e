#include "tests/memory/models.hpp"
#include "tests/memory/shipped_memory.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace roofplan::model;
using namespace roofplan::model::test;

namespace {

struct PublishedSize {
  const char* format;
  double gib;
};

void check_sizes(const Architecture& model, const std::vector<PublishedSize>& published, double tolerance) {
  for (const PublishedSize& row : published) {
    INFO(row.format);
    CHECK(gib(weights_in(model, row.format).text) == Approx(row.gib).epsilon(tolerance));
  }
}

}  // namespace

// Sizes printed by llama.cpp's tools/quantize/README.md, rounded to 0.01 GiB.
TEST_CASE("GGUF presets reproduce the published sizes of Llama 3.1 8B", "[memory][validation]") {
  check_sizes(llama_8b(),
              {{"q4_k_s", 4.36}, {"q4_k_m", 4.58}, {"q5_k_s", 5.21},  {"q5_k_m", 5.33},  {"q6_k", 6.14},
               {"q8_0", 7.95},   {"f16", 14.96},   {"q2_k", 2.95},    {"q2_k_s", 2.78},  {"q3_k_s", 3.41},
               {"q3_k_l", 4.02}, {"iq1_s", 1.87},  {"iq1_m", 2.01},   {"iq2_xxs", 2.23}, {"iq2_xs", 2.42},
               {"iq2_s", 2.56},  {"iq2_m", 2.74},  {"iq3_xxs", 3.04}, {"iq3_xs", 3.27},  {"iq3_s", 3.42},
               {"iq3_m", 3.52},  {"iq4_xs", 4.17}, {"iq4_nl", 4.38}},
              0.002);
}

// Bits per weight as ik_llama.cpp's examples/quantize/README.md measures them.
TEST_CASE("GGUF presets reproduce the measured bits per weight of Llama 2", "[memory][validation]") {
  struct Row {
    Architecture model;
    double params;
    std::vector<double> bits;  // q3_k_s q3_k_m q3_k_l q4_k_s q4_k_m q5_k_s q5_k_m q6_k
  };
  const std::vector<std::string> formats = {"q3_k_s", "q3_k_m", "q3_k_l", "q4_k_s",
                                            "q4_k_m", "q5_k_s", "q5_k_m", "q6_k"};
  const std::vector<Row> rows = {{dense_decoder(32, 4096, 32, 32, 128, 11008, 32000),
                                  6738415616.0,
                                  {3.50, 3.91, 4.27, 4.58, 4.84, 5.52, 5.68, 6.56}},
                                 {dense_decoder(40, 5120, 40, 40, 128, 13824, 32000),
                                  13015864320.0,
                                  {3.48, 3.89, 4.26, 4.56, 4.83, 5.51, 5.67, 6.56}},
                                 {dense_decoder(80, 8192, 64, 8, 128, 28672, 32000),
                                  68976648192.0,
                                  {3.47, 3.85, 4.19, 4.53, 4.80, 5.50, 5.65, 6.56}}};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < formats.size(); ++i) {
      INFO(formats[i] << " of " << row.params);
      const double bits = 8.0 * weights_in(row.model, formats[i]).text.quantity().base() / row.params;
      CHECK(bits == Approx(row.bits[i]).epsilon(0.006));
    }
}

// gguf-parser-go README, llama.cpp benches/dgx-spark.md and ik_llama.cpp docs; tolerances as those sources
// round. The 80-layer rule, rows that are no multiple of 256 and fp32 routers all show here.
TEST_CASE("GGUF files of other models have their published sizes", "[memory][validation]") {
  check_sizes(llama_70b(), {{"q4_k_m", 39.59}}, 0.0005);
  check_sizes(llama_70b(), {{"q4_0", 37.35}}, 0.004);  // that file mixes Q4_1 rows
  check_sizes(qwen25(28, 3584, 28, 4, 18944, 152064), {{"q4_k_m", 4.36}, {"q8_0", 7.54}, {"f16", 14.19}},
              0.0015);
  check_sizes(qwen25(80, 8192, 64, 8, 29568, 152064), {{"q4_k_m", 44.15}}, 0.0005);
  check_sizes(qwen25(64, 5120, 40, 8, 27648, 152064), {{"q4_k_m", 18.50}, {"q5_k_m", 21.66}}, 0.0015);
  check_sizes(dense_decoder(32, 4096, 32, 32, 128, 11008, 32000), {{"q4_0", 3.56}}, 0.001);
  check_sizes(dense_decoder(40, 5120, 40, 40, 128, 13824, 32000), {{"q4_0", 6.86}}, 0.001);
  check_sizes(qwen3_moe(48, 2048, 32, 4, 128, 768), {{"q8_0", 30.25}}, 0.0005);
  check_sizes(qwen3_moe(94, 4096, 64, 4, 128, 1536), {{"q8_0", 232.77}}, 0.0005);
  check_sizes(deepseek_v3(), {{"q8_0", 664.29}}, 0.0001);
  check_sizes(gpt_oss(24, 32), {{"mxfp4_moe", 11.27}}, 0.0005);
  check_sizes(gpt_oss(36, 128), {{"mxfp4_moe", 59.02}}, 0.0005);
}

TEST_CASE("gpt-oss as published is 4.25 bits in the experts and 16 in the rest", "[memory]") {
  // 18 x 2 layers x 128 experts x 3 x 2880 x 2880 elements in blocks of 32 with one byte of scale.
  const Architecture model = gpt_oss(36, 128);
  const WeightBytes bytes = weights_in(model, "native");
  const std::int64_t experts = 36LL * 128 * 3 * 2880 * 2880;
  CHECK(bytes.of(TensorClass::expert).count() == experts / 32 * 17);
  CHECK(bytes.of(TensorClass::embedding).count() == 2LL * 201088 * 2880);
  CHECK(bytes.text.count() == 65'248'815'744);
}

TEST_CASE("DeepSeek-V3 in FP8 carries one fp32 scale per 128 x 128 block", "[memory]") {
  const Architecture model = deepseek_v3();
  const auto scales = [&model](TensorClass kind) {
    std::int64_t elements = 0;
    for (const LayerGroup& group : model.groups)
      for (const Tensor& tensor : tensors(model, group))
        if (tensor.kind == kind) elements += tensor.elements() * group.count;
    return weights_in(model, "native").of(kind).count() - elements;
  };
  // The Hub counts 41,540,496 scales with those of the MTP layer: 256 experts and a shared one of 3 x 16 x
  // 56, q_a 12 x 56, q_b 192 x 12, kv_a 5 x 56, kv_b 256 x 4, o 56 x 128 = 702,264.
  const std::int64_t scale_bytes = scales(TensorClass::expert) + scales(TensorClass::shared_expert) +
                                   scales(TensorClass::attention) + scales(TensorClass::dense_ffn);
  CHECK(scale_bytes == 4 * (41'540'496 - 702'264));
}

TEST_CASE("405B: four bits exactly are 189.0 GiB, AWQ 202.2, NVFP4 218.2", "[memory]") {
  const Architecture model = llama_405b();
  CHECK(gib(weights_in(model, "int4").text) == Approx(189.0).margin(0.05));
  CHECK(gib(weights_in(model, "awq").text) == Approx(202.2).margin(0.05));
  CHECK(gib(weights_in(model, "nvfp4").text) == Approx(218.2).margin(0.05));
  // Embedding and head stay in 16 bits: 2 x 128,256 x 16,384 x 2 bytes.
  CHECK(weights_in(model, "awq").of(TensorClass::head).count() == 128256LL * 16384 * 2);
}

// field-reports W18: 70.55e9 x 0.5 B plus scales; a quarter of a byte a parameter is a vendor's slip.
TEST_CASE("a 70B model in NVFP4 is 39.7 GB with every matrix quantised, and more with its 16-bit parts",
          "[memory]") {
  const double all = 70'553'706'496.0 * 4.5 / 8;
  CHECK(all == Approx(39.7e9).epsilon(0.001));
  const double kept = 2.0 * 128256 * 8192 * (16 - 4.5) / 8;
  CHECK(weights_in(llama_70b(), "nvfp4").text.quantity().base() == Approx(all + kept).epsilon(0.001));
}

// field-reports W19: "min VRAM 22 GB" for DeepSeek-V3; W9, W20: memory follows all parameters.
TEST_CASE(
    "DeepSeek-V3 at about 4.6 bits needs some 390 GB, whatever its active parameters (field reports W9, W19, "
    "W20)",
    "[memory]") {
  const double bytes = weights_in(deepseek_v3(), "q4_k_m").text.quantity().base();
  CHECK(bytes > 370e9);
  CHECK(bytes < 420e9);
}

TEST_CASE("fewer bits never take more bytes", "[memory]") {
  const std::vector<std::string> falling = {"fp32",   "bf16",   "q8_0",    "q6_k",    "q5_k_m",
                                            "q4_k_m", "q3_k_m", "iq3_xxs", "iq2_xxs", "iq1_s"};
  for (const Architecture& model : {llama_8b(), llama_70b(), gpt_oss(36, 128), deepseek_v3()})
    for (std::size_t i = 1; i < falling.size(); ++i) {
      INFO(falling[i]);
      CHECK(weights_in(model, falling[i]).text <= weights_in(model, falling[i - 1]).text);
    }
}
