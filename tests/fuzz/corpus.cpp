#include "tests/fuzz/corpus.hpp"

#include "tests/llm_files/file_writers.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <random>

namespace roofplan::test {
namespace {

using Kind = HostileFile::Kind;
constexpr std::uint64_t kHuge = std::uint64_t{1} << 60;
constexpr std::uint64_t kTerabyte = std::uint64_t{1} << 40;

/// std::uniform_int_distribution differs between libraries; a remainder does not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

 private:
  std::mt19937_64 engine_;
};

class Corpus {
 public:
  void add(Kind kind, std::string name, std::string bytes, std::uint64_t hole = 0) {
    const std::uint64_t length = bytes.size() + hole;
    files_.push_back({kind, std::move(name), std::move(bytes), length});
  }

  void truncate(Kind kind, const std::string& whole, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = whole.size() * i / count;
      add(kind, fmt::format("cut at {}", at), whole.substr(0, at));
    }
  }

  void flip(Kind kind, const std::string& whole, std::size_t count, std::uint64_t hole) {
    Random random(count + whole.size());
    for (std::size_t i = 0; i < count; ++i) {
      std::string damaged = whole;
      for (std::size_t flips = 1 + random.below(6); flips > 0; --flips) {
        char& byte = damaged[random.below(damaged.size())];
        byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << random.below(8)));
      }
      add(kind, fmt::format("flipped bits, {}", i), std::move(damaged), hole);
    }
  }

  void lie(Kind kind, const std::string& whole, std::size_t count, std::uint64_t hole) {
    const std::array<std::uint64_t, 9> values{0,
                                              1,
                                              whole.size(),
                                              whole.size() + 1,
                                              0x7FFFFFFF,
                                              0xFFFFFFFF,
                                              kHuge,
                                              std::uint64_t{1} << 63,
                                              std::numeric_limits<std::uint64_t>::max()};
    Random random(2 * count + whole.size());
    for (std::size_t i = 0; i < count; ++i) {
      std::string damaged = whole;
      const std::uint64_t value = values[random.below(values.size())];
      const std::string bytes = random.below(2) == 0 ? le64(value) : le32(static_cast<std::uint32_t>(value));
      damaged.replace(random.below(damaged.size() - bytes.size()), bytes.size(), bytes);
      add(kind, fmt::format("{} written over, {}", value, i), std::move(damaged), hole);
    }
  }

  void rearrange(Kind kind, const std::string& whole, std::size_t count, std::uint64_t hole) {
    Random random(3 * count + whole.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = random.below(whole.size()), length = random.below(64);
      std::string damaged = whole;
      if (i % 2 == 0) {
        damaged.erase(at, length);
      } else {
        damaged.insert(at, whole.substr(random.below(whole.size()), length));
      }
      add(kind, fmt::format("rearranged, {}", i), std::move(damaged), hole);
    }
  }

  /// Tokens of a text replaced by hostile ones.
  void retype(Kind kind, const std::string& whole, std::size_t count) {
    static const std::vector<std::string> kTokens{"null",
                                                  "-1",
                                                  "0",
                                                  "1e308",
                                                  "1e999",
                                                  "9223372036854775807",
                                                  "18446744073709551615",
                                                  "0.5",
                                                  "\"x\"",
                                                  "[]",
                                                  "{}",
                                                  "true",
                                                  "[[[[[[[[1]]]]]]]]",
                                                  "\"\\ud800\"",
                                                  "\"\xFF\xFE\"",
                                                  "Infinity",
                                                  "NaN",
                                                  "4611686018427387904",
                                                  "-9223372036854775808"};
    Random random(4 * count + whole.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t colon = whole.find(':', random.below(whole.size()));
      if (colon == std::string::npos) continue;
      const std::size_t end = std::min(whole.find_first_of(",}]", colon + 1), whole.size());
      std::string damaged = whole;
      const std::string& token = kTokens[i % kTokens.size()];
      damaged.replace(colon + 1, end - colon - 1, token);
      add(kind, fmt::format("{} for a value, {}", token, i), std::move(damaged));
    }
  }

  std::vector<HostileFile> take() { return std::move(files_); }

 private:
  std::vector<HostileFile> files_;
};

GgufWriter small_gguf() {
  GgufWriter out;
  out.text("general.architecture", "gemma3").text("general.name", "small").integer("general.alignment", 32);
  out.integer("gemma3.block_count", 2)
      .integer("gemma3.embedding_length", 64)
      .integer("gemma3.feed_forward_length", 128);
  out.integers("gemma3.attention.head_count", {2, 2}).integers("gemma3.attention.head_count_kv", {1, 1});
  out.integer("gemma3.attention.key_length", 32).integer("gemma3.attention.value_length", 32);
  out.integer("gemma3.attention.sliding_window", 16)
      .flags("gemma3.attention.sliding_window_pattern", {true, false});
  out.integer("gemma3.context_length", 1024).texts("tokenizer.ggml.tokens", 96);
  out.raw("nested", 9, le32(9) + le64(2) + le32(4) + le64(1) + le32(9) + le32(8) + le64(1) + gguf_text("x"));
  out.tensor("token_embd.weight", {64, 96}, "Q8_0").tensor("output_norm.weight", {64}, "F32");
  for (int i = 0; i < 2; ++i) {
    const std::string layer = fmt::format("blk.{}.", i);
    out.tensor(layer + "attn_q.weight", {64, 64}, "Q4_0").tensor(layer + "attn_k.weight", {64, 32}, "Q4_0");
    out.tensor(layer + "attn_v.weight", {64, 32}, "Q8_0")
        .tensor(layer + "attn_output.weight", {64, 64}, "Q4_0");
    out.tensor(layer + "attn_norm.weight", {64}, "F32").tensor(layer + "ffn_norm.weight", {64}, "F32");
    out.tensor(layer + "ffn_gate.weight", {64, 128}, "Q4_0")
        .tensor(layer + "ffn_up.weight", {64, 128}, "Q4_0");
    out.tensor(layer + "ffn_down.weight", {128, 64}, "MXFP4");
  }
  return out;
}

void add_gguf(Corpus& corpus) {
  const GgufWriter file = small_gguf();
  const std::string head = file.header();
  const std::uint64_t hole = file.end() - head.size();
  corpus.add(Kind::gguf, "whole", head, hole);
  corpus.truncate(Kind::gguf, head, 80);
  corpus.flip(Kind::gguf, head, 120, hole);
  corpus.lie(Kind::gguf, head, 120, hole);
  corpus.lie(Kind::gguf, head, 30, kTerabyte);
  corpus.rearrange(Kind::gguf, head, 40, hole);
}

void add_gguf_by_hand(Corpus& corpus) {
  const auto add = [&](const std::string& name, const GgufWriter& file, std::uint64_t hole = 0) {
    corpus.add(Kind::gguf, name, file.header(), hole);
  };
  const std::string start = "GGUF" + le32(3);
  for (const std::uint64_t count : {std::uint64_t{1} << 32, kHuge, ~std::uint64_t{0}}) {
    corpus.add(Kind::gguf, "tensors without end", start + le64(count) + le64(0), 4096);
    corpus.add(Kind::gguf, "entries without end", start + le64(0) + le64(count), 4096);
    corpus.add(Kind::gguf, "tensors in a hole", start + le64(count) + le64(0), kTerabyte);
    corpus.add(Kind::gguf, "entries in a hole", start + le64(0) + le64(count), kTerabyte);
    add("texts without end", GgufWriter().raw("k", 9, le32(8) + le64(count)), 4096);
    add("numbers without end", GgufWriter().raw("k", 9, le32(10) + le64(count)), 4096);
    add("arrays without end", GgufWriter().raw("k", 9, le32(9) + le64(count)), 4096);
    add("a text without end", GgufWriter().raw("k", 8, le64(count)), 4096);
    add("a key without end", GgufWriter().raw("k", 4, le64(count) + le64(count)), 64);
    add("a huge tensor", GgufWriter().raw_tensor("t", {count}, 0, 0), 4096);
    add("a huge product", GgufWriter().raw_tensor("t", {count, count, count, count}, 0, 0), 4096);
    add("a far offset", GgufWriter().raw_tensor("t", {32}, 0, count), 4096);
  }
  std::string nested;
  for (int i = 0; i < 5000; ++i) nested += le32(9) + le64(1);
  add("deep arrays", GgufWriter().raw("k", 9, nested));
  add("texts in a hole", GgufWriter().raw("k", 9, le32(8) + le64(kTerabyte / 16)), kTerabyte);
  for (const std::uint32_t alignment : {0U, 3U, 24U, 0x80000000U}) {
    add("an odd alignment", GgufWriter().integer("general.alignment", alignment).tensor("t", {32}, "F32"),
        4096);
  }
  for (const std::uint32_t version : {0U, 1U, 4U, 0x03000000U, 0xFFFFFFFFU}) {
    add("another version", GgufWriter(version), 64);
  }
  add("many parts",
      GgufWriter().integer("split.count", 65535).integer("split.no", 0).tensor("t", {32}, "F32"), 4096);
  add("twofold key", GgufWriter().integer("k", 1).integer("k", 1));
  add("twofold tensor", GgufWriter().tensor("t", {32}, "F32").tensor("t", {32}, "F32"), 4096);
  add("overlap", GgufWriter().tensor("t", {32}, "F32").raw_tensor("u", {32}, 0, 0), 4096);
  add("no UTF-8", GgufWriter().raw_tensor("\xFF\xC0", {32}, 0, 0), 4096);
  add("no tensors", GgufWriter().text("general.architecture", "llama"));
  const auto llama = [] { return GgufWriter().text("general.architecture", "llama"); };
  add("absurd layers",
      llama()
          .integer("llama.block_count", 0xFFFFFFFFU)
          .integer("llama.embedding_length", 32)
          .tensor("token_embd.weight", {32, 32}, "F32"),
      8192);
  add("no heads",
      llama()
          .integer("llama.block_count", 1)
          .integer("llama.embedding_length", 32)
          .tensor("token_embd.weight", {32, 32}, "F32")
          .tensor("blk.0.attn_q.weight", {32, 32}, "F32"),
      16384);
  add("lists of other lengths",
      llama()
          .integer("llama.block_count", 3)
          .integer("llama.embedding_length", 32)
          .integers("llama.attention.head_count", {1, 1})
          .tensor("token_embd.weight", {32, 32}, "F32"),
      8192);
}

void add_safetensors(Corpus& corpus) {
  SafetensorsWriter file;
  file.tensor("model.embed_tokens.weight", "BF16", {96, 64})
      .tensor("model.layers.0.mlp.up_proj.qweight", "I32", {8, 64});
  file.tensor("model.layers.0.mlp.up_proj.scales", "F16", {1, 64})
      .tensor("model.layers.0.mlp.up_proj.qzeros", "I32", {1, 8});
  file.tensor("model.layers.0.mlp.down_proj.weight_packed", "I32", {64, 8})
      .tensor("model.layers.0.mlp.down_proj.weight_scale", "BF16", {64, 2});
  file.tensor("model.layers.0.mlp.experts.up_proj_blocks", "U8", {4, 8, 16})
      .tensor("model.layers.0.mlp.experts.up_proj_scales", "U8", {4, 8});
  file.tensor("model.layers.1.mlp.gate.weight", "U32", {8, 8})
      .tensor("model.layers.1.mlp.gate.scales", "BF16", {8, 1});
  const std::string head = file.header();
  const std::uint64_t hole = file.data_bytes();
  corpus.add(Kind::safetensors, "whole", head, hole);
  corpus.truncate(Kind::safetensors, head, 50);
  corpus.flip(Kind::safetensors, head, 80, hole);
  corpus.lie(Kind::safetensors, head, 40, hole);
  corpus.rearrange(Kind::safetensors, head, 30, hole);
  const auto add = [&](const std::string& name, std::string_view json, std::uint64_t data = 0) {
    corpus.add(Kind::safetensors, name, safetensors_head(json), data);
  };
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{100'000'001}, kHuge, ~std::uint64_t{0}}) {
    corpus.add(Kind::safetensors, "a length that lies", le64(length), 512);
    corpus.add(Kind::safetensors, "a length in a hole", le64(length), kTerabyte);
  }
  add("deep JSON", std::string(100'000, '['));
  add("deep objects", [] {
    std::string s;
    for (int i = 0; i < 20'000; ++i) s += R"({"a":)";
    return s;
  }());
  add("a list", "[]");
  add("spaces", std::string(5000, ' '));
  for (const char* shape : {"[-1]", "[1e30]", "[4294967296,4294967296]", "[9223372036854775807,2]", "[0.5]",
                            "{}", "null", "[[1]]"}) {
    add("an odd shape", fmt::format(R"({{"a":{{"dtype":"F32","shape":{},"data_offsets":[0,4]}}}})", shape),
        4);
  }
  for (const char* range : {"[4,0]", "[0]", "[0,4,8]", "[-4,0]", "[0,9223372036854775807]",
                            "[0,18446744073709551615]", "\"0\""}) {
    add("an odd range", fmt::format(R"({{"a":{{"dtype":"F32","shape":[1],"data_offsets":{}}}}})", range), 4);
  }
}

void add_texts(Corpus& corpus) {
  const std::string index =
      R"({"metadata":{"total_size":1024},"weight_map":{"a.weight":"a.safetensors","b.weight":"b.safetensors"}})";
  const std::string config =
      R"({"architectures":["Qwen3MoeForCausalLM"],"model_type":"qwen3_moe","hidden_size":2048,"num_hidden_layers":48,)"
      R"("num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"intermediate_size":6144,"vocab_size":151936,)"
      R"("num_experts":128,"num_experts_per_tok":8,"moe_intermediate_size":768,"decoder_sparse_step":1,)"
      R"("max_position_embeddings":40960,"tie_word_embeddings":false,"sliding_window":null,"mlp_only_layers":[],)"
      R"("quantization_config":{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":)"
      R"({"num_bits":4,"group_size":32,"type":"int"},"targets":["Linear"]}},"ignore":["lm_head"]}})";
  const std::string quantised =
      R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"NVFP4","kv_cache_quant_algo":"FP8","group_size":16,)"
      R"("exclude_modules":["lm_head"]}})";
  for (const auto& [kind, text] : {std::pair(Kind::index, index), std::pair(Kind::config, config),
                                   std::pair(Kind::hf_quant_config, quantised)}) {
    corpus.add(kind, "whole", text);
    corpus.truncate(kind, text, 20);
    corpus.flip(kind, text, 40, 0);
    corpus.rearrange(kind, text, 20, 0);
    corpus.retype(kind, text, 76);
    corpus.add(kind, "deep", std::string(200'000, '['));
    corpus.add(kind, "zeros", std::string(4096, '\0'));
    corpus.add(kind, "twofold key", R"({"a":1,"a":2})");
    corpus.add(kind, "a long number", std::string(100'000, '9'));
    corpus.add(kind, "a long text", "\"" + std::string(100'000, 'x'));
  }
  for (const char* target :
       {"../a.safetensors", "/dev/zero", "", ".", "..", "index.json", "a.safetensors\\u0000", "\\\\x"}) {
    corpus.add(Kind::index, "an odd file",
               fmt::format(R"({{"metadata":{{"total_size":8}},"weight_map":{{"a":"{}"}}}})", target));
  }
}

}  // namespace

std::vector<HostileFile> hostile_corpus() {
  Corpus corpus;
  add_gguf(corpus);
  add_gguf_by_hand(corpus);
  add_safetensors(corpus);
  add_texts(corpus);
  return corpus.take();
}

}  // namespace roofplan::test
