#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/model_names.hpp"
#include "model/catalog/sources.hpp"
#include "model/hardware/figure.hpp"
#include "model/llm/architecture.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

class JsonReader;

/// What the catalogue says about a model beside its shape.
struct ModelEntry {
  std::string id;
  std::string name;
  std::string family;
  std::vector<std::string> hf_names;
  std::vector<std::string> aliases;   ///< further names of the same shape
  std::vector<std::string> releases;  ///< ids of releases that differ in a few keys at most
  std::vector<std::string> sources;   ///< ids in data/sources.json
  std::string notes;
  Figure<double> published_params;  ///< what the published files count, where a total was found
};

/// The models of data/models. Names are indexed at once; a model's config is read when it is asked for.
class ModelCatalog {
 public:
  /// Throws InputError (content) for a malformed entry or a name that means two models. `files` must outlive
  /// the catalogue.
  explicit ModelCatalog(const DataFiles& files);

  /// The model of that id, alias or Hugging Face name; letter case, punctuation, the owner's name and words
  /// such as Instruct do not count. A format at the end of the name ("-FP8") that no release of that name
  /// has makes the native format, and is named in `assumptions`. Throws InputError (usage) with the nearest
  /// names.
  Architecture find(std::string_view name) const;
  /// True where `find` would succeed.
  bool contains(std::string_view name) const { return names_.find(name).has_value(); }
  /// The entry behind a name, its figures checked against `sources`. Throws as `find`, and InputError
  /// (content) for a source that is not there.
  ModelEntry entry(std::string_view name, const Sources& sources) const;

  /// Ids of all entries, ordered.
  std::vector<std::string> ids() const;
  /// Ids of all entries and of their releases, ordered.
  std::vector<std::string> all_ids() const;

 private:
  struct Item {
    std::string path;
    std::string id;
    std::vector<std::string> releases;
  };
  void index(const std::string& path, const JsonReader& entry);
  ModelNames::Match match(std::string_view name) const;

  const DataFiles* files_;
  std::vector<Item> items_;
  std::vector<std::string> shown_names_;  ///< ids and aliases, for the nearest ones
  ModelNames names_;
};

}  // namespace roofplan::model
