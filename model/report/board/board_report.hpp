#pragma once

#include "model/llm/files/model_path.hpp"
#include "model/report/document.hpp"
#include "model/report/pages.hpp"
#include "model/sizing/purchase_case.hpp"
#include "model/sizing/size.hpp"
#include "model/calibration/speed_data.hpp"

#include <string>
#include <vector>

namespace roofplan::model::report {

/// What the report for those who sign the purchase is made from. Referred values outlive it.
struct BoardCase {
  const SizeRequest& request;
  const SizeAnswer& answer;
  const PurchaseCase* purchase = nullptr;  ///< of the first plan; null: no plan meets the targets and limits
  const SpeedData& data;
  const ModelFile& model;
  Tool tool;

  const Scenario& scenario() const { return request.scenario; }
};

/// The report: on the first page the four decisions (largest model, simultaneous users, when to add, whether
/// data may leave) and the answer; then the plans and what was rejected, the bill of materials, the site, the
/// cost over the years, what would change the decision, risks, assumptions with their sources, and the
/// scenario with which it is reproduced. Every source that a citation names stands in `sources`, in the order
/// of the pages. Throws InputError as the parts of the catalogue that it reads.
Pages board_pages(const BoardCase& board);

}  // namespace roofplan::model::report
