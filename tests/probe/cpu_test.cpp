#include "model/probe/calibrate_device.hpp"
#include "model/probe/cpu/cpu_back_end.hpp"
#include "model/probe/cpu/cpu_checks.hpp"
#include "model/probe/cpu/cpu_kernels.hpp"
#include "model/probe/cpu/cpu_probes.hpp"
#include "model/probe/cpu/process_copy.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

using namespace roofplan;
using namespace roofplan::probe;

namespace {

/// 0, 1/n, 2/n ... times a factor, so that every element differs.
std::vector<float> ramp(std::size_t n, float factor) {
  std::vector<float> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = factor * static_cast<float>(i) / static_cast<float>(n);
  return out;
}

}  // namespace

TEST_CASE("every thread of a pool does its part, once a run", "[probe]") {
  ThreadPool pool(3);
  std::vector<int> calls(3, 0);
  for (int i = 0; i < 50; ++i) pool.run([&](int part, int) { ++calls[static_cast<std::size_t>(part)]; });
  CHECK(calls == std::vector<int>{50, 50, 50});
  pool.run([&](int part, int parts) { calls[static_cast<std::size_t>(part)] += parts; }, 2);
  CHECK(calls == std::vector<int>{52, 52, 50});
}

TEST_CASE("a product of any shape is right, whatever rows are left over", "[probe]") {
  ThreadPool pool(2);
  for (const std::int64_t m : {1, 3}) {
    for (const std::int64_t n : {5, 64, 1001}) {
      const std::int64_t k = 300;
      const auto w = ramp(static_cast<std::size_t>(n * k), 1), x = ramp(static_cast<std::size_t>(m * k), 2);
      std::vector<float> y(static_cast<std::size_t>(m * n));
      product(pool, w.data(), x.data(), y.data(), m, n, k);
      CHECK(is_product(w.data(), x.data(), y.data(), m, n, k));
      y.back() += 1.0F;
      CHECK_FALSE(is_product(w.data(), x.data(), y.data(), m, n, k));
    }
  }
}

TEST_CASE("attention over equal keys is the mean of the values", "[probe]") {
  // Equal keys give equal weights; values 0 .. 9 in every column: 4.5.
  const LayerShape shape{.hidden = 0, .heads = 4, .kv_heads = 2, .head_dim = 8, .intermediate = 0};
  const std::int64_t depth = 10;
  std::vector<float> cache(static_cast<std::size_t>(shape.cache_elements(1, depth)), 1.0F);
  for (std::int64_t head = 0; head < 2; ++head)
    for (std::int64_t i = 0; i < depth; ++i)
      std::fill_n(cache.begin() + (2 * head + 1) * depth * 8 + i * 8, 8, static_cast<float>(i));
  const std::vector<float> q(4 * 8, 0.3F);
  std::vector<float> out(4 * 8);
  ThreadPool pool(2);
  attention(pool, shape, cache.data(), q.data(), out.data(), 1, depth);
  for (const float value : out) CHECK(value == Approx(4.5));
  CHECK(is_attention(cache.data(), q.data(), out.data(), shape, depth));
  out[0] = 4.4F;
  CHECK_FALSE(is_attention(cache.data(), q.data(), out.data(), shape, depth));
}

TEST_CASE("streaming kernels do what their names say", "[probe]") {
  ThreadPool pool(2);
  const std::size_t n = 10'000;
  const auto a = ramp(n, 1), b = ramp(n, 4);
  std::vector<float> to(n);
  CHECK(read_sum(pool, a.data(), n).value == Approx(reference_sum(a.data(), n).value).epsilon(1e-6));
  copy(pool, a.data(), to.data(), n);
  CHECK(to == a);
  triad(pool, a.data(), b.data(), to.data(), n);
  CHECK(is_triad(a.data(), b.data(), to.data(), n));
  gated(pool, a.data(), b.data(), to.data(), n);
  CHECK(is_gated(a.data(), b.data(), to.data(), n));
  to.back() *= 1.01F;
  CHECK_FALSE(is_gated(a.data(), b.data(), to.data(), n));
  rms_norm(pool, b.data(), to.data(), 4, 2'500);
  const double squares = std::inner_product(to.begin(), to.begin() + 2'500, to.begin(), 0.0);
  CHECK(squares / 2'500 == Approx(1).epsilon(1e-3));
}

TEST_CASE("another process gets every byte of a message", "[probe]") {
  ProcessCopy other;
  for (const std::size_t bytes : {std::size_t{8}, std::size_t{100'000}, std::size_t{1}}) {
    CHECK(other.send(bytes) > Seconds{});
    CHECK(other.arrived_whole());
  }
}

TEST_CASE("every probe of the CPU runs, is right and is named once", "[probe][slow]") {
  const auto arena = std::make_shared<CpuArena>(2, std::size_t{64'000'000}, 1);
  RunOptions options;
  options.rule = {.warm_up = 0, .time_limit = 1e-6 * model::unit::s, .least = 1, .most = 1};
  const std::vector<Probe> probes = cpu_probes(arena, true);
  const RunResult run = run_probes(probes, options);
  CHECK(run.notes.empty());
  CHECK(run.probes.size() == probes.size());
  std::set<std::pair<std::string, Params>> names;
  for (const Probe& p : probes) names.insert({p.name, p.params});
  CHECK(names.size() == probes.size());
}

TEST_CASE("a layer runs on the CPU and its last product is right", "[probe]") {
  const LayerShape layer{.hidden = 64, .heads = 4, .kv_heads = 2, .head_dim = 16, .intermediate = 96};
  const auto arena = std::make_shared<CpuArena>(2, std::size_t{4'000'000}, 1);
  const Probe probe = layer_probe(arena, "small", layer, 3, 20);
  for (int i = 0; i < 5; ++i) CHECK(probe.sample() > Seconds{});
  CHECK(probe.right());
}
