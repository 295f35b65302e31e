#include "model/llm/files/safetensors.hpp"
#include "model/units/error.hpp"
#include "tests/llm_files/file_writers.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using namespace roofplan::test;

namespace {

class Sharded {
 public:
  Sharded() {
    SafetensorsWriter().tensor("a.weight", "BF16", {8, 8}).write(folder_.path("model-1.safetensors"));
    SafetensorsWriter().tensor("b.weight", "BF16", {8, 8}).write(folder_.path("model-2.safetensors"));
  }
  TensorInventory read(std::string_view index) const {
    folder_.write("index.json", index);
    return read_safetensors_index(folder_.path("index.json"), {});
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

constexpr std::string_view kIndex =
    R"({"metadata":{"total_size":256},"weight_map":{"a.weight":"model-1.safetensors","b.weight":"model-2.safetensors"}})";

}  // namespace

TEST_CASE("the files of an index are read together and held against its total", "[llm_files]") {
  const Sharded model;
  const TensorInventory whole = model.read(kIndex);
  CHECK(whole.total.bytes.count() == 2 * 8 * 8 * 2);
  CHECK(whole.files.size() == 2);
  CHECK(whole.remarks.empty());
  const TensorInventory other = model.read(
      R"({"metadata":{"total_size":999},"weight_map":{"a.weight":"model-1.safetensors","b.weight":"model-2.safetensors"}})");
  CHECK(other.total.bytes == whole.total.bytes);
  CHECK(other.remarks.size() == 1);
}

TEST_CASE("an index alone gives its total, an incomplete set of files is refused", "[llm_files]") {
  const Sharded model;
  const TensorInventory alone = model.read(
      R"({"metadata":{"total_size":595148192736},"weight_map":{"a":"x-1.safetensors","b":"x-2.safetensors"}})");
  CHECK(alone.sizes_only);
  CHECK(alone.file_bytes.count() == 595148192736);
  CHECK(alone.remarks.size() == 1);
  CHECK_THROWS_WITH(
      model.read(R"({"weight_map":{"a.weight":"model-1.safetensors","c":"model-3.safetensors"}})"),
      Catch::Contains("model-3.safetensors"));
  CHECK_THROWS_WITH(model.read(R"({"weight_map":{"c":"model-3.safetensors"}})"),
                    Catch::Contains("no total size"));
}

TEST_CASE("an index that leads elsewhere or promises in vain is refused", "[llm_files]") {
  const Sharded model;
  CHECK_THROWS_WITH(model.read(R"({"weight_map":{"z":"model-1.safetensors"}})"),
                    Catch::Contains("none of its files"));
  CHECK_THROWS_AS(model.read(R"({"weight_map":{"a":"../model-1.safetensors"}})"), InputError);
  CHECK_THROWS_AS(model.read(R"({"weight_map":{"a":"/etc/passwd"}})"), InputError);
  CHECK_THROWS_AS(model.read(R"({"weight_map":{"a":"index.json"}})"), InputError);
  CHECK_THROWS_AS(model.read(R"({"weight_map":{"a":""}})"), InputError);
  CHECK_THROWS_AS(model.read(R"({"weight_map":["model-1.safetensors"]})"), InputError);
  SafetensorsWriter().tensor("a.weight", "BF16", {8, 8}).write(model.folder().path("model-2.safetensors"));
  CHECK_THROWS_WITH(
      model.read(R"({"weight_map":{"a.weight":"model-1.safetensors","b.weight":"model-2.safetensors"}})"),
      Catch::Contains("stands in two files"));
}
