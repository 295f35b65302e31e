#pragma once

#include "model/catalog/model_catalog.hpp"
#include "model/fabric/collective.hpp"
#include "model/llm/architecture.hpp"
#include "model/roofline/laws/gemm.hpp"
#include "model/units/quantity.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roofplan::model {

// What the words of published tables mean, as far as they are unambiguous.

/// A model of that name, or of it without words that do not change the shape ("gemma-3-4b-qat",
/// "gemma-4-31B-it (dense)"); empty: none.
std::string model_word(const ModelCatalog& models, const std::string& name);

/// Id of the engine that a text names ("llama.cpp CUDA", "TensorRT-LLM", "vLLM default TP8"); empty: none
/// with a profile, or two of them over a network.
std::string engine_word(const std::string& words);

/// Id of a weight format of data/formats.json or a GGUF mix, for an engine as a text names it. MXFP4 is that
/// of the checkpoint where a server loads it; the "mxfp4 fork" of vLLM for GB10 quantises attention and head
/// as well (source spark-vllm-mxfp4). Unsloth's dynamic mixes (UD-Q4_K_XL) are taken as the plain mix of
/// these bits.
std::string format_word(const std::string& quant, const std::string& engine);

/// The format in which a server holds a model whose precision a table calls "fp8", "fp4" or "NVFP4":
/// checkpoints whose published form is the low precision are taken as published.
std::string served_format(const Architecture& model, const std::string& precision);

/// The first size with a unit in a text, "134MB", "512 MiB"; nothing: none.
std::optional<Bytes> size_in(std::string_view text);
/// "m=1024 n=2145 k=1024" or "1792x16128x3072" in a text; nothing: none.
std::optional<GemmShape> shape_in(std::string_view text);
/// The collective that a text names ("nccl-tests all_gather"); nothing: none.
std::optional<Collective> collective_in(std::string_view text);
/// "conc 16" or a bare number: open requests; nothing: none stated.
std::optional<double> concurrency_in(std::string_view text);

}  // namespace roofplan::model
