#include "model/probe/gpu/gpu_probes.hpp"

#include "model/roofline/operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::probe {
namespace {

using Bench = std::shared_ptr<Workbench>;
using Format = ProductWork::Format;
using Counts = std::vector<std::int64_t>;

std::string text(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string text(double value) {
  return fmt::format("{:.0f}", value);
}

/// Names, parameters and unit of each kind of work. A rate where `work` is not 0, else a time.
struct Described {
  std::string name;
  Params params;
  std::string unit = "us";
  double work = 0;
};

Described described(const MemoryWork& w) {
  return {fmt::format("memory/{}", to_text(w.kind)),
          {{"bytes", text(w.bytes)}},
          "GB/s",
          static_cast<double>(w.bytes)};
}
Described described(const ProductWork& w) {
  // Chips have no rate of their own for MXFP8 and MXFP4, so they are measured and not fitted.
  const bool blocks = w.format == Format::mxfp8 || w.format == Format::mxfp4;
  const char* stem = blocks ? "product_blocks" : "product";
  return {fmt::format("{}/{}", stem, format_id(w.format)),
          {{"m", text(w.m)},
           {"n", text(w.n)},
           {"k", text(w.k)},
           {"bytes", text(w.weight_bytes())},
           {"quantises", w.quantises ? "1" : "0"}}};
}
Described described(const AttentionWork& w) {
  Described out{"attention/bf16",
                {{"batch", text(w.batch)},
                 {"depth", text(w.depth)},
                 {"heads", text(w.heads)},
                 {"kv_heads", text(w.kv_heads)},
                 {"head_dim", text(w.head_dim)},
                 {"bytes", text(w.moved_bytes())},
                 {"flop", text(w.flop())}}};
  if (w.by_products()) out.name = w.latent > 0 ? "attention_products/latent" : "attention_products/bf16";
  if (w.latent > 0) out.params.emplace_back("latent", text(w.latent));
  return out;
}
Described described(const ExpertsWork& w) {
  return {"experts/bf16",
          {{"tokens", text(w.tokens)},
           {"top_k", text(w.top_k)},
           {"experts", text(w.experts)},
           {"distinct", text(w.distinct)},
           {"hidden", text(w.hidden)},
           {"inner", text(w.inner)},
           {"bytes", text(w.weight_bytes())}}};
}
Described described(const ElementwiseWork& w) {
  return {"elementwise", {{"bytes", text(w.bytes())}, {"rows", text(w.rows)}, {"width", text(w.width)}}};
}
Described described(const LaunchWork& w) {
  const char* kind = w.kind == LaunchWork::Kind::answered   ? "answered"
                     : w.kind == LaunchWork::Kind::in_a_row ? "in_a_row"
                                                            : "in_graph";
  return {fmt::format("launch/{}", kind), {}};
}
Described described(const TransferWork& w) {
  Described out{fmt::format("copy/{}", to_text(w.kind)), {{"bytes", text(w.bytes)}}};
  if (w.kind == TransferWork::Kind::peer) {
    out.params.emplace_back("from", fmt::format("{}", w.from));
    out.params.emplace_back("to", fmt::format("{}", w.to));
  }
  return out;
}
Described described(const CollectiveWork& w) {
  return {fmt::format("{}/{}", w.captured ? "collective_in_graph" : "collective", to_text(w.kind)),
          {{"bytes", text(w.bytes)}, {"ranks", fmt::format("{}", w.ranks)}}};
}

/// Collects works that the GPU can do.
class Plan {
 public:
  Plan(Gpu& gpu, const Bench& bench) : gpu_(gpu), bench_(bench) {}

  void add(const GpuWork& work) {
    const std::string reason = gpu_.obstacle(work);
    if (reason.empty()) {
      out_.probes.push_back(gpu_probe(bench_, work));
      return;
    }
    const Described what = std::visit([](const auto& w) { return described(w); }, work);
    std::string sentence = fmt::format("{} is left out: {}", what.name, reason);
    if (std::find(out_.left_out.begin(), out_.left_out.end(), sentence) == out_.left_out.end())
      out_.left_out.push_back(std::move(sentence));
  }
  GpuProbes take() { return std::move(out_); }

 private:
  Gpu& gpu_;
  Bench bench_;
  GpuProbes out_;
};

constexpr std::int64_t kMiB = std::int64_t{1} << 20, kGiB = std::int64_t{1} << 30;

void add_memory(Plan& plan, std::int64_t room, bool quick) {
  const std::int64_t most = std::min(room / 8 * 7, quick ? 4 * kGiB : 16 * kGiB);
  for (std::int64_t bytes = 4 * kMiB; bytes < most; bytes *= quick ? 4 : 2) {
    // A set that fits into the cache is gone over often, so that starting the kernel does not count.
    plan.add(MemoryWork{MemoryWork::Kind::read, bytes,
                        std::max<int>(1, static_cast<int>(256 * kMiB / bytes)) | 1});
  }
  plan.add(MemoryWork{MemoryWork::Kind::read, most});
  for (const auto kind : {MemoryWork::Kind::write, MemoryWork::Kind::copy, MemoryWork::Kind::driver_copy,
                          MemoryWork::Kind::triad}) {
    for (const std::int64_t bytes : {std::int64_t{384} * kMiB, most}) plan.add(MemoryWork{kind, bytes});
  }
}

void add_products(Plan& plan, Format format, const std::vector<std::pair<std::int64_t, std::int64_t>>& shapes,
                  const Counts& rows, bool quantises) {
  for (const auto& [n, k] : shapes) {
    for (const std::int64_t m : rows) plan.add(ProductWork{format, m, n, k, quantises});
  }
}

/// A square that fills every chip, for the highest rate.
constexpr std::int64_t kWide = 8192;

void add_products(Plan& plan, bool quick) {
  std::vector<std::pair<std::int64_t, std::int64_t>> shapes{{2048, 2048},  {5120, 5120},  {3072, 8192},
                                                            {10240, 8192}, {24576, 5120}, {5120, 12288}};
  Counts rows{1, 4, 16, 64, 128, 512, 4096};
  if (!quick) {
    shapes.insert(shapes.end(), {{1280, 8192}, {57344, 8192}, {32768, 4096}});
    rows.insert(rows.end(), {2, 8, 32, 256, 1024, 2048});
  }
  const Counts some{1, 16, 128, 1024, kWide};
  add_products(plan, Format::bfloat16, shapes, rows, false);
  plan.add(ProductWork{Format::bfloat16, kWide, kWide, kWide, false});
  add_products(plan, Format::fp8, shapes, quick ? Counts{1, 16, 128, 1024} : rows, true);
  plan.add(ProductWork{Format::fp8, kWide, kWide, kWide, true});
  for (const Format format :
       {Format::float16, Format::tf32, Format::int8, Format::nvfp4, Format::mxfp8, Format::mxfp4})
    add_products(plan, format, {{kWide, kWide}}, some, false);
}

void add_attention(Plan& plan, bool quick) {
  std::vector<std::pair<std::int64_t, std::int64_t>> heads{{32, 8}, {32, 4}, {64, 8}};
  Counts depths{512, 2048, 8192};
  if (!quick) {
    heads.insert(heads.end(), {{16, 2}, {32, 32}, {64, 4}});
    depths.insert(depths.end(), {1024, 4096, 32768});
  }
  for (const auto& [own, kv] : heads) {
    for (const std::int64_t depth : depths) {
      for (const std::int64_t batch : {1, 4, 16, 64, 128}) {
        if (batch * depth <= 128 * 8192) plan.add(AttentionWork{batch, depth, own, kv, 128});
      }
    }
  }
}

/// Widths without a kernel of their own, and the latent cache of MLA.
void add_attention_by_products(Plan& plan, bool quick) {
  const Counts depths = quick ? Counts{512, 4096} : Counts{512, 2048, 8192};
  const Counts batches = quick ? Counts{1, 64} : Counts{1, 16, 128};
  std::vector<AttentionWork> shapes{{.heads = 128, .kv_heads = 1, .head_dim = 576, .latent = 512},
                                    {.heads = 16, .kv_heads = 1, .head_dim = 576, .latent = 512},
                                    {.heads = 8, .kv_heads = 4, .head_dim = 256},
                                    {.heads = 32, .kv_heads = 32, .head_dim = 96}};
  if (!quick) {
    shapes.push_back({.heads = 32, .kv_heads = 32, .head_dim = 80});
    shapes.push_back({.heads = 16, .kv_heads = 2, .head_dim = 192});
  }
  for (AttentionWork work : shapes) {
    for (const std::int64_t depth : depths) {
      for (const std::int64_t batch : batches) {
        work.batch = batch;
        work.depth = depth;
        plan.add(work);
      }
    }
  }
}

void add_experts(Plan& plan, bool quick) {
  struct Layer {
    std::int64_t experts, top_k, hidden, inner;
  };
  // A few large experts, many small ones, and between them.
  const std::vector<Layer> layers{{8, 2, 4096, 14336}, {64, 6, 2048, 1408}, {128, 8, 4096, 1536}};
  Counts tokens{1, 2, 4, 16, 64, 128, 256, 1024};
  if (!quick) tokens.insert(tokens.end(), {8, 32, 512});
  for (const Layer& l : layers) {
    for (const std::int64_t t : tokens) {
      const double distinct = model::distinct_experts(
          static_cast<double>(l.experts), static_cast<double>(l.top_k), static_cast<double>(t), 1.0);
      plan.add(ExpertsWork{t, l.top_k, l.experts, std::llround(distinct), l.hidden, l.inner});
    }
  }
}

void add_transfers(Plan& plan, int devices, bool quick) {
  Counts sizes{4096, 64 * 1024, kMiB, 16 * kMiB, 64 * kMiB};
  for (const auto kind : {TransferWork::Kind::host_to_device, TransferWork::Kind::device_to_host}) {
    for (const std::int64_t bytes : sizes) plan.add(TransferWork{kind, bytes});
  }
  const Counts between = quick ? Counts{64 * 1024, 64 * kMiB} : sizes;
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      for (const std::int64_t bytes : between) {
        if (from != to) plan.add(TransferWork{TransferWork::Kind::peer, bytes, from, to});
      }
    }
  }
}

void add_collectives(Plan& plan, int devices, bool quick) {
  if (devices < 2) return;
  Counts ranks{2};
  if (devices > 2) ranks.push_back(devices);
  for (const int count : std::vector<int>(ranks.begin(), ranks.end())) {
    for (const auto kind : {CollectiveWork::Kind::all_reduce, CollectiveWork::Kind::all_gather,
                            CollectiveWork::Kind::reduce_scatter}) {
      for (std::int64_t bytes = 16 * 1024; bytes <= 512 * kMiB; bytes *= quick ? 16 : 4)
        plan.add(CollectiveWork{kind, bytes, count});
    }
  }
  // What divided layers exchange between their products: from one token to a few hundred.
  for (std::int64_t bytes = 8 * 1024; bytes <= 8 * kMiB; bytes *= 4)
    plan.add(CollectiveWork{CollectiveWork::Kind::all_reduce, bytes, devices, true});
}

}  // namespace

const char* format_id(Format format) {
  switch (format) {
    case Format::bfloat16:
      return "bf16";
    case Format::float16:
      return "fp16";
    default:
      return to_text(format);
  }
}

Probe gpu_probe(const Bench& bench, const GpuWork& work) {
  Described what = std::visit([](const auto& w) { return described(w); }, work);
  const auto* memory = std::get_if<MemoryWork>(&work);
  const double passes = memory != nullptr ? memory->passes : 1;
  return {std::move(what.name),
          std::move(what.params),
          std::move(what.unit),
          what.work,
          [bench, work, passes] { return bench->run({work}) / passes; },
          [bench, work] { return bench->right({work}); }};
}

std::vector<Probe> small_gpu_probes(Gpu& gpu, const Bench& bench) {
  Plan plan(gpu, bench);
  using Kind = MemoryWork::Kind;
  for (const Kind kind : {Kind::read, Kind::write, Kind::copy, Kind::driver_copy, Kind::triad})
    plan.add(MemoryWork{kind, 3 * 65'536 + 48, kind == Kind::read ? 3 : 1});
  for (const Format format : {Format::bfloat16, Format::float16, Format::tf32, Format::fp8, Format::int8,
                              Format::nvfp4, Format::mxfp8}) {
    for (const std::int64_t m : {16, 128}) plan.add(ProductWork{format, m, 256, 512, false});
  }
  for (const Format format : {Format::fp8, Format::int8}) plan.add(ProductWork{format, 16, 256, 512, true});
  // A part of a tile at the end, several parts, groups of one to sixteen heads, both widths.
  plan.add(AttentionWork{1, 40, 4, 4, 64});
  plan.add(AttentionWork{2, 300, 8, 2, 128});
  plan.add(AttentionWork{3, 129, 16, 1, 128});
  // By products: two more widths, and values within the rows of the keys.
  plan.add(AttentionWork{2, 64, 4, 2, 96});
  plan.add(AttentionWork{1, 136, 8, 1, 256});
  plan.add(AttentionWork{2, 72, 16, 1, 576, 512});
  plan.add(ExpertsWork{5, 2, 8, 6, 256, 128});
  plan.add(ElementwiseWork{ElementwiseWork::Kind::norm, 3, 264});
  plan.add(ElementwiseWork{ElementwiseWork::Kind::gate, 3, 264});
  for (const auto kind : {LaunchWork::Kind::answered, LaunchWork::Kind::in_a_row, LaunchWork::Kind::in_graph})
    plan.add(LaunchWork{kind});
  plan.add(TransferWork{TransferWork::Kind::host_to_device, 4096});
  plan.add(TransferWork{TransferWork::Kind::device_to_host, 4096});
  if (gpu.identity().accelerators > 1) {
    plan.add(TransferWork{TransferWork::Kind::peer, 4096, 0, 1});
    for (const auto kind : {CollectiveWork::Kind::all_reduce, CollectiveWork::Kind::all_gather,
                            CollectiveWork::Kind::reduce_scatter})
      plan.add(CollectiveWork{kind, 8192, 2});
    plan.add(CollectiveWork{CollectiveWork::Kind::all_reduce, 8192, 2, true});
  }
  return plan.take().probes;
}

GpuProbes gpu_probes(Gpu& gpu, const Bench& bench, bool quick) {
  Plan plan(gpu, bench);
  add_memory(plan, gpu.room(), quick);
  add_products(plan, quick);
  add_attention(plan, quick);
  add_attention_by_products(plan, quick);
  add_experts(plan, quick);
  for (const std::int64_t rows : {1, 16, 128, 1024}) {
    for (const std::int64_t width : {2048, 8192}) {
      plan.add(ElementwiseWork{ElementwiseWork::Kind::norm, rows, width});
      plan.add(ElementwiseWork{ElementwiseWork::Kind::gate, rows, width});
    }
  }
  for (const auto kind : {LaunchWork::Kind::answered, LaunchWork::Kind::in_a_row, LaunchWork::Kind::in_graph})
    plan.add(LaunchWork{kind});
  add_transfers(plan, gpu.identity().accelerators, quick);
  add_collectives(plan, gpu.identity().accelerators, quick);
  return plan.take();
}

}  // namespace roofplan::probe
