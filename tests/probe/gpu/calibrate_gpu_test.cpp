#include "model/calibration/calibration_file.hpp"
#include "model/calibration/this_system.hpp"
#include "model/catalog/model_reference.hpp"
#include "model/probe/calibrate_device.hpp"
#include "model/probe/gpu/gpu_back_end.hpp"
#include "model/probe/gpu/gpu_layer.hpp"
#include "model/units/error.hpp"
#include "tests/probe/gpu/fake_gpu.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace roofplan;
namespace unit = roofplan::model::unit;
using roofplan::test::FakeGpu;

namespace {

probe::DeviceRun calibrated(const model::Catalog& catalog) {
  probe::GpuBackEnd back_end(std::make_unique<FakeGpu>(), {.quick = true});
  return calibrate_device(back_end, back_end.options(), catalog);
}

bool noted(const std::vector<std::string>& notes, const std::string& part) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& n) { return n.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("a GPU with known laws is calibrated: its rates and its layers come back",
          "[probe][gpu_logic][slow]") {
  const model::Catalog catalog;
  const probe::DeviceRun run = calibrated(catalog);
  const model::Calibration& c = run.calibration;
  CHECK_FALSE(run.interrupted);

  // Within the noise of 1 % and what correlated parameters allow.
  CHECK(c.at("machine/stream").value("memory_rate") == Approx(3000).epsilon(0.03));
  CHECK(c.at("machine/elementwise").value("latency") == Approx(2).epsilon(0.05));
  CHECK(c.at("gemm/bfloat16").value("matrix_rate") == Approx(600).epsilon(0.06));
  CHECK(c.at("gemm/bfloat16").value("memory_rate") == Approx(2800).epsilon(0.05));
  CHECK(c.at("attention_decode/bfloat16/grouped").value("memory_rate") == Approx(2600).epsilon(0.05));
  CHECK(c.at("experts/bfloat16/batched").value("memory_rate") == Approx(2500).epsilon(0.05));
  CHECK(c.at("machine/copy/host_to_device").value("rate") == Approx(50).epsilon(0.03));

  // The laws make a system `this` that the catalogue reads.
  model::Catalog with_this;
  for (auto& [path, text] : model::this_system_files(c)) with_this.lay_over(path, std::move(text), path);
  const model::Chip& chip = with_this.systems().find("this").chip;
  CHECK(*chip.memory_bandwidth / unit::GB_s == Approx(3000).epsilon(0.05));
  CHECK(chip.dense_rate.contains("fp8"));

  // Shapes of the models are not among those that were fitted.
  REQUIRE(c.replay.size() == 6);
  for (const model::ReplayResult& r : c.replay) {
    INFO(r.model << " batch " << r.batch);
    CHECK(r.predicted_s / r.measured_s == Approx(1).epsilon(0.08));
    double sum = 0;
    for (const model::ReplayPart& part : r.parts) sum += part.measured_s;
    CHECK(sum == Approx(r.measured_s).epsilon(0.03));
  }
  CHECK(noted(c.notes, "product/nvfp4 is left out: no such products"));
}

TEST_CASE("a calibration of a GPU is read back with the operators of its replays", "[probe][gpu_logic]") {
  model::Calibration c;
  c.device.system = "this";
  c.replay.push_back({.model = "llama-3.1-8b",
                      .batch = 4,
                      .depth = 2048,
                      .predicted_s = 1e-4,
                      .measured_s = 1.1e-4,
                      .layers = 1,
                      .parts = {{"ffn.down", 3e-5, 2.9e-5}}});
  const model::Calibration back = model::parse_calibration(model::calibration_text(c), "again.json");
  REQUIRE(back.replay.size() == 1);
  REQUIRE(back.replay[0].parts.size() == 1);
  CHECK(back.replay[0].parts[0].op == "ffn.down");
  CHECK(back.replay[0].parts[0].measured_s == Approx(2.9e-5));
}

TEST_CASE("a busy or throttled GPU is refused before anything is measured", "[probe][gpu_logic]") {
  auto gpu = std::make_unique<FakeGpu>();
  FakeGpu& fake = *gpu;
  probe::GpuBackEnd back_end(std::move(gpu), {.quick = true});
  fake.now.busy = 0.8;
  CHECK_THROWS_AS(back_end.probes(), model::InputError);
  fake.now.busy = 0.2;  // is told afterwards
  CHECK_FALSE(back_end.probes().empty());
  fake.now.throttled = {"hw_thermal_slowdown"};
  CHECK_THROWS_AS(back_end.probes(), model::InputError);
}

TEST_CASE("a GPU that computes wrong results gives no numbers", "[probe][gpu_logic]") {
  auto gpu = std::make_unique<FakeGpu>();
  gpu->correct = false;
  probe::GpuBackEnd back_end(std::move(gpu), {.quick = true});
  std::vector<probe::Probe> some = back_end.probes();
  some.resize(5);
  const probe::RunResult run = run_probes(some, back_end.options());
  CHECK(run.probes.empty());
  CHECK(run.notes.size() == 5);
}

TEST_CASE("works are made ready once for all their samples", "[probe][gpu_logic]") {
  FakeGpu gpu;
  probe::Workbench bench(gpu);
  const std::vector<probe::GpuWork> one{probe::LaunchWork{}}, other{probe::MemoryWork{.bytes = 1 << 20}};
  for (int i = 0; i < 4; ++i) bench.run(one);
  CHECK(bench.right(one));
  CHECK(gpu.preparations == 1);
  bench.run(other);
  bench.run(one);
  CHECK(gpu.preparations == 3);
}

TEST_CASE("the layer of a model is the operators of its step", "[probe][gpu_logic]") {
  const model::Catalog catalog;
  const auto work_of = [](const std::vector<probe::LayerOperator>& all, const std::string& name) {
    for (const probe::LayerOperator& op : all) {
      if (op.name == name) return op.work;
    }
    FAIL("no operator " << name);
    return probe::GpuWork{};
  };
  const auto dense =
      probe::layer_operators(model::find_model(catalog, "llama-3.1-8b").architecture, catalog, 16, 2048);
  // 4096 wide, 32 heads and 8 of keys and values, 128 each; 14336 in the feed-forward part.
  const auto format = probe::ProductWork::Format::bfloat16;
  CHECK(work_of(dense, "attention.qkv") == probe::GpuWork(probe::ProductWork{format, 16, 6144, 4096}));
  CHECK(work_of(dense, "ffn.gate_up") == probe::GpuWork(probe::ProductWork{format, 16, 28672, 4096}));
  CHECK(work_of(dense, "ffn.down") == probe::GpuWork(probe::ProductWork{format, 16, 4096, 14336}));
  const auto attention = std::get<probe::AttentionWork>(work_of(dense, "attention.decode"));
  CHECK(attention.heads == 32);
  CHECK(attention.kv_heads == 8);
  CHECK(attention.depth >= 2048);
  // 2048 wide, 128 experts of 768, 8 a token. Of 16 tokens: 128 (1 - (120/128)^16) = 82.4 distinct.
  const auto sparse =
      probe::layer_operators(model::find_model(catalog, "qwen3-30b-a3b").architecture, catalog, 16, 2048);
  const auto experts = std::get<probe::ExpertsWork>(work_of(sparse, "moe.experts"));
  CHECK(experts == probe::ExpertsWork{16, 8, 128, 82, 2048, 768});
  CHECK(experts.rows() == 2);  // 128 routed tokens over 82 experts
}

TEST_CASE("layers divided over several GPUs hold their exchanges, and are predicted with them",
          "[probe][gpu_logic][slow]") {
  const model::Catalog catalog;
  auto gpu = std::make_unique<FakeGpu>();
  gpu->multiply(4);
  probe::GpuBackEnd back_end(std::move(gpu), {.quick = true});
  const model::Calibration c = calibrate_device(back_end, back_end.options(), catalog).calibration;
  const auto& law = c.at("machine/collective_in_graph/all_reduce/4");
  CHECK(law.value("latency") == Approx(8).epsilon(0.05));
  CHECK(law.value("rate") == Approx(200).epsilon(0.1));
  std::size_t divided = 0;
  for (const model::ReplayResult& r : c.replay) {
    if (r.devices == 1) continue;
    INFO(r.model << " batch " << r.batch);
    CHECK(r.devices == 4);
    CHECK(r.predicted_s / r.measured_s == Approx(1).epsilon(0.08));
    CHECK(std::count_if(r.parts.begin(), r.parts.end(),
                        [](const auto& p) { return p.op.ends_with("all_reduce"); }) == 2);
    ++divided;
  }
  CHECK(divided == 6);
  const model::Calibration back = model::parse_calibration(model::calibration_text(c), "again.json");
  CHECK(back.replay.back().devices == c.replay.back().devices);
}

TEST_CASE("a divided layer is a share of each operator and two sums over the devices", "[probe][gpu_logic]") {
  const model::Catalog catalog;
  const auto all =
      probe::layer_operators(model::find_model(catalog, "llama-3.1-8b").architecture, catalog, 16, 2048, 4);
  const auto work_of = [&](const std::string& name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& op) { return op.name == name; });
    REQUIRE(found != all.end());
    return found->work;
  };
  const auto format = probe::ProductWork::Format::bfloat16;
  CHECK(work_of("attention.qkv") == probe::GpuWork(probe::ProductWork{format, 16, 1536, 4096}));
  CHECK(work_of("ffn.down") == probe::GpuWork(probe::ProductWork{format, 16, 4096, 3584}));
  const auto attention = std::get<probe::AttentionWork>(work_of("attention.decode"));
  CHECK(attention.heads == 8);
  CHECK(attention.kv_heads == 2);
  // 16 tokens of 4096 numbers of two bytes.
  const auto sum = std::get<probe::CollectiveWork>(work_of("ffn.all_reduce"));
  CHECK(sum.bytes == 131072);
  CHECK(sum.ranks == 4);
  CHECK(work_of("attention.all_reduce") == work_of("ffn.all_reduce"));
  CHECK_THROWS_AS(
      probe::layer_operators(model::find_model(catalog, "llama-3.1-8b").architecture, catalog, 1, 2048, 3),
      model::InputError);
}

TEST_CASE("latent attention and odd widths run as two products", "[probe][gpu_logic]") {
  const model::Catalog catalog;
  const auto attention_of = [&](const char* name, std::int64_t depth) {
    for (const auto& op :
         probe::layer_operators(model::find_model(catalog, name).architecture, catalog, 4, depth)) {
      if (op.name == "attention.decode") return std::get<probe::AttentionWork>(op.work);
    }
    FAIL("no attention");
    return probe::AttentionWork{};
  };
  // DeepSeek-V2-Lite: 16 heads over a latent of 512 and 64 rotary numbers.
  const auto latent = attention_of("deepseek-v2-lite", 2048);
  CHECK(latent.by_products());
  CHECK(latent.head_dim == 576);
  CHECK(latent.latent == 512);
  CHECK(latent.heads == 16);
  CHECK(latent.depth % 8 == 0);
  // Cache read for scores (576) and for values (512); scores of 16 heads moved four times; two bytes each.
  const double rows = 4.0 * static_cast<double>(latent.depth);
  CHECK(latent.moved_bytes() == Approx(2 * rows * (576 + 512) + 2 * 4 * rows * 16));
  CHECK(latent.flop() == Approx(2 * rows * 16 * (576 + 512)));
  CHECK(attention_of("phi-3-mini", 512).by_products());          // 96 wide
  CHECK_FALSE(attention_of("llama-3.1-8b", 512).by_products());  // 128 wide
}

TEST_CASE("what cannot be replayed is said, each reason once", "[probe][gpu_logic]") {
  const model::Catalog catalog;
  auto gpu = std::make_unique<FakeGpu>();
  gpu->no_collectives = true;
  gpu->multiply(3);
  probe::GpuBackEnd back_end(std::move(gpu), {.quick = true});
  CHECK(back_end.replays(catalog).size() == 6);  // on one device; three divide neither model
  const std::vector<std::string> notes = back_end.remarks();
  CHECK(noted(notes, "llama-3.1-8b cannot be replayed: 3 devices do not divide it"));
  auto pair = std::make_unique<FakeGpu>();
  pair->no_collectives = true;
  pair->multiply(2);
  probe::GpuBackEnd two(std::move(pair), {.quick = true});
  CHECK(two.replays(catalog).size() == 6);
  const std::vector<std::string> reasons = two.remarks();
  CHECK(std::count_if(reasons.begin(), reasons.end(),
                      [](const std::string& n) { return n.find("on 2 devices") != std::string::npos; }) == 2);
}
