#include "model/json/json.hpp"
#include "model/llm/files/gguf_architecture.hpp"
#include "model/llm/files/quant_config.hpp"
#include "model/llm/files/safetensors.hpp"
#include "model/llm/hf_config.hpp"
#include "model/llm/parameters.hpp"
#include "tests/fuzz/allocation_peak.hpp"
#include "tests/fuzz/corpus.hpp"
#include "tests/llm_files/file_writers.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace roofplan;
using namespace roofplan::test;

namespace {

using Kind = HostileFile::Kind;

void read_file(Kind kind, const std::string& path) {
  switch (kind) {
    case Kind::gguf:
      count_parameters(model::gguf_architecture(model::read_gguf(path)));
      break;
    case Kind::safetensors: {
      const std::string config =
          R"({"quantization_config":{"config_groups":{"g":{"weights":{"num_bits":4,"group_size":32}}}}})";
      model::read_safetensors({path}, model::parse_quant_config(config, "config.json"));
      break;
    }
    case Kind::index:
      model::read_safetensors_index(path, {});
      break;
    case Kind::config: {
      const std::string text = model::read_text_file(path);
      model::parse_quant_config(text, path);
      count_parameters(model::import_hf_config(text, path));
      break;
    }
    case Kind::hf_quant_config: {
      model::QuantConfig config;
      model::add_hf_quant_config(config, model::read_text_file(path), path);
      break;
    }
  }
}

std::string file_name(Kind kind) {
  switch (kind) {
    case Kind::gguf:
      return "x.gguf";
    case Kind::safetensors:
      return "x.safetensors";
    case Kind::index:
      return "model.safetensors.index.json";
    case Kind::config:
      return "config.json";
    case Kind::hf_quant_config:
      return "hf_quant_config.json";
  }
  return {};
}

}  // namespace

TEST_CASE("broken and hostile files are read or refused with a reason, within the memory that they justify",
          "[fuzz][slow]") {
  // A tensor or JSON value takes some tens of bytes for each of its bytes in the file; the rest is buffers.
  constexpr std::int64_t kBuffers = std::int64_t{1} << 20;
  constexpr std::int64_t kPerByte = 64;
  const TemporaryFolder folder;
  const std::vector<HostileFile> corpus = hostile_corpus();
  REQUIRE(corpus.size() >= 500);
  std::map<Kind, int> read, refused;
  for (const HostileFile& file : corpus) {
    INFO(file_name(file.kind) << ": " << file.name);
    const std::string path = folder.path(file_name(file.kind));
    write_sparse(path, file.bytes, file.length);
    const AllocationPeak peak;
    try {
      read_file(file.kind, path);
      ++read[file.kind];
    } catch (const model::InputError& error) {
      ++refused[file.kind];
      CHECK(error.kind() != model::InputError::Kind::usage);
      CHECK_FALSE(error.message().empty());
    }
    CHECK(peak.bytes() <= kBuffers + kPerByte * static_cast<std::int64_t>(file.bytes.size()));
  }
  for (const Kind kind : {Kind::gguf, Kind::safetensors, Kind::config, Kind::hf_quant_config}) {
    INFO(file_name(kind));
    CHECK(read[kind] > 0);
    CHECK(refused[kind] > 0);
  }
  CHECK(refused[Kind::index] > 0);
}

TEST_CASE("a model's file cut at any byte is refused with a reason, never taken for a smaller model",
          "[fuzz][slow]") {
  const TemporaryFolder folder;
  int wholes = 0;
  for (const HostileFile& file : hostile_corpus()) {
    if (file.name != "whole") continue;
    ++wholes;
    const std::string path = folder.path(file_name(file.kind));
    for (std::size_t cut = 0; cut < file.bytes.size(); ++cut) {
      INFO(file_name(file.kind) << " cut at " << cut << " of " << file.bytes.size());
      write_sparse(path, std::string_view(file.bytes).substr(0, cut), cut);
      CHECK_THROWS_AS(read_file(file.kind, path), model::InputError);
    }
    // The head is there and the last byte of the data is not.
    if (file.length == file.bytes.size()) continue;
    write_sparse(path, file.bytes, file.length - 1);
    CHECK_THROWS_AS(read_file(file.kind, path), model::InputError);
  }
  CHECK(wholes == 5);
}

TEST_CASE("the count of held memory sees what is held", "[fuzz]") {
  const AllocationPeak peak;
  const std::int64_t before = peak.bytes();
  { const std::vector<char> block(std::size_t{3} << 20); }
  CHECK(peak.bytes() - before >= std::int64_t{3} << 20);
  CHECK(peak.bytes() - before < std::int64_t{4} << 20);
}
