#include "cli/offers.hpp"

#include "cli/verbs/all.hpp"
#include "model/catalog/catalog.hpp"

namespace roofplan::cli {

std::vector<std::string> offered_names(const Option& option) {
  using Offer = Option::Offer;
  if (option.kind == Option::Kind::onoff) return {"on", "off"};
  static const model::Catalog catalog;
  std::vector<std::string> names = option.words;
  switch (option.offer) {
    case Offer::engines:
      return catalog.engines().ids();
    case Offer::systems:
      return catalog.systems().ids();
    case Offer::models:
      return catalog.models().all_ids();
    case Offer::formats:
      return catalog.formats().weight_ids();
    case Offer::verbs:
      for (const Verb& verb : all_verbs()) names.push_back(verb.name);
      return names;
    default:
      return names;
  }
}

}  // namespace roofplan::cli
