#include "model/llm/files/model_path.hpp"
#include "model/memory/parallel.hpp"
#include "tests/llm_files/model_shapes.hpp"
#include "tests/memory/question.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using namespace roofplan::model::test;
using roofplan::test::GgufWriter;
using roofplan::test::TemporaryFolder;

namespace {

ModelFile q4_of_llama_2_7b(const TemporaryFolder& folder) {
  roofplan::test::gguf_of(roofplan::test::llama_2_7b(), "Q4_K_M").write(folder.path("a.gguf"));
  return load_model_path(folder.path("a.gguf"));
}

ByteCount sum_of_stages(const Architecture& model, const ParallelPlan& plan, bool with_vision) {
  const WeightPlan native(shipped_formats(), model, "native");
  ByteCount sum;
  for (const ByteCount bytes :
       stage_weights(model, native, plan, pipeline_stages(model, plan.pp), {.with_vision = with_vision}))
    sum += bytes;
  return sum;
}

}  // namespace

TEST_CASE("a file weighs what its tensors hold, to the byte (field report W16)", "[memory]") {
  const TemporaryFolder folder;
  const ModelFile file = q4_of_llama_2_7b(folder);
  const ByteCount held = file.inventory->of(ModelPart::text).bytes;
  CHECK(gib(held) == Approx(3.80).margin(0.01));  // published as 3.80 GiB
  CHECK(weights_in(file.architecture, "native").text == held);
  CHECK(weights_in(file.architecture, "native").in_file == file.inventory->file_bytes);
  for (const std::int64_t stages : {1, 2, 3})
    CHECK(sum_of_stages(file.architecture, {.pp = stages}, false) == held);
  Question q(file.architecture, "gb10", "native", "llama.cpp");
  CHECK(q.ask().device.weights == held);
  // Two ranks hold half of the matrices each and all of the norms; where 11,008 / 2 columns are no whole
  // number of blocks of 256, the last block counts on both: 22 instead of 21.5.
  const double norms = file.inventory->of(TensorClass::norm).bytes.quantity().base();
  const double half = (held.quantity().base() - norms) / 2 + norms;
  const double rank = sum_of_stages(file.architecture, {.tp = 2}, false).quantity().base();
  CHECK(rank >= half);
  CHECK(rank <= half * 22 / 21.5);
  // Another format is computed from the architecture: 6,738,415,616 parameters of two bytes.
  CHECK(weights_in(file.architecture, "bf16").text.count() == 2 * 6738415616);
}

TEST_CASE("a projector beside a GGUF model is loaded with it (field reports M1, M4)", "[memory]") {
  const TemporaryFolder folder;
  const ByteCount alone = q4_of_llama_2_7b(folder).inventory->of(ModelPart::text).bytes;
  for (const auto& [name, rows] : {std::pair{"mmproj-small.gguf", 32}, {"mmproj-large.gguf", 64}})
    GgufWriter()
        .text("general.architecture", "clip")
        .tensor("v.x.weight", {32, static_cast<std::uint64_t>(rows)}, "F16")
        .write(folder.path(name));
  const ModelFile file = load_model_path(folder.path("a.gguf"));
  CHECK(file.architecture.side.vision_params == 32 * 64);
  REQUIRE(file.notes.size() == 1);
  CHECK_THAT(file.notes[0], Catch::Contains("mmproj-large.gguf") && Catch::Contains("4096 bytes"));
  Question q(file.architecture, "gb10", "native", "llama.cpp");
  const FitAnswer answer = q.ask();
  CHECK(answer.device.weights == alone + ByteCount(2 * 32 * 64));
  CHECK(says(answer.warnings, "fit.vision_loaded"));
}

TEST_CASE("an index alone scales what the formats tell to the size of the files", "[memory]") {
  Architecture model = llama_8b();
  const std::int64_t computed = 2 * count_parameters(model).total;
  model.stored.emplace();
  model.stored->files = ByteCount(computed + computed / 4);
  CHECK(weights_in(model, "native").text == model.stored->files);
  CHECK(sum_of_stages(model, {}, false) == model.stored->files);
  const double rank = sum_of_stages(model, {.tp = 4}, false).quantity().base();
  model.stored.reset();
  CHECK(rank == Approx(1.25 * sum_of_stages(model, {.tp = 4}, false).quantity().base()).epsilon(1e-9));
  CHECK(weights_in(model, "bf16").text.count() == computed);
}
