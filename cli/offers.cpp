#include "cli/offers.hpp"

#include "cli/verbs/all.hpp"
#include "model/catalog/system_catalog.hpp"

namespace roofplan::cli {

std::vector<std::string> offered_names(const Option& option) {
  using Offer = Option::Offer;
  if (option.kind == Option::Kind::onoff) return {"on", "off"};
  std::vector<std::string> names = option.words;
  switch (option.offer) {
    case Offer::engines:
      return {"ideal", "llama.cpp", "vllm", "sglang", "trtllm"};
    case Offer::systems:
      return model::SystemCatalog(model::DataFiles()).ids();
    case Offer::verbs:
      for (const Verb& verb : all_verbs()) names.push_back(verb.name);
      return names;
    default:
      return names;
  }
}

}  // namespace roofplan::cli
