#include "model/catalog/sources.hpp"

#include "model/json/json.hpp"

#include <fmt/format.h>

#include <array>

namespace roofplan::model {
namespace {

constexpr std::string_view kPath = "sources.json";
constexpr std::array<std::string_view, 5> kTiers{"primary", "transcribed", "vendor-code", "third-party",
                                                 "physics"};

Source read_source(const std::string& id, const JsonReader& entry) {
  Source out;
  const auto text = [&](std::string_view key) {
    const auto member = entry.find(key);
    return member ? member->as_string() : std::string();
  };
  out.id = id;
  out.title = entry.at("title").as_string();
  out.url = text("url");
  out.repo = text("repo");
  out.path = text("path");
  out.commit = text("commit");
  out.unlocated = text("unlocated");
  out.date_read = entry.at("date_read").as_string();
  out.licence = text("licence");
  const std::string tier = entry.at("tier").as_word({kTiers.begin(), kTiers.end()});
  out.tier = static_cast<Source::Tier>(std::find(kTiers.begin(), kTiers.end(), tier) - kTiers.begin());
  entry.finish();

  const int places = !out.url.empty() + !out.repo.empty() + !out.unlocated.empty();
  if (out.repo.empty() != out.path.empty()) entry.fail("a repository without a path, or a path without one");
  if (places != 1)
    entry.fail("a source has one address", "\"url\", or \"repo\" with \"path\", or \"unlocated\"");
  if (out.title.empty()) entry.at("title").fail("the title is empty");
  return out;
}

}  // namespace

std::string_view tier_name(Source::Tier tier) {
  return kTiers[static_cast<std::size_t>(tier)];
}

Sources::Sources(const DataFiles& files) {
  const std::string name(kPath);
  if (const std::string* below = files.replaced_text(kPath)) read(*below, "data/" + name);
  read(files.text(kPath), files.shown_path(kPath));
}

void Sources::read(const std::string& text, const std::string& file) {
  const Json document = parse_json(text, file);
  for (const auto& [id, entry] : JsonReader(document, file).members()) {
    sources_.insert_or_assign(id, read_source(id, entry));
  }
}

const Source& Sources::at(std::string_view id) const {
  const auto it = sources_.find(id);
  if (it == sources_.end()) {
    throw InputError(InputError::Kind::content, fmt::format("unknown source \"{}\"", id),
                     "an id of data/sources.json", {}, nearest_names(id, ids()));
  }
  return it->second;
}

std::vector<std::string> Sources::ids() const {
  std::vector<std::string> out;
  for (const auto& [id, source] : sources_) out.push_back(id);
  return out;
}

}  // namespace roofplan::model
