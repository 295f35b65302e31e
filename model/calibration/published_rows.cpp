#include "model/calibration/published_rows.hpp"

namespace roofplan::model {

std::string PublishedRows::text(std::size_t row, const char* column) const {
  return table_.text(row, table_.column(column));
}

double PublishedRows::number(std::size_t row, const char* column, double otherwise) const {
  const std::size_t at = table_.column(column);
  return table_.blank(row, at) ? otherwise : table_.number(row, at);
}

RowPrediction PublishedRows::named(std::size_t row) const {
  RowPrediction p;
  p.row = row;
  p.metric = text(row, "metric");
  p.system = text(row, "system");
  p.model = text(row, "model");
  p.engine = text(row, "engine");
  p.state = RowPrediction::State::unsupported;
  exclude_marked(text(row, "note"), p);
  return p;
}

}  // namespace roofplan::model
