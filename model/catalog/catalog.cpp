#include "model/catalog/catalog.hpp"

#include "model/catalog/engine_catalog.hpp"
#include "model/catalog/format_catalog.hpp"

namespace roofplan::model {

const Sources& Catalog::sources() const {
  if (!sources_) sources_.emplace(files_);
  return *sources_;
}

const SystemCatalog& Catalog::systems() const {
  if (!systems_) systems_.emplace(files_);
  return *systems_;
}

const ModelCatalog& Catalog::models() const {
  if (!models_) models_.emplace(files_);
  return *models_;
}

const FormatTable& Catalog::formats() const {
  if (!formats_) formats_.emplace(load_formats(files_, sources()));
  return *formats_;
}

const EngineTable& Catalog::engines() const {
  if (!engines_) engines_.emplace(load_engines(files_, sources()));
  return *engines_;
}

const SiteCatalog& Catalog::sites() const {
  if (!sites_) sites_.emplace(files_);
  return *sites_;
}

void Catalog::load_all() const {
  sources();
  systems();
  models();
  formats();
  engines();
  sites();
}

}  // namespace roofplan::model
