#include "model/llm/files/gguf.hpp"

#include "model/units/error.hpp"
#include "tests/llm_files/file_writers.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace roofplan::model;
using namespace roofplan::test;

namespace {

GgufHeader read_header(const GgufWriter& file) {
  const TemporaryFolder folder;
  file.write(folder.path("x.gguf"));
  return read_gguf_header(folder.path("x.gguf"));
}

GgufHeader read_bytes(std::string_view bytes, std::uint64_t length) {
  const TemporaryFolder folder;
  write_sparse(folder.path("x.gguf"), bytes, length);
  return read_gguf_header(folder.path("x.gguf"));
}

/// A header of exactly `bytes` bytes, by the length of a text in it.
GgufWriter of_length(std::size_t bytes) {
  const auto with = [](std::size_t padding) {
    return GgufWriter().text("general.name", std::string(padding, 'x')).tensor("a.weight", {32}, "Q8_0");
  };
  return with(bytes - with(0).header().size());
}

}  // namespace

TEST_CASE("a header that ends on the alignment gets no padding (field report W12)", "[llm_files]") {
  // Field report W12: pad = (a - n % a) % a, so 256 -> 256 and 257 -> 288.
  CHECK(read_header(of_length(256)).data_offset == 256);
  CHECK(read_header(of_length(257)).data_offset == 288);
  CHECK(read_header(of_length(287)).data_offset == 288);
}

TEST_CASE("every value type of the metadata is read or skipped to its end", "[llm_files]") {
  GgufWriter out(2);
  out.raw("u8", 0, "\xFF")
      .raw("i8", 1, "\xFF")
      .raw("u16", 2, "\xFF\xFF")
      .raw("i16", 3, "\xFE\xFF")
      .integer("u32", 4000000000U);
  out.raw("i32", 5, le32(0xFFFFFFFFU)).raw("f32", 6, le32(0x3F800000U)).flag("yes", true).text("t", "text");
  out.raw("u64", 10, le64(7))
      .raw("huge", 10, le64(~std::uint64_t{0}))
      .raw("i64", 11, le64(~std::uint64_t{0}));
  out.raw("f64", 12, le64(0)).integers("list", {3, 0, -1}).flags("pattern", {true, false}).texts("tokens", 5);
  out.raw("nested", 9, le32(9) + le64(2) + le32(4) + le64(1) + le32(9) + le32(8) + le64(1) + gguf_text("x"));
  out.raw("floats", 9, le32(6) + le64(2) + le64(0))
      .raw("long", 8, gguf_text(std::string(70000, 'x')))
      .integer("last", 42);
  const GgufMetadata metadata = read_header(out).metadata;
  CHECK(metadata.integer("u8") == 255);
  CHECK(metadata.integer("i8") == -1);
  CHECK(metadata.integer("u16") == 65535);
  CHECK(metadata.integer("i16") == -2);
  CHECK(metadata.integer("u32") == 4000000000);
  CHECK(metadata.integer("i32") == -1);
  CHECK(metadata.flag("yes") == true);
  CHECK(metadata.text("t") == "text");
  CHECK(metadata.integer("u64") == 7);
  CHECK(metadata.integer("i64") == -1);
  CHECK(metadata.integer("last") == 42);
  CHECK(metadata.array_length("tokens") == 5);
  CHECK(metadata.array_length("nested") == 2);
  CHECK(metadata.per_layer("list", 3) == std::vector<std::int64_t>{3, 0, -1});
  CHECK(metadata.per_layer("pattern", 2) == std::vector<std::int64_t>{1, 0});
  CHECK(metadata.per_layer("u8", 2) == std::vector<std::int64_t>{255, 255});
  CHECK_FALSE(metadata.integer("absent"));
  CHECK_THROWS_WITH(metadata.per_layer("list", 4), Catch::Contains("list") && Catch::Contains("3 entries"));
  CHECK_THROWS_AS(metadata.integer("huge"), InputError);
  CHECK_THROWS_AS(metadata.integer("t"), InputError);
  CHECK_THROWS_AS(metadata.per_layer("tokens", 5), InputError);
}

TEST_CASE("other versions, byte orders and formats are refused with the reason", "[llm_files]") {
  const std::string rest(24, '\0');
  CHECK_THROWS_WITH(read_bytes("GGUF" + le32(1) + rest, 32), Catch::Contains("version 1"));
  CHECK_THROWS_WITH(read_bytes("GGUF" + le32(0x03000000) + rest, 32), Catch::Contains("big-endian"));
  CHECK_THROWS_WITH(read_bytes("GGUF" + le32(4) + rest, 32), Catch::Contains("version 4"));
  CHECK_THROWS_WITH(read_bytes("GGML" + le32(3) + rest, 32), Catch::Contains("no GGUF"));
  CHECK_THROWS_AS(read_bytes("", 0), InputError);
}

TEST_CASE("counts and lengths that lie cost an error, not memory or time", "[llm_files]") {
  const std::uint64_t huge = std::uint64_t{1} << 60;
  const std::uint64_t terabyte = std::uint64_t{1} << 40;
  const std::string start = "GGUF" + le32(3);
  CHECK_THROWS_WITH(read_bytes(start + le64(huge) + le64(0), 64), Catch::Contains("does not fit"));
  CHECK_THROWS_WITH(read_bytes(start + le64(0) + le64(huge), 64), Catch::Contains("does not fit"));
  CHECK_THROWS_AS(read_bytes(start + le64(0) + le64(1) + le64(huge), 64), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().raw("k", 9, le32(8) + le64(huge))), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().raw("k", 9, le32(4) + le64(huge))), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().raw("k", 8, le64(huge))), InputError);
  // A hole of a terabyte backs every count; what has to be walked is limited all the same.
  CHECK_THROWS_WITH(read_bytes(GgufWriter().raw("k", 9, le32(8) + le64(terabyte / 16)).header(), terabyte),
                    Catch::Contains("more than"));
  std::string nested;
  for (int i = 0; i < 1000; ++i) nested += le32(9) + le64(1);
  CHECK_THROWS_WITH(read_header(GgufWriter().raw("k", 9, nested)), Catch::Contains("nests"));
}

TEST_CASE("tensors that are unknown, twofold, displaced or cut off are named", "[llm_files]") {
  CHECK_THROWS_WITH(read_header(GgufWriter().raw_tensor("blk.7.odd", {32}, 43, 0)),
                    Catch::Contains("blk.7.odd") && Catch::Contains("43"));
  CHECK_THROWS_WITH(read_header(GgufWriter().raw_tensor("q4_2", {32}, 4, 0)), Catch::Contains("unknown"));
  CHECK_THROWS_WITH(read_header(GgufWriter().tensor("a", {32}, "Q8_0").tensor("a", {32}, "Q8_0")),
                    Catch::Contains("twice"));
  CHECK_THROWS_WITH(read_header(GgufWriter().tensor("a", {32}, "Q8_0").raw_tensor("b", {32}, 8, 32)),
                    Catch::Contains("64 was due"));
  CHECK_THROWS_WITH(read_header(GgufWriter().raw_tensor("a", {100}, 12, 0)), Catch::Contains("whole blocks"));
  CHECK_THROWS_AS(read_header(GgufWriter().raw_tensor("a", {1, 1, 1, 1, 1}, 0, 0)), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().raw_tensor("a", {0}, 0, 0)), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().raw_tensor("a", {1ULL << 40, 1ULL << 40}, 0, 0)), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().raw_tensor("a\xFF", {1}, 0, 0)), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().text("k\xC0\x80", "overlong")), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().integer("k", 1).integer("k", 2)), InputError);
  CHECK_THROWS_AS(read_header(GgufWriter().integer("general.alignment", 24)), InputError);
  const GgufWriter whole = GgufWriter().tensor("a", {32}, "Q8_0").tensor("b.weight", {4096, 4096}, "Q4_K");
  CHECK(read_bytes(whole.header(), whole.end()).tensors.size() == 2);
  CHECK_THROWS_WITH(read_bytes(whole.header(), whole.end() - 1),
                    Catch::Contains("b.weight") && Catch::Contains("download"));
}

TEST_CASE("a split model is read whole from any of its parts", "[llm_files]") {
  const TemporaryFolder folder;
  const auto part = [&](int number, int stated, int count, const std::string& tensor, int tensors) {
    GgufWriter out;
    if (number == 0)
      out.text("general.architecture", "llama")
          .integer("split.tensors.count", static_cast<std::uint32_t>(tensors));
    out.integer("split.no", static_cast<std::uint32_t>(stated))
        .integer("split.count", static_cast<std::uint32_t>(count));
    out.tensor(tensor, {256, 4}, "Q4_K").write(folder.path(fmt::format("m-{:05}-of-00003.gguf", number + 1)));
  };
  const auto read = [&](int number) {
    return read_gguf(folder.path(fmt::format("m-{:05}-of-00003.gguf", number)));
  };
  part(0, 0, 3, "blk.0.attn_q.weight", 3);
  part(1, 1, 3, "blk.1.attn_q.weight", 3);
  CHECK_THROWS_WITH(read(1), Catch::Contains("m-00003-of-00003.gguf"));
  part(2, 2, 3, "blk.2.attn_q.weight", 3);
  for (const int number : {1, 2, 3}) {
    const GgufModel model = read(number);
    CHECK(model.metadata.text("general.architecture") == "llama");
    CHECK(model.inventory.total.bytes.count() == 3 * 4 * 144);
    CHECK(model.inventory.files.size() == 3);
  }
  part(2, 1, 3, "blk.2.attn_q.weight", 3);
  CHECK_THROWS_WITH(read(1), Catch::Contains("says it is part 2"));
  part(2, 2, 4, "blk.2.attn_q.weight", 3);
  CHECK_THROWS_WITH(read(1), Catch::Contains("split otherwise"));
  part(2, 2, 3, "blk.0.attn_q.weight", 3);
  CHECK_THROWS_WITH(read(1), Catch::Contains("two parts"));
  part(2, 2, 3, "blk.2.attn_q.weight", 3);
  part(0, 0, 3, "blk.0.attn_q.weight", 17);
  CHECK_THROWS_WITH(read(1), Catch::Contains("hold 3 tensors"));
  std::filesystem::rename(folder.path("m-00001-of-00003.gguf"), folder.path("odd.gguf"));
  CHECK_THROWS_WITH(read_gguf(folder.path("odd.gguf")), Catch::Contains("one of 3 parts"));
}

TEST_CASE("rotary constants and NVFP4 scales are bytes but no parameters", "[llm_files]") {
  const TemporaryFolder folder;
  GgufWriter()
      .tensor("rope_freqs.weight", {64}, "F32")
      .tensor("blk.0.attn_q.weight", {4096, 32}, "NVFP4")
      .tensor("blk.0.attn_q.scale", {1}, "F32")
      .tensor("blk.0.ffn_gate_inp.scale", {4096}, "F32")
      .write(folder.path("x.gguf"));
  const TensorInventory inventory = read_gguf(folder.path("x.gguf")).inventory;
  CHECK(inventory.total.parameters == 4096 * 32 + 4096);
  CHECK(inventory.total.bytes.count() == 64 * 4 + 4096 * 32 / 64 * 36 + 4 + 4096 * 4);
}

TEST_CASE("a layer of multi-token prediction is draft as a whole", "[llm_files]") {
  const TemporaryFolder folder;
  GgufWriter()
      .tensor("blk.0.attn_q.weight", {32, 32}, "Q8_0")
      .tensor("blk.1.attn_q.weight", {32, 32}, "Q8_0")
      .tensor("blk.1.nextn.eh_proj.weight", {64, 32}, "Q8_0")
      .tensor("v.blk.0.attn_q.weight", {32, 32}, "Q8_0")
      .write(folder.path("x.gguf"));
  const TensorInventory inventory = read_gguf(folder.path("x.gguf")).inventory;
  CHECK(inventory.of(ModelPart::text).parameters == 32 * 32);
  CHECK(inventory.of(ModelPart::draft).parameters == 32 * 32 + 64 * 32);
  CHECK(inventory.of(ModelPart::vision).parameters == 32 * 32);
}
