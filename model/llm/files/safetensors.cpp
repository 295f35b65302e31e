#include "model/llm/files/safetensors.hpp"

#include "model/json/json.hpp"
#include "model/llm/files/bounded_reader.hpp"
#include "model/llm/files/packed_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace roofplan::model {
namespace {

constexpr std::uint64_t kLongestHeader = 100'000'000;  // the limit of the reference implementation
constexpr int kDeepestHeader = 8;

struct StoredType {
  std::string_view name;
  std::string_view format;
  std::int64_t bits;
};

// enum Dtype of huggingface/safetensors, safetensors/src/tensor.rs.
constexpr std::array<StoredType, 21> kStoredTypes{{
    {"BOOL", "bool", 8},   {"F4", "fp4", 4},          {"F6_E2M3", "fp6", 6},     {"F6_E3M2", "fp6", 6},
    {"U8", "uint8", 8},    {"I8", "int8", 8},         {"F8_E5M2", "fp8", 8},     {"F8_E4M3", "fp8", 8},
    {"F8_E8M0", "fp8", 8}, {"F8_E4M3FNUZ", "fp8", 8}, {"F8_E5M2FNUZ", "fp8", 8}, {"I16", "int16", 16},
    {"U16", "uint16", 16}, {"F16", "fp16", 16},       {"BF16", "bf16", 16},      {"I32", "int32", 32},
    {"U32", "uint32", 32}, {"F32", "fp32", 32},       {"F64", "fp64", 64},       {"I64", "int64", 64},
    {"U64", "uint64", 64},
}};

const StoredType& stored_type(const JsonReader& value) {
  const std::string name = value.as_string();
  for (const StoredType& type : kStoredTypes) {
    if (type.name == name) return type;
  }
  std::vector<std::string> names;
  for (const StoredType& type : kStoredTypes) names.emplace_back(type.name);
  value.fail(fmt::format("the type {} is unknown", printable(name)), "a type of the safetensors format",
             nearest_names(name, names));
}

struct Ranged {
  TensorEntry tensor;
  std::int64_t begin = 0, end = 0;
};

Ranged read_entry(const std::string& name, const JsonReader& entry) {
  Ranged out;
  out.tensor.name = name;
  const StoredType& type = stored_type(entry.at("dtype"));
  out.tensor.stored = type.name;
  out.tensor.format = type.format;
  std::int64_t elements = 1;
  const JsonReader shape = entry.at("shape");
  for (const JsonReader& n : shape.elements()) {
    out.tensor.shape.push_back(n.as_integer(0));
    elements = checked_mul(elements, out.tensor.shape.back());
  }
  out.tensor.parameters = elements;
  const JsonReader offsets = entry.at("data_offsets");
  const std::vector<JsonReader> range = offsets.elements();
  if (range.size() != 2) offsets.fail("a byte range has a begin and an end", "two numbers");
  out.begin = range[0].as_integer(0);
  out.end = range[1].as_integer(out.begin);
  const std::int64_t bits = checked_mul(elements, type.bits);
  if (bits % 8 != 0)
    shape.fail(fmt::format("{} elements of {} bits are no whole bytes", elements, type.bits));
  if (out.end - out.begin != bits / 8) {
    offsets.fail(
        fmt::format("the range holds {} bytes, shape and type ask for {}", out.end - out.begin, bits / 8));
  }
  out.tensor.bytes = ByteCount(bits / 8);
  return out;
}

std::vector<Ranged> read_entries(const std::string& text, const std::string& path) {
  const Json document = parse_json(text, path, {.max_bytes = kLongestHeader, .max_depth = kDeepestHeader});
  const JsonReader root(document, path);
  std::vector<Ranged> entries;
  for (const auto& [name, entry] : root.members()) {
    if (name == "__metadata__") continue;
    try {
      entries.push_back(read_entry(name, entry));
    } catch (const InputError& error) {
      throw error.at(entry.where());
    }
  }
  return entries;
}

[[noreturn]] void refuse(const std::string& file, std::string message, std::string expected = {}) {
  throw InputError(InputError::Kind::content, std::move(message), std::move(expected), {file, {}, 0});
}

}  // namespace

SafetensorsHeader read_safetensors_header(const std::string& path) {
  BoundedReader in(path);
  const std::uint64_t length = in.u64("the length of the header");
  const std::string text = in.text(length, kLongestHeader, "the header");
  if (text.empty() || text.front() != '{')
    in.fail("this is no safetensors file", "a header that begins with {");
  std::vector<Ranged> entries = read_entries(text, path);
  std::stable_sort(entries.begin(), entries.end(), [](const Ranged& a, const Ranged& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  SafetensorsHeader header;
  header.file_bytes = ByteCount(static_cast<std::int64_t>(in.size()));
  header.tensors.reserve(entries.size());
  std::int64_t due = 0;
  for (Ranged& entry : entries) {
    if (entry.begin != due) {
      in.fail(
          fmt::format("the data of the tensor {} begins at {}, where {} was due after the tensor before it",
                      printable(entry.tensor.name), entry.begin, due),
          "ranges end to end");
    }
    due = entry.end;
    header.tensors.push_back(std::move(entry.tensor));
  }
  if (static_cast<std::uint64_t>(due) != in.remaining()) {
    in.fail(fmt::format("the header speaks of {} bytes of data, the file has {}", due, in.remaining()),
            "a whole file (is the download complete?)");
  }
  return header;
}

TensorInventory read_safetensors(const std::vector<std::string>& paths, const QuantConfig& config,
                                 std::optional<std::int64_t> layers) {
  TensorInventory inventory;
  std::unordered_set<std::string> names;
  for (const std::string& path : paths) {
    SafetensorsHeader header = read_safetensors_header(path);
    inventory.files.push_back(path);
    inventory.file_bytes += header.file_bytes;
    for (TensorEntry& tensor : header.tensors) {
      if (!names.insert(tensor.name).second) {
        refuse(path, fmt::format("the tensor {} stands in two files", printable(tensor.name)));
      }
      inventory.tensors.push_back(std::move(tensor));
    }
  }
  const std::string place = paths.empty() ? std::string() : paths.front();
  unpack_weights(inventory.tensors, config, place);
  try {
    finish_inventory(inventory, layers);
  } catch (const InputError& error) {
    throw error.at({place, {}, 0});
  }
  return inventory;
}

}  // namespace roofplan::model
