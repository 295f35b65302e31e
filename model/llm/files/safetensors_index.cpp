#include "model/json/json.hpp"
#include "model/llm/files/bounded_reader.hpp"
#include "model/llm/files/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_set>

namespace roofplan::model {
namespace {

namespace fs = std::filesystem;

struct Index {
  std::map<std::string, std::unordered_set<std::string>> tensors;  ///< by file
  std::optional<std::int64_t> total_bytes;
};

Index read_index(const std::string& path) {
  const Json document = parse_json(read_text_file(path), path);
  const JsonReader root(document, path);
  Index index;
  for (const auto& [name, file] : root.at("weight_map").members()) {
    const std::string target = file.as_string();
    if (target.empty() || target.front() == '.' || target.find('/') != std::string::npos ||
        target.find('\\') != std::string::npos || target.find('\0') != std::string::npos) {
      file.fail(fmt::format("\"{}\" is no name of a file beside the index", printable(target)),
                "a plain file name");
    }
    if (!target.ends_with(".safetensors")) {
      file.fail(fmt::format("\"{}\" is no safetensors file", printable(target)),
                "a name that ends in .safetensors");
    }
    index.tensors[target].insert(name);
  }
  const auto metadata = root.find("metadata");
  const auto total = metadata && metadata->is_object() ? metadata->find("total_size") : std::nullopt;
  if (total && total->is_number()) index.total_bytes = total->as_integer(0);
  return index;
}

TensorInventory total_alone(const std::string& path, const Index& index) {
  if (!index.total_bytes) {
    throw InputError(InputError::Kind::missing,
                     "none of the index's files is here, and it states no total size",
                     "the safetensors files beside it", {path, {}, 0});
  }
  TensorInventory inventory;
  inventory.sizes_only = true;
  inventory.file_bytes = ByteCount(*index.total_bytes);
  inventory.remarks.push_back(fmt::format(
      "none of the {} files of {} is here: the total size is the index's word", index.tensors.size(), path));
  return inventory;
}

/// Refuses what the index promises in vain, and remarks where it and its files differ.
void hold_against_index(TensorInventory& inventory, const Index& index, const std::string& path) {
  std::unordered_set<std::string> promised, found;
  for (const auto& [file, names] : index.tensors) promised.insert(names.begin(), names.end());
  for (const TensorEntry& tensor : inventory.tensors) found.insert(tensor.name);
  for (const std::string& name : promised) {
    if (found.contains(name)) continue;
    throw InputError(InputError::Kind::content,
                     fmt::format("the tensor {} is in the index, but in none of its files", printable(name)),
                     {}, {path, {}, 0});
  }
  const std::size_t extra = found.size() - promised.size();
  if (extra > 0) {
    inventory.remarks.push_back(
        fmt::format("the files hold {} tensors that the index does not load; they are counted", extra));
  }
  if (index.total_bytes && ByteCount(*index.total_bytes) != inventory.total.bytes) {
    inventory.remarks.push_back(
        fmt::format("the index states {} bytes in total, its files hold {}: the files are right",
                    *index.total_bytes, inventory.total.bytes.count()));
  }
}

}  // namespace

TensorInventory read_safetensors_index(const std::string& path, const QuantConfig& config,
                                       std::optional<std::int64_t> layers) {
  const Index index = read_index(path);
  std::vector<std::string> here, absent;
  for (const auto& [file, names] : index.tensors) {
    const std::string beside = (fs::path(path).parent_path() / file).string();
    std::error_code error;
    (fs::exists(beside, error) ? here : absent).push_back(beside);
  }
  if (here.empty()) return total_alone(path, index);
  if (!absent.empty()) {
    throw InputError(InputError::Kind::missing,
                     fmt::format("{} of the {} files of the index are not here, the first is {}",
                                 absent.size(), index.tensors.size(), absent.front()),
                     "all of them (or none, for the total size alone)", {path, {}, 0});
  }
  TensorInventory inventory = read_safetensors(here, config, layers);
  hold_against_index(inventory, index, path);
  return inventory;
}

}  // namespace roofplan::model
