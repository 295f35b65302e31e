#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/link_catalog.hpp"
#include "model/catalog/model_catalog.hpp"
#include "model/catalog/network_catalog.hpp"
#include "model/catalog/price_catalog.hpp"
#include "model/catalog/site_catalog.hpp"
#include "model/catalog/sources.hpp"
#include "model/catalog/system_catalog.hpp"
#include "model/llm/formats.hpp"
#include "model/memory/engine.hpp"
#include "model/power/phase_power.hpp"
#include "model/reliability/failure_rates.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofplan::model {

/// All that is known, each part read and checked on first use, so that a question pays only for what it
/// needs. Not to be shared between threads before `load_all`. Parts throw InputError (content) when bad.
class Catalog {
 public:
  /// With the folder `overlay` over the compiled-in data; empty means none.
  explicit Catalog(const std::string& overlay = {}) : files_(overlay) {}
  explicit Catalog(DataFiles files) : files_(std::move(files)) {}
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  /// Lays one more file over the data, see DataFiles; before any part is read.
  void lay_over(std::string_view path, std::string text, std::string shown) {
    files_.lay_over(path, std::move(text), std::move(shown));
  }
  const DataFiles& files() const { return files_; }
  const Sources& sources() const;
  const SystemCatalog& systems() const;
  const ModelCatalog& models() const;
  const FormatTable& formats() const;
  const EngineTable& engines() const;
  const SiteCatalog& sites() const;
  const LinkCatalog& links() const;
  const NetworkCatalog& network() const;
  const PhasePower& phase_power() const;
  const FailureRates& failure_rates() const;
  const PriceCatalog& prices() const;
  const std::vector<ExchangeRate>& exchange_rates() const;

  /// Quotations that take precedence over the prices of the same system or part.
  void add_prices(std::vector<Price> quotations);

  void load_all() const;

 private:
  DataFiles files_;
  mutable std::optional<Sources> sources_;
  mutable std::optional<SystemCatalog> systems_;
  mutable std::optional<ModelCatalog> models_;
  mutable std::optional<FormatTable> formats_;
  mutable std::optional<EngineTable> engines_;
  mutable std::optional<SiteCatalog> sites_;
  mutable std::optional<LinkCatalog> links_;
  mutable std::optional<NetworkCatalog> network_;
  mutable std::optional<PhasePower> phase_power_;
  mutable std::optional<FailureRates> failure_rates_;
  mutable std::optional<PriceCatalog> prices_;
  mutable std::optional<std::vector<ExchangeRate>> exchange_rates_;
};

}  // namespace roofplan::model
