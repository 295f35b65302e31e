#include "model/catalog/catalog.hpp"

#include "model/catalog/engine_catalog.hpp"
#include "model/catalog/exchange_catalog.hpp"
#include "model/catalog/format_catalog.hpp"
#include "model/catalog/phase_power_catalog.hpp"
#include "model/catalog/reliability_catalog.hpp"

#include <utility>

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

const LinkCatalog& Catalog::links() const {
  if (!links_) links_.emplace(files_, sources());
  return *links_;
}

const NetworkCatalog& Catalog::network() const {
  if (!network_) network_.emplace(files_, sources());
  return *network_;
}

const PhasePower& Catalog::phase_power() const {
  if (!phase_power_) phase_power_.emplace(load_phase_power(files_, sources()));
  return *phase_power_;
}

const FailureRates& Catalog::failure_rates() const {
  if (!failure_rates_) failure_rates_.emplace(load_failure_rates(files_, sources()));
  return *failure_rates_;
}

const PriceCatalog& Catalog::prices() const {
  if (!prices_) prices_.emplace(files_, sources());
  return *prices_;
}

const std::vector<ExchangeRate>& Catalog::exchange_rates() const {
  if (!exchange_rates_) exchange_rates_.emplace(load_exchange_rates(files_, sources()));
  return *exchange_rates_;
}

void Catalog::add_prices(std::vector<Price> quotations) {
  prices();
  prices_->quote(std::move(quotations));
}

void Catalog::load_all() const {
  sources();
  systems();
  models();
  formats();
  engines();
  sites();
  links();
  network();
  phase_power();
  failure_rates();
  prices();
  exchange_rates();
}

}  // namespace roofplan::model
