#include "model/calibration/table_words.hpp"

#include "model/catalog/catalog.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("sizes, shapes and collectives are read from the words of a table", "[calibration]") {
  CHECK(*size_in("all_reduce in-place, message 134MB, NVLS") / unit::B == Approx(134e6));
  CHECK(*size_in("512 MiB out-of-place") / unit::B == Approx(512.0 * 1024 * 1024));
  CHECK(*size_in("NCCL all_reduce 48 KB (range 54-64)") / unit::B == Approx(48e3));
  CHECK_FALSE(size_in("fresh boot, 2 runs"));
  CHECK(shape_in("m=1024 n=2145 k=768; random data")->n == 2145);
  CHECK(shape_in("1792x16128x3072")->k == 3072);
  CHECK_FALSE(shape_in("max over shapes"));
  CHECK(collective_in("nccl-tests all_gather") == Collective::all_gather);
  CHECK_FALSE(collective_in("nccl-tests"));
  CHECK(concurrency_in("conc 16") == 16.0);
  CHECK(concurrency_in("64") == 64.0);
  CHECK_FALSE(concurrency_in("max load"));
}

TEST_CASE("engines, models and formats go by the names that tables give them", "[calibration]") {
  CHECK(engine_word("llama.cpp CUDA") == "llama.cpp");
  CHECK(engine_word("llama.cpp RPC").empty());
  CHECK(engine_word("vLLM (mxfp4 fork)") == "vllm");
  CHECK(engine_word("TensorRT-LLM") == "trtllm");
  CHECK(engine_word("gpt-fast (torch.compile)").empty());
  CHECK(format_word("MXFP4", "llama.cpp") == "mxfp4_moe");
  CHECK(format_word("MXFP4", "vllm") == "native");
  CHECK(format_word("MXFP4", "vLLM (mxfp4 fork)") == "mxfp4");
  CHECK(format_word("UD-Q4_K_XL", "llama.cpp") == "q4_k_m");
  CHECK(format_word("UD-Q8_K_XL", "llama.cpp") == "q8_0");
  const Catalog catalog;
  CHECK_FALSE(model_word(catalog.models(), "gemma-4-31B-it (dense)").empty());
  CHECK(model_word(catalog.models(), "no such model").empty());
  const Architecture oss = catalog.models().find("gpt-oss-120b");
  CHECK(served_format(oss, "fp4") == "native");
  CHECK(served_format(catalog.models().find("llama-3.1-70b"), "fp4") == "nvfp4");
  CHECK(served_format(catalog.models().find("deepseek-v3"), "FP8") == "native");
}
