#include "model/report/parallel_text.hpp"

#include <fmt/format.h>

namespace roofplan::model::report {

Value parallel_value(const ParallelPlan& plan) {
  return Value::object()
      .add("tp", plan.tp)
      .add("pp", plan.pp)
      .add("ep", plan.ep)
      .add("dp", plan.dp)
      .add("cp", plan.cp)
      .add("attention_dp", plan.attention_dp);
}

std::string plan_text(const ParallelPlan& plan) {
  std::string out = fmt::format("TP {}", plan.tp);
  if (plan.pp > 1) out += fmt::format(" x PP {}", plan.pp);
  if (plan.cp > 1) out += fmt::format(" x CP {}", plan.cp);
  if (plan.ep > 1) out += fmt::format(", EP {}", plan.ep);
  if (plan.attention_dp > 1) out += fmt::format(", attention DP {}", plan.attention_dp);
  if (plan.dp > 1) out += fmt::format(", DP {}", plan.dp);
  return out;
}

}  // namespace roofplan::model::report
