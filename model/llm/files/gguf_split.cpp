#include "model/llm/files/bounded_reader.hpp"
#include "model/llm/files/gguf.hpp"
#include "model/llm/files/gguf_types.hpp"
#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace roofplan::model {
namespace {

struct PartName {
  std::string stem;  ///< everything before "-00001-of-00004.gguf"
  std::int64_t count = 0;

  std::string of(std::int64_t number) const {
    return fmt::format("{}-{:05}-of-{:05}.gguf", stem, number, count);
  }
};

std::optional<PartName> part_name(const std::string& path) {
  constexpr std::string_view kModel = "-00000-of-00000.gguf";
  if (path.size() <= kModel.size()) return std::nullopt;
  const std::string_view tail = std::string_view(path).substr(path.size() - kModel.size());
  for (std::size_t i = 0; i < kModel.size(); ++i) {
    const bool matches =
        kModel[i] == '0' ? std::isdigit(static_cast<unsigned char>(tail[i])) != 0 : tail[i] == kModel[i];
    if (!matches) return std::nullopt;
  }
  return PartName{path.substr(0, path.size() - kModel.size()), std::stoll(std::string(tail.substr(10, 5)))};
}

[[noreturn]] void refuse(const std::string& file, std::string message, std::string expected = {}) {
  throw InputError(InputError::Kind::content, std::move(message), std::move(expected), {file, {}, 0});
}

std::vector<std::string> part_paths(const std::string& path, const GgufMetadata& metadata) {
  const std::int64_t count = metadata.integer("split.count").value_or(1);
  if (count <= 1) return {path};
  const std::optional<PartName> name = part_name(path);
  if (!name || name->count != count) {
    refuse(path, fmt::format("this is one of {} parts, but its name does not say so", count),
           fmt::format("a name that ends in -00001-of-{:05}.gguf", count));
  }
  std::vector<std::string> out;
  for (std::int64_t i = 1; i <= count; ++i) out.push_back(name->of(i));
  return out;
}

/// Constants, and the scales that stand beside NVFP4 matrices, are bytes but no parameters.
void set_roles(std::vector<TensorEntry>& tensors) {
  std::unordered_map<std::string_view, const TensorEntry*> by_name;
  for (const TensorEntry& tensor : tensors) by_name.emplace(tensor.name, &tensor);
  for (TensorEntry& tensor : tensors) {
    const std::string_view name = tensor.name;
    if (name.find("rope_freqs") != name.npos || name.find("rope_factors") != name.npos) {
      tensor.role = StoredRole::constants;
    } else if (name.ends_with(".scale") || name.ends_with(".input_scale")) {
      const auto weight = by_name.find(std::string(name.substr(0, name.rfind('.'))) + ".weight");
      if (weight == by_name.end() || weight->second->stored != "NVFP4") continue;
      tensor.role = StoredRole::scales;
      tensor.format = weight->second->format;
    }
    if (tensor.role != StoredRole::weights) tensor.parameters = 0;
  }
}

void check_part(const std::string& file, const GgufMetadata& part, std::int64_t number, std::size_t count) {
  if (part.integer("split.count").value_or(1) != static_cast<std::int64_t>(count)) {
    refuse(file, "this part belongs to a model split otherwise", fmt::format("one of {} parts", count));
  }
  const std::int64_t stated = part.integer("split.no").value_or(0);
  if (stated != number)
    refuse(file, fmt::format("this part says it is part {}", stated + 1), fmt::format("part {}", number + 1));
}

std::optional<std::int64_t> text_layers(const GgufMetadata& metadata) {
  const std::string arch = metadata.text("general.architecture").value_or("");
  const auto blocks = metadata.integer(arch + ".block_count");
  if (!blocks) return std::nullopt;
  return *blocks - metadata.integer(arch + ".nextn_predict_layers").value_or(0);
}

}  // namespace

GgufModel read_gguf(const std::string& path) {
  GgufModel model;
  std::optional<GgufHeader> first = read_gguf_header(path);
  const std::vector<std::string> paths = part_paths(path, first->metadata);
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    GgufHeader part =
        first && paths[i] == path ? *std::exchange(first, std::nullopt) : read_gguf_header(paths[i]);
    if (paths.size() > 1) check_part(paths[i], part.metadata, static_cast<std::int64_t>(i), paths.size());
    model.inventory.files.push_back(paths[i]);
    model.inventory.file_bytes += ByteCount(static_cast<std::int64_t>(part.file_bytes));
    for (TensorEntry& tensor : part.tensors) {
      if (!names.insert(tensor.name).second) {
        refuse(paths[i], fmt::format("the tensor {} stands in two parts", printable(tensor.name)));
      }
      model.inventory.tensors.push_back(std::move(tensor));
    }
    if (i == 0) model.metadata = std::move(part.metadata);
  }
  const auto promised = model.metadata.integer("split.tensors.count");
  const auto found = static_cast<std::int64_t>(model.inventory.tensors.size());
  if (promised && *promised != found) {
    refuse(path, fmt::format("the parts hold {} tensors", found),
           fmt::format("{} as the first part says", *promised));
  }
  set_roles(model.inventory.tensors);
  finish_inventory(model.inventory, text_layers(model.metadata));
  return model;
}

}  // namespace roofplan::model
