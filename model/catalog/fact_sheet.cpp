#include "model/catalog/fact_sheet.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

namespace roofplan::model {

const Figure<double>& FactSheet::figure(const std::string& figure_name) const {
  const auto it = figures.find(figure_name);
  if (it != figures.end()) return it->second;
  std::vector<std::string> names;
  for (const auto& [known, value] : figures) names.push_back(known);
  throw InputError(InputError::Kind::content, fmt::format("{}: no figure \"{}\"", name, figure_name), {}, {},
                   nearest_names(figure_name, names));
}

FactSheet read_fact_sheet(const DataFiles& files, const std::string& path, const Sources& sources) {
  const Json document = parse_json(files.text(path), files.shown_path(path));
  const JsonReader root(document, files.shown_path(path));
  FactSheet out;
  out.name = root.at("name").as_string();
  out.figures = read_other_figures(root, sources);
  out.texts = read_text_facts(root, sources);
  root.finish();
  return out;
}

}  // namespace roofplan::model
