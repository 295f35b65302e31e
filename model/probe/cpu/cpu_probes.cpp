#include "model/probe/cpu/cpu_probes.hpp"

#include "model/probe/cpu/cpu_checks.hpp"
#include "model/probe/cpu/cpu_kernels.hpp"
#include "model/probe/cpu/process_copy.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::probe {
namespace {

using Arena = std::shared_ptr<CpuArena>;
constexpr double kElement = sizeof(float);
/// A short set is gone over until this much was read, so that the start of the threads does not count.
constexpr double kLeastRead = 16e6;

std::string text(double value) {
  return fmt::format("{:.0f}", value);
}
double bytes_of(std::size_t elements) {
  return kElement * static_cast<double>(elements);
}

/// Whether the arena is large enough for what was used to be gone from the caches when it is used again.
bool comes_from_memory(const Arena& arena, double elements) {
  return 2 * elements <= static_cast<double>(arena->size());
}

Probe read_probe(const Arena& arena, std::size_t count, int threads, std::string name) {
  const double bytes = bytes_of(count);
  const int times = static_cast<int>(std::max(1.0, kLeastRead / bytes));
  const auto sum = std::make_shared<double>(0);
  return {std::move(name),
          {{"bytes", text(bytes)}, {"threads", fmt::format("{}", threads)}},
          "GB/s",
          bytes,
          [=] {
            const Sum read = read_sum(arena->pool(), arena->data(), count, times, threads);
            *sum = read.value;
            return read.time / times;
          },
          [=, expected = Reference{}]() mutable {
            if (!(expected.scale > 0)) expected = reference_sum(arena->data(), count);
            return close_to(*sum, expected);
          }};
}

Probe copy_probe(const Arena& arena, std::size_t count) {
  return {"memory/copy",
          {{"bytes", text(2 * bytes_of(count))}},
          "GB/s",
          2 * bytes_of(count),
          [=] { return copy(arena->pool(), arena->data(), arena->scratch(count), count); },
          [=] { return std::equal(arena->data(), arena->data() + count, arena->scratch(count)); }};
}

Probe triad_probe(const Arena& arena, std::size_t count) {
  return {"memory/triad",
          {{"bytes", text(3 * bytes_of(count))}},
          "GB/s",
          3 * bytes_of(count),
          [=] {
            return triad(arena->pool(), arena->data(), arena->data() + count, arena->scratch(count), count);
          },
          [=] { return is_triad(arena->data(), arena->data() + count, arena->scratch(count), count); }};
}

Probe product_probe(const Arena& arena, std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto weights = static_cast<std::size_t>(n * k);
  const auto last = std::make_shared<const float*>(nullptr);
  return {"product/fp32",
          {{"m", fmt::format("{}", m)},
           {"n", fmt::format("{}", n)},
           {"k", fmt::format("{}", k)},
           {"bytes", text(bytes_of(weights))}},
          "us",
          0,
          [=] {
            *last = arena->next(weights);
            float* y = arena->scratch(static_cast<std::size_t>(m * n));
            return product(arena->pool(), *last, arena->data(), y, m, n, k);
          },
          [=] { return is_product(*last, arena->data(), arena->scratch(1), m, n, k); }};
}

/// Of a model with 8 KV heads of 128.
LayerShape attention_shape(std::int64_t group) {
  return {.hidden = 0, .heads = 8 * group, .kv_heads = 8, .head_dim = 128, .intermediate = 0};
}

Probe attention_probe(const Arena& arena, std::int64_t batch, std::int64_t depth, std::int64_t group) {
  const LayerShape shape = attention_shape(group);
  const auto cache = static_cast<std::size_t>(shape.cache_elements(batch, depth));
  const auto last = std::make_shared<const float*>(nullptr);
  return {"attention/fp32",
          {{"batch", fmt::format("{}", batch)},
           {"depth", fmt::format("{}", depth)},
           {"heads", fmt::format("{}", shape.heads)},
           {"bytes", text(bytes_of(cache))},
           {"flop", text(shape.attention_flop(batch, depth))}},
          "us",
          0,
          [=] {
            *last = arena->next(cache);
            float* to = arena->scratch(static_cast<std::size_t>(batch * shape.heads * shape.head_dim));
            return attention(arena->pool(), shape, *last, arena->data(), to, batch, depth);
          },
          [=] { return is_attention(*last, arena->data(), arena->scratch(1), shape, depth); }};
}

Probe elementwise_probe(const Arena& arena, std::size_t count) {
  return {"elementwise",
          {{"bytes", text(3 * bytes_of(count))}},
          "us",
          0,
          [=] {
            return gated(arena->pool(), arena->data(), arena->data() + count, arena->scratch(count), count);
          },
          [=] { return is_gated(arena->data(), arena->data() + count, arena->scratch(count), count); }};
}

Probe process_probe(const std::shared_ptr<ProcessCopy>& other, std::size_t bytes) {
  return {"copy/process",
          {{"bytes", fmt::format("{}", bytes)}},
          "us",
          0,
          [=] { return other->send(bytes); },
          [=] { return other->arrived_whole(); }};
}

Probe launch_probe(const Arena& arena) {
  return {"launch/pool", {{"threads", fmt::format("{}", arena->pool().threads())}}, "us", 0, [=] {
            const Seconds start = steady_now();
            arena->pool().run([](int, int) {});
            return steady_now() - start;
          }};
}

void add_memory(const Arena& arena, bool quick, std::vector<Probe>& out) {
  const int threads = arena->pool().threads();
  const double step = quick ? 4 : 2;
  for (double bytes = 64e3; 2 * bytes < bytes_of(arena->size()); bytes *= step)
    out.push_back(read_probe(arena, static_cast<std::size_t>(bytes / kElement), threads, "memory/read"));
  out.push_back(read_probe(arena, arena->size(), threads, "memory/read"));
  for (int t = 1; t < threads; t *= 2) out.push_back(read_probe(arena, arena->size(), t, "memory/threads"));
  out.push_back(read_probe(arena, arena->size(), threads, "memory/threads"));
  out.push_back(copy_probe(arena, arena->size() / 4));
  out.push_back(triad_probe(arena, arena->size() / 4));
}

void add_products(const Arena& arena, bool quick, std::vector<Probe>& out) {
  std::vector<std::pair<std::int64_t, std::int64_t>> shapes{{1536, 1536}, {4096, 1024}, {1024, 3072}};
  std::vector<std::int64_t> rows{1, 2, 4, 16, 64};
  if (!quick) {
    shapes.insert(shapes.end(), {{2048, 4096}, {8192, 2048}});
    rows.insert(rows.end(), {8, 32, 128});
  }
  for (const auto& [n, k] : shapes) {
    if (!comes_from_memory(arena, static_cast<double>(n * k))) continue;
    for (const std::int64_t m : rows) out.push_back(product_probe(arena, m, n, k));
  }
}

void add_attention(const Arena& arena, std::vector<Probe>& out) {
  using Point = std::pair<std::int64_t, std::int64_t>;
  for (const std::int64_t group : {1, 2, 4}) {
    for (const auto& [batch, depth] :
         {Point{1, 256}, Point{1, 1024}, Point{1, 4096}, Point{8, 256}, Point{8, 1024}})
      if (comes_from_memory(arena, attention_shape(group).cache_elements(batch, depth)))
        out.push_back(attention_probe(arena, batch, depth, group));
  }
}

}  // namespace

std::vector<Probe> cpu_probes(const Arena& arena, bool quick) {
  std::vector<Probe> out;
  add_memory(arena, quick, out);
  add_products(arena, quick, out);
  add_attention(arena, out);
  for (const std::size_t count : {1'000, 5'000, 20'000, 100'000})
    out.push_back(elementwise_probe(arena, count));
  const auto other = std::make_shared<ProcessCopy>();
  for (const std::size_t bytes : {8, 4'096, 262'144, 4'194'304}) out.push_back(process_probe(other, bytes));
  out.push_back(launch_probe(arena));
  return out;
}

}  // namespace roofplan::probe
