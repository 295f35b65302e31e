#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace roofplan::test {

/// One broken or hostile input.
struct HostileFile {
  enum class Kind { gguf, safetensors, index, config, hf_quant_config };

  Kind kind = Kind::gguf;
  std::string name;          ///< how it came about
  std::string bytes;         ///< what the file begins with
  std::uint64_t length = 0;  ///< of the file, a hole behind `bytes`
};

/// Well-formed files of each kind, damaged in every way below, and structures made by hand: the same ones
/// on every machine. Truncations, flipped bits, integers that lie, parts cut out and doubled.
std::vector<HostileFile> hostile_corpus();

}  // namespace roofplan::test
