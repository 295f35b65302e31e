#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/files/gguf.hpp"

namespace roofplan::model {

/// The architecture of a GGUF model. Widths, experts, biases and norms are read off the tensors of each
/// layer, so that layers may differ and unknown families are understood as far as their parts are known;
/// heads, windows, latent ranks and experts per token come from the metadata (keys: src/llama-arch.cpp of
/// ggml-org/llama.cpp). `native` names the most frequent format of each class: for exact bytes take the
/// inventory. `assumptions` tells what had to be assumed, and by how many parameters the files and the
/// architecture as understood differ.
/// Throws InputError (content) for what is no language model (projectors, adapters), for parts that are not
/// modelled (RWKV, encoder-decoder, hyper-connections), for keys that are missing and tensors that contradict
/// them.
Architecture gguf_architecture(const GgufModel& model);

}  // namespace roofplan::model
