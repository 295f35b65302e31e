#include "model/units/error.hpp"
#include "tests/memory/question.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace roofplan::model;
using namespace roofplan::model::test;

TEST_CASE("the largest context and the most sequences fit, and one step more does not", "[memory]") {
  for (const char* engine : {"ideal", "vllm", "sglang", "trtllm", "llama.cpp"}) {
    INFO(engine);
    Question q(llama_8b(), "rtx-4090", "q8_0", engine);
    const FitAnswer a = q.ask();
    REQUIRE(a.fits);
    REQUIRE(a.max_context > 0);
    REQUIRE(a.max_concurrency > 0);
    const WeightPlan weights(shipped_formats(), q.model, "q8_0");
    const Deployment d(q.model, weights, *q.request.system, q.engine, shipped_formats(),
                       deployment_settings(q.request, a.parallel));
    CHECK(d.place(a.max_context, 1).fits());
    CHECK_FALSE(d.place(a.max_context + d.layout().block_tokens, 1).fits());
    CHECK(d.place(a.context, a.max_concurrency).fits());
    CHECK_FALSE(d.place(a.context, a.max_concurrency + 1).fits());
    // The largest model leaves no room for 64 MiB more.
    const ByteCount largest = ceil_bytes(static_cast<double>(a.max_params_at_format) * 8.5 / 8 * unit::B);
    CHECK(largest >= a.device.weights);
    CHECK_FALSE(d.place(a.context, 1, std::nullopt, largest + ByteCount(64 << 20)).fits());
  }
}

TEST_CASE("more context, more sequences or more memory kept never leave more room", "[memory]") {
  Question q(gpt_oss(36, 128), "dgx-h100", "native", "vllm");
  q.request.model = &q.model;
  const WeightPlan weights(shipped_formats(), q.model, "native");
  const Deployment d(q.model, weights, *q.request.system, q.engine, shipped_formats(),
                     deployment_settings(q.request, {.tp = 2}));
  const auto balance = [](const DeviceMemory& m) { return m.free.count() - m.deficit.count(); };
  std::int64_t before = balance(d.place(1, 1));
  for (std::int64_t tokens = 1; tokens < 2'000'000; tokens = tokens * 3 / 2 + 1) {
    const std::int64_t now = balance(d.place(tokens, 1));
    CHECK(now <= before);
    before = now;
  }
  before = balance(d.place(1000, 1));
  for (std::int64_t n = 1; n < 100'000; n = n * 3 / 2 + 1) {
    const std::int64_t now = balance(d.place(1000, n));
    CHECK(now <= before);
    before = now;
  }
  CHECK(balance(d.place(1000, 1, ByteCount(8LL << 30))) <= balance(d.place(1000, 1, ByteCount(0))));
}

TEST_CASE("pipeline stages keep the cache of every open sequence (field report T9)", "[memory]") {
  Question q(with_context(llama_70b(), 131072), "dgx-h100", "bf16", "ideal");
  q.request.parallel.pp = 4;
  q.request.parallel.dp = 1;
  q.request.parallel.tp = 1;
  q.request.concurrency = 12;
  q.request.context = 1000;
  const FitAnswer a = q.ask();
  CHECK(a.device.cache.count() == 327'680LL * 1000 * 12 * 20 / 80);
  CHECK(a.cache == a.cache_need);
}

TEST_CASE("attention data parallelism deals out sequences that a latent cannot share", "[memory]") {
  Question q(deepseek_v3(), "dgx-b300", "native", "ideal");
  q.request.concurrency = 64;
  q.request.context = 10'000;
  q.request.parallel.tp = 8;
  q.request.parallel.ep = 8;
  const FitAnswer together = q.ask();
  q.request.parallel.attention_dp = 8;
  const FitAnswer apart = q.ask();
  CHECK(together.device.cache.count() == 70'272LL * 10'000 * 64);
  CHECK(apart.device.cache.count() == 70'272LL * 10'000 * 8);
  CHECK(apart.device.weights > together.device.weights);  // attention is repeated
  CHECK(together.cache.count() == 8 * apart.cache.count());
}

TEST_CASE("memory of several devices is not one pool (field report T13)", "[memory]") {
  Question q(with_context(llama_70b(), 131072), "dgx-h100", "bf16");
  q.request.parallel.tp = 1;
  q.request.parallel.pp = 1;
  const FitAnswer a = q.ask();
  CHECK_FALSE(a.fits);  // 131.4 GiB on any one of eight devices of 79.6
  CHECK(a.parallel.dp == 8);
  q.request.parallel = {};
  CHECK(q.ask().parallel.tp == 4);
}

TEST_CASE("the plan is the least TP that fits, then stages across boxes, then replicas", "[memory]") {
  Question small(llama_8b(), "dgx-b300", "bf16");
  CHECK(small.ask().parallel == ParallelPlan{.dp = 8});
  Question large(with_context(llama_405b(), 131072), "dgx-h100", "bf16");
  large.request.count = 2;
  const FitAnswer two_nodes = large.ask();
  CHECK(two_nodes.fits);
  CHECK(two_nodes.parallel.tp == 8);
  CHECK(two_nodes.parallel.pp == 2);
  CHECK(says(two_nodes.warnings, "fit.stages"));
  large.request.count = 1;
  CHECK(large.ask().parallel.tp == 8);  // what misses least inside one domain
  CHECK(large.ask().fits_in_format == "fp8");
}

TEST_CASE("a plan that no engine can run is answered with what would do (field report T4)", "[memory]") {
  Question q(llama_70b(), "dgx-h100", "bf16");
  q.request.parallel.tp = 3;
  const FitAnswer a = q.ask();
  CHECK_FALSE(a.legal);
  CHECK_FALSE(a.fits);
  CHECK(says(a.reasons, "fit.heads"));
  CHECK(says(a.reasons, "fit.legal_tp"));
  q.request.parallel.tp = 16;
  CHECK(says(q.ask().reasons, "fit.too_few_devices"));
}

TEST_CASE("without a context 8,192 tokens are assumed and said (field report K28)", "[memory]") {
  Question q(with_context(llama_8b(), 131072), "gb10", "bf16");
  CHECK(q.ask().context == 8192);
  CHECK(says(q.ask().warnings, "fit.context_assumed"));
  q.model.max_context = 2048;
  CHECK(q.ask().context == 2048);
  q.request.context = 4096;
  CHECK_FALSE(says(q.ask().warnings, "fit.context_assumed"));
  CHECK(says(q.ask().warnings, "fit.context_beyond_model"));
}

TEST_CASE("impossible questions are refused as usage", "[memory]") {
  Question q(llama_8b(), "gb10", "bf16");
  const auto refused = [](Question question) {
    try {
      question.ask();
    } catch (const InputError& e) {
      return e.kind() == InputError::Kind::usage;
    }
    return false;
  };
  CHECK_FALSE(refused(q));
  const auto with = [&q](auto change) {
    Question changed = q;
    change(changed.request);
    return changed;
  };
  CHECK(refused(with([](FitRequest& r) { r.context = 0; })));
  CHECK(refused(with([](FitRequest& r) { r.concurrency = 0; })));
  CHECK(refused(with([](FitRequest& r) { r.count = 0; })));
  CHECK(refused(with([](FitRequest& r) { r.gpus = -1; })));
  CHECK(refused(with([](FitRequest& r) { r.memory_fraction = 1.5; })));
  CHECK(refused(with([](FitRequest& r) { r.parallel.tp = 0; })));
  CHECK(refused(with([](FitRequest& r) { r.cache = "awq"; })));
  CHECK(refused(with([](FitRequest& r) { r.weights = "fp9"; })));
}

TEST_CASE("the derivations end in the numbers of the answer", "[memory]") {
  Question q(llama_8b(), "gb10", "fp8");
  q.request.explain = true;
  const FitAnswer a = q.ask();
  const auto result = [&a](std::string_view name) {
    for (const Derivation& d : a.derivations)
      if (d.name == name) return d.result;
    return std::string("missing");
  };
  CHECK(result("weights_bytes") == to_text(a.weights.text));
  CHECK(result("per_device.kv_bytes") == to_text(a.device.cache));
  CHECK(result("per_device.free_bytes") == to_text(a.device.free));
  for (const Derivation& d : a.derivations)
    for (const Derivation::Input& input : d.inputs)
      CHECK((input.source.empty() || shipped_sources().contains(input.source)));
  q.request.explain = false;
  CHECK(q.ask().derivations.empty());
}

TEST_CASE("where no format of the engine fits, another engine's may", "[memory]") {
  Question q(with_context(llama_405b(), 131072), "gb10", "fp8");
  const FitAnswer alone = q.ask();
  CHECK(alone.fits_in_format.empty());
  CHECK(says(alone.reasons, "fit.no_format_fits"));
  const EngineProfile llama = shipped_engines().find("llama.cpp");
  q.request.fallback_engine = &llama;
  const FitAnswer a = q.ask();
  // 405.9e9 parameters in 101.5 GiB: 2.1 bits a parameter at most, and some for the cache.
  CHECK(a.fits_in_engine == "llama.cpp");
  CHECK(8.0 * a.fits_in_bytes.quantity().base() / 405'853'388'800.0 < 2.1);
  CHECK(says(a.reasons, "fit.format_with_engine"));
}

// field-reports T4: PP where TP does not divide.
TEST_CASE("seven GPUs run a model of 64 heads in stages", "[memory]") {
  Question q(with_context(llama_70b(), 131072), "dgx-h100", "bf16");
  q.request.gpus = 3;
  const FitAnswer a = q.ask();
  CHECK(a.fits);
  CHECK(a.parallel.tp == 1);
  CHECK(a.parallel.pp == 3);
  q.request.parallel.tp = 7;
  q.request.gpus = 7;
  CHECK(says(q.ask().reasons, "fit.heads"));
  q.request.parallel = {};
  q.request.parallel.pp = 7;
  CHECK(q.ask().fits);
  q.request.max_batch = 2;
  q.request.concurrency = 4;
  CHECK(says(q.ask().warnings, "fit.batch_below_load"));
}

TEST_CASE("one replica spans no more GB10 than can be linked, four; more stay apart (seed B14)", "[memory]") {
  Question q(llama_70b(), "gb10", "bf16");
  q.request.count = 8;
  CHECK(most_linked(*q.request.system) == 4);
  q.request.parallel.tp = 8;
  FitAnswer a = q.ask();
  CHECK_FALSE(a.legal);
  CHECK(says(a.reasons, "fit.too_few_linked"));
  CHECK_FALSE(says(a.reasons, "fit.too_few_devices"));
  q.request.parallel.tp = 4;
  q.request.parallel.dp = 2;
  CHECK(q.ask().legal);
  q.request.parallel = {};
  const ParallelPlan free = q.ask().parallel;
  CHECK(free.devices_per_replica() <= 4);
  CHECK(free.dp >= 2);
  // Nothing limits how many nodes of a data centre work on one replica.
  Question node(with_context(llama_405b(), 131072), "dgx-h100", "bf16");
  node.request.count = 8;
  node.request.parallel.tp = node.request.parallel.pp = 8;
  CHECK(node.ask().legal);
}

TEST_CASE("an engine is refused on a platform that it is not built for, with one that is", "[memory]") {
  const EngineTable& engines = shipped_engines();
  const auto runs = [&](const char* engine, const char* system) {
    try {
      engines.check_runs(engines.find(engine), shipped(system));
      return true;
    } catch (const InputError& e) {
      CHECK(e.kind() == InputError::Kind::usage);
      CHECK(e.nearest() == std::vector<std::string>{"llama.cpp"});
      return false;
    }
  };
  for (const char* engine : {"vllm", "sglang", "trtllm", "llama.cpp", "ideal"}) {
    INFO(engine);
    CHECK(runs(engine, "dgx-b300"));
    CHECK(runs(engine, "gb10"));
    CHECK(runs(engine, "mac-studio-m3-ultra") == (engine[0] == 'l' || engine[0] == 'i'));
  }
  CHECK(runs("vllm", "strix-halo"));
  // The nearest engine that runs on AMD comes first.
  CHECK_THROWS_WITH(engines.check_runs(engines.find("trtllm"), shipped("strix-halo")),
                    Catch::Contains("not rocm") && Catch::Contains("llama.cpp, sglang, vllm, ideal"));
  // A chip whose platform nobody states is not held against an engine.
  System unknown = shipped("dgx-h100");
  unknown.chip.compute_capability = {};
  engines.check_runs(engines.find("trtllm"), unknown);
}
