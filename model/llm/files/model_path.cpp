#include "model/llm/files/model_path.hpp"

#include "model/json/json.hpp"
#include "model/llm/files/bounded_reader.hpp"
#include "model/llm/files/gguf_architecture.hpp"
#include "model/llm/files/quant_config.hpp"
#include "model/llm/files/safetensors.hpp"
#include "model/llm/files/side_modules.hpp"
#include "model/llm/files/stored_weights.hpp"
#include "model/llm/hf_config.hpp"
#include "model/llm/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace roofplan::model {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndexEnding = ".safetensors.index.json";
constexpr std::string_view kPartOf = "-of-";
/// Share of the parameters that files of a whole model hold at least; some leave out small vectors.
constexpr double kWhole = 0.99;

[[noreturn]] void refuse(InputError::Kind kind, const fs::path& path, std::string message,
                         std::string expected) {
  throw InputError(kind, std::move(message), std::move(expected), {path.string(), {}, 0});
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> out;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    out.push_back(it->path());
  if (error) refuse(InputError::Kind::missing, folder, "the folder cannot be read: " + error.message(), {});
  std::sort(out.begin(), out.end());
  return out;
}

bool ends_with(const fs::path& path, std::string_view ending) {
  return path.filename().string().ends_with(ending);
}
bool starts_with(const fs::path& path, std::string_view start) {
  return path.filename().string().starts_with(start);
}

bool is_projector(const fs::path& path) {
  return ends_with(path, ".gguf") && path.filename().string().find("mmproj") != std::string::npos;
}

/// Servers load a projector of the files beside the model with it: the largest where there are several.
void add_projector(ModelFile& out, const fs::path& model) {
  TensorTotal largest;
  std::string name;
  for (const fs::path& beside : files_in(model.parent_path().empty() ? "." : model.parent_path())) {
    if (!is_projector(beside) || beside == model) continue;
    try {
      const TensorTotal total = read_gguf(beside.string()).inventory.total;
      if (total.bytes <= largest.bytes) continue;
      largest = total;
      name = beside.filename().string();
    } catch (const InputError& error) {
      out.notes.push_back(fmt::format("the projector {} beside the model is not counted: {}",
                                      beside.filename().string(), error.message()));
    }
  }
  if (name.empty()) return;
  out.architecture.side.vision_params += largest.parameters;
  out.architecture.stored->vision += largest.bytes;
  out.notes.push_back(
      fmt::format("the projector {} beside the model is counted as its vision part, {} bytes; "
                  "what it computes with while it reads an image is not",
                  name, largest.bytes.count()));
}

ModelFile load_gguf(const fs::path& path) {
  GgufModel file = read_gguf(path.string());
  ModelFile out;
  out.architecture = gguf_architecture(file);
  out.architecture.stored = stored_weights(out.architecture, file.inventory);
  out.notes = file.inventory.remarks;
  out.inventory = std::move(file.inventory);
  add_projector(out, path);
  return out;
}

/// A Hugging Face folder, or the part of it that the user named.
class Checkpoint {
 public:
  Checkpoint(const fs::path& folder, bool assume)
      : folder_(folder.empty() ? fs::path(".") : folder), assume_(assume) {}

  ModelFile load_config(const fs::path& config) {
    const std::string text = read_text_file(config.string());
    quantisation_ = parse_quant_config(text, config.string());
    ImportOptions options;
    options.assume = assume_;
    const fs::path sidecar = sidecar_of(config);
    std::string sidecar_text;
    if (is_there(sidecar)) {
      sidecar_text = read_text_file(sidecar.string());
      add_hf_quant_config(quantisation_, sidecar_text, sidecar.string());
      options.hf_quant_config = sidecar_text;
      options.hf_quant_config_file = sidecar.string();
    }
    ModelFile out;
    out.architecture = import_hf_config(text, config.string(), options);
    return out;
  }

  /// The config with all weights of the folder, or with one file that is no part of several.
  ModelFile load(const std::optional<fs::path>& single = std::nullopt) {
    const fs::path config = folder_ / "config.json";
    if (!is_there(config)) {
      refuse(InputError::Kind::missing, folder_, "there is no config.json beside the weights",
             "a config.json that tells the architecture");
    }
    ModelFile out = load_config(config);
    std::vector<fs::path> indices, weights;
    for (const fs::path& file : files_in(folder_)) {
      if (ends_with(file, kIndexEnding)) indices.push_back(file);
      if (ends_with(file, ".safetensors") && !starts_with(file, "adapter")) weights.push_back(file);
    }
    const std::optional<std::int64_t> layers = out.architecture.layers();
    if (single) {
      out.inventory = read_safetensors({single->string()}, quantisation_, layers);
    } else if (!indices.empty()) {
      const auto main = std::find(indices.begin(), indices.end(), folder_ / "model.safetensors.index.json");
      out.inventory = read_safetensors_index((main == indices.end() ? indices.front() : *main).string(),
                                             quantisation_, layers);
    } else if (!weights.empty()) {
      out.inventory = read_safetensors(names_of(weights), quantisation_, layers);
    }
    settle(out);
    return out;
  }

 private:
  fs::path sidecar_of(const fs::path& config) const {
    if (config.filename() == "config.json") return folder_ / "hf_quant_config.json";
    return folder_ / (config.stem().string() + ".hf_quant_config.json");
  }

  /// Mistral's releases hold the weights twice: once as "consolidated", once as "model". Parts must be
  /// complete.
  static std::vector<std::string> names_of(std::vector<fs::path> weights) {
    const auto is_second = [](const fs::path& file) { return starts_with(file, "consolidated"); };
    if (!std::all_of(weights.begin(), weights.end(), is_second)) std::erase_if(weights, is_second);
    std::vector<std::string> out;
    for (const fs::path& file : weights) out.push_back(file.string());
    for (const fs::path& file : weights) {
      const std::string name = file.filename().string();
      const std::size_t of = name.rfind(kPartOf);
      if (of == std::string::npos) continue;
      const std::string tail = name.substr(of);
      const auto parts = std::count_if(out.begin(), out.end(),
                                       [&](const std::string& path) { return path.ends_with(tail); });
      if (tail == fmt::format("{}{:05}.safetensors", kPartOf, parts)) continue;
      refuse(InputError::Kind::missing, file, fmt::format("{} parts of the model are here", parts),
             "all of them");
    }
    return out;
  }

  static void settle(ModelFile& out) {
    if (!out.inventory) return;
    out.notes = out.inventory->remarks;
    if (!out.inventory->sizes_only && !check_parts(out)) return;
    out.architecture.stored = stored_weights(out.architecture, *out.inventory);
  }

  /// False where the files hold too little to be the whole model: their size is then no size of it.
  static bool check_parts(ModelFile& out) {
    set_side_modules(out.architecture.side, *out.inventory);
    const std::string difference = parameter_difference(out.architecture, *out.inventory);
    if (!difference.empty()) out.notes.push_back(difference);
    const auto held = static_cast<double>(out.inventory->of(ModelPart::text).parameters);
    if (held >= kWhole * static_cast<double>(count_parameters(out.architecture).total)) return true;
    out.notes.push_back("the files are not the whole model: weights are computed from the architecture");
    return false;
  }

  fs::path folder_;
  bool assume_;
  QuantConfig quantisation_;
};

/// The one GGUF model of a folder: parts of one model count once, projectors not at all.
fs::path only_gguf_in(const fs::path& folder) {
  std::vector<fs::path> models;
  for (const fs::path& file : files_in(folder)) {
    const std::string name = file.filename().string();
    const bool later_part =
        name.find("-of-") != std::string::npos && name.find("-00001-of-") == std::string::npos;
    if (name.ends_with(".gguf") && !name.starts_with("mmproj") && !later_part) models.push_back(file);
  }
  if (models.empty()) {
    refuse(InputError::Kind::missing, folder, "the folder holds neither a config.json nor a GGUF model",
           "a Hugging Face model or a .gguf file");
  }
  if (models.size() > 1) {
    refuse(InputError::Kind::content, folder, fmt::format("the folder holds {} GGUF models", models.size()),
           fmt::format("one of them by its name, such as {}", models.front().string()));
  }
  return models.front();
}

bool is_gguf(const fs::path& path) {
  if (ends_with(path, ".gguf")) return true;
  // Stores that name files by their hash give no ending.
  BoundedReader in(path.string());
  return in.size() >= 4 && in.u32("the magic number") == 0x46554747;
}

ModelFile load_any(const fs::path& path, bool assume) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return is_there(path / "config.json") ? Checkpoint(path, assume).load() : load_gguf(only_gguf_in(path));
  }
  if (!is_there(path)) {
    refuse(InputError::Kind::missing, path, "there is no such file or folder",
           "a config.json, a folder with one, a .safetensors or a .gguf file");
  }
  if (ends_with(path, ".safetensors") || ends_with(path, kIndexEnding))
    return Checkpoint(path.parent_path(), assume).load();
  if (ends_with(path, ".json")) return Checkpoint(path.parent_path(), assume).load_config(path);
  if (is_gguf(path)) return load_gguf(path);
  refuse(InputError::Kind::content, path, "this is no model file that is known here",
         "a config.json, a folder with one, a .safetensors or a .gguf file");
}

}  // namespace

bool is_model_path(std::string_view reference) {
  static constexpr std::array<std::string_view, 3> kEndings{".json", ".gguf", ".safetensors"};
  static constexpr std::array<std::string_view, 3> kStarts{"/", "./", "../"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return reference.ends_with(ending); }) ||
         std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view start) { return reference.starts_with(start); }) ||
         (!reference.empty() && is_there(fs::path(reference)));
}

ModelFile load_model_path(const std::string& path, bool assume) {
  ModelFile out = load_any(path, assume);
  out.architecture.id = path;
  return out;
}

}  // namespace roofplan::model
