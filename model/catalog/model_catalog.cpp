#include "model/catalog/model_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"
#include "model/llm/hf_config.hpp"
#include "model/units/byte_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace roofplan::model {
namespace {

std::vector<std::string> strings(const JsonReader& entry, std::string_view key) {
  std::vector<std::string> out;
  if (const auto list = entry.find(key))
    for (const JsonReader& e : list->elements()) out.push_back(e.as_string());
  return out;
}

std::vector<JsonReader> releases_of(const JsonReader& entry) {
  const auto list = entry.find("releases");
  return list ? list->elements() : std::vector<JsonReader>{};
}

std::string text_or_empty(const JsonReader& entry, std::string_view key) {
  const auto text = entry.find(key);
  return text ? text->as_string() : std::string{};
}

/// The quantization_config that a word at the end of a name stands for; null where it says too little.
Json config_of_word(const std::string& word) {
  if (word == "fp8") return {{"quant_method", "modelopt"}, {"quant_algo", "FP8"}};
  if (word == "nvfp4" || word == "fp4") return {{"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}};
  if (word == "mxfp4") return {{"quant_method", "mxfp4"}};
  if (word == "awq" || word == "gptq") return {{"quant_method", word}, {"bits", 4}};
  if (word == "nf4") return {{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}};
  return nullptr;
}

/// How the published files differ from what the config tells.
void apply_files(const JsonReader& entry, Architecture& model) {
  const auto files = entry.find("files");
  if (!files) return;
  if (const auto copies = files->find("copies_of_embedding"))
    model.side.duplicate_params =
        checked_mul(checked_mul(copies->as_integer(0, 8), model.vocab), model.hidden);
  if (const auto counted = files->find("scales_counted"); counted && !counted->as_bool())
    model.side.scale_params = 0;
  files->finish();
}

ModelEntry read_entry(const JsonReader& entry, const Sources& sources) {
  ModelEntry out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  out.family = entry.at("family").as_string();
  out.hf_names = strings(entry, "hf_names");
  out.aliases = strings(entry, "aliases");
  out.notes = text_or_empty(entry, "notes");
  for (const JsonReader& id : entry.at("sources").elements()) {
    if (!sources.contains(id.as_string()))
      id.fail(fmt::format("unknown source \"{}\"", id.as_string()), "an id of sources.json",
              nearest_names(id.as_string(), sources.ids()));
    out.sources.push_back(id.as_string());
  }
  for (const JsonReader& release : releases_of(entry)) {
    out.releases.push_back(release.at("id").as_string());
    for (const auto key : {"hf", "aliases", "config", "notes"}) release.ignore(key);
    release.finish();
  }
  if (const auto published = entry.find("published")) {
    out.published_params = read_number_figure(published->at("checkpoint_params"), sources, "parameters");
    published->finish();
  }
  for (const auto key : {"config", "files"}) entry.ignore(key);
  entry.finish();
  return out;
}

}  // namespace

ModelCatalog::ModelCatalog(const DataFiles& files) : files_(&files) {
  struct Parsed {
    std::string path;
    Json document;
  };
  std::map<std::string, Parsed> by_id;  // a file of the overlay wins over a compiled-in one
  for (const std::string& path : files.in_folder("models")) {
    Json document = parse_json(files.text(path), files.shown_path(path));
    const std::string id = JsonReader(document, files.shown_path(path)).at("id").as_string();
    if (!by_id.contains(id) || files.from_overlay(path)) by_id[id] = {path, std::move(document)};
  }
  for (const auto& [id, parsed] : by_id)
    index(parsed.path, JsonReader(parsed.document, files.shown_path(parsed.path)));
}

void ModelCatalog::index(const std::string& path, const JsonReader& entry) {
  const std::size_t here = items_.size();
  Item item{path, entry.at("id").as_string(), {}};
  const auto add = [&](const std::string& name, int release, const JsonReader& at) {
    shown_names_.push_back(name);
    if (!names_.add(name, {here, release}))
      at.fail(fmt::format("the name \"{}\" already means another model", name), "a name of its own");
    const auto slash = name.rfind('/');
    if (slash != std::string::npos) names_.add(name.substr(slash + 1), {here, release});
  };
  add(item.id, -1, entry);
  for (const auto key : {"hf_names", "aliases"})
    for (const std::string& name : strings(entry, key)) add(name, -1, entry);
  int number = 0;
  for (const JsonReader& release : releases_of(entry)) {
    item.releases.push_back(release.at("id").as_string());
    add(item.releases.back(), number, release);
    if (release.has("hf")) add(release.at("hf").as_string(), number, release);
    for (const std::string& name : strings(release, "aliases")) add(name, number, release);
    ++number;
  }
  items_.push_back(std::move(item));
}

ModelNames::Match ModelCatalog::match(std::string_view name) const {
  const auto found = names_.find(name);
  if (found) return *found;
  throw InputError(InputError::Kind::usage, fmt::format("unknown model \"{}\"", name),
                   "an id or a Hugging Face name of the catalogue, a path, or a size such as dense:70B", {},
                   nearest_names(name, shown_names_));
}

Architecture ModelCatalog::find(std::string_view name) const {
  const ModelNames::Match found = match(name);
  const Item& item = items_[found.target.entry];
  const std::string file = files_->shown_path(item.path);
  const Json document = parse_json(files_->text(item.path), file);
  const JsonReader entry(document, file);
  Json config = entry.at("config").value();
  std::string id = item.id, hf_name;
  if (const auto names = strings(entry, "hf_names"); !names.empty()) hf_name = names.front();
  if (found.target.release >= 0) {
    const JsonReader release = releases_of(entry)[static_cast<std::size_t>(found.target.release)];
    id = release.at("id").as_string();
    hf_name = text_or_empty(release, "hf");
    if (const auto changes = release.find("config"))
      for (const auto& [key, change] : changes->members()) config[key] = change.value();
  }
  const Json by_word = found.format_word.empty() ? Json() : config_of_word(found.format_word);
  if (!by_word.is_null()) config["quantization_config"] = by_word;
  ImportOptions options;
  options.pointer = "/config";
  Architecture model = import_hf_config(config.dump(), file, options);
  apply_files(entry, model);
  model.id = std::move(id);
  model.hf_name = std::move(hf_name);
  if (!by_word.is_null())
    model.assumptions.push_back(fmt::format("\"{}\" in the name is taken as the format of the weights of {}",
                                            found.format_word, model.id));
  if (!found.format_word.empty() && by_word.is_null())
    model.assumptions.push_back(fmt::format(
        "\"{}\" in the name names no single format and is not applied: choose the format of the weights",
        found.format_word));
  return model;
}

ModelEntry ModelCatalog::entry(std::string_view name, const Sources& sources) const {
  const Item& item = items_[match(name).target.entry];
  const std::string file = files_->shown_path(item.path);
  const Json document = parse_json(files_->text(item.path), file);
  return read_entry(JsonReader(document, file), sources);
}

std::vector<std::string> ModelCatalog::ids() const {
  std::vector<std::string> out;
  for (const Item& item : items_) out.push_back(item.id);
  return out;
}

std::vector<std::string> ModelCatalog::all_ids() const {
  std::vector<std::string> out = ids();
  for (const Item& item : items_) out.insert(out.end(), item.releases.begin(), item.releases.end());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace roofplan::model
