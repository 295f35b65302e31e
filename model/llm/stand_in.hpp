#pragma once

#include "model/llm/architecture.hpp"

#include <string_view>

namespace roofplan::model {

/// True for "dense:70B" and "moe:120B-a5B", whatever stands behind the colon.
bool is_stand_in_name(std::string_view name);

/// A shape for a size alone: "dense:70B", or "moe:120B-a5B" with the parameters active per token behind "a";
/// sizes with K, M, B or T for 1e3 to 1e12. Total parameters are exact; active ones within a few percent, and
/// `assumptions` names the shape. Proportions of the Llama 3 and Qwen 3 families (heads of 128, eight KV
/// heads, gated feed-forward, vocabulary 128,256; as many layers as hidden / 102.4): a real model of that
/// size differs most in its KV cache. Throws InputError (usage) for a malformed size, for less than 500 M or
/// more than 100 T parameters, and for active parameters that no such model has.
Architecture stand_in_model(std::string_view name);

}  // namespace roofplan::model
