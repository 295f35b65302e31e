#include "model/sizing/overview.hpp"

#include "model/catalog/model_reference.hpp"
#include "model/sizing/fit_question.hpp"
#include "model/sizing/speed_question.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {

std::string SystemOffer::to_string() const {
  return count == 1 ? system : fmt::format("{} x{}", system, count);
}

SystemOffer parse_system_offer(const std::string& text, const SystemCatalog& systems) {
  if (const System* system = systems.find_if(text)) return {system->id, 1};
  const std::size_t cross = text.rfind('x');
  const bool counted = cross != std::string::npos && cross > 0 && cross + 1 < text.size() &&
                       text.find_first_not_of("0123456789", cross + 1) == std::string::npos;
  if (!counted) return {systems.find(text).id, 1};
  const std::int64_t count = parse_count(text.substr(cross + 1));
  if (count < 1)
    throw InputError(InputError::Kind::usage, fmt::format("\"{}\" is no system at all", text),
                     "a count of at least 1");
  return {systems.find(text.substr(0, cross)).id, count};
}

namespace {

/// The speed with so many requests open; nothing where they do not fit.
std::optional<SpeedAnswer> speed_at(Scenario scenario, const SpeedData& data, const Architecture& model,
                                    std::int64_t concurrency) {
  scenario.load.concurrency = concurrency;
  const SpeedQuestion question(scenario, data, model, data.catalog().systems().find(scenario.system.ref));
  SpeedAnswer answer = speed(question.request());
  if (!answer.fits) return std::nullopt;
  return answer;
}

OverviewEntry entry_of(const OverviewRequest& request, const SpeedData& data, const ModelFile& model,
                       const SystemOffer& offer) {
  Scenario scenario = request.settings;
  scenario.system.ref = offer.system;
  scenario.system.count = offer.count;
  FitQuestion question(scenario, data.catalog(), model.architecture,
                       data.catalog().systems().find(offer.system));
  const std::int64_t own_limit = model.architecture.max_context;
  question.request().context = own_limit > 0 ? std::min(request.context, own_limit) : request.context;
  question.request().context_by_default = false;
  question.request().concurrency = 1;
  OverviewEntry out{model.architecture.id, offer, fit(question.request()), {}, {}};
  if (out.fit.fits) {
    out.alone = speed_at(scenario, data, model.architecture, 1);
    out.shared = speed_at(scenario, data, model.architecture, request.concurrency);
  }
  return out;
}

}  // namespace

std::vector<OverviewEntry> overview(const OverviewRequest& request, const SpeedData& data) {
  std::vector<OverviewEntry> out;
  out.reserve(request.models.size() * request.offers.size());
  for (const std::string& reference : request.models) {
    const ModelFile model = find_model(data.catalog(), reference);
    for (const SystemOffer& offer : request.offers) out.push_back(entry_of(request, data, model, offer));
  }
  return out;
}

}  // namespace roofplan::model
