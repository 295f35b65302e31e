#pragma once

#include "model/roofline/operator.hpp"
#include "model/roofline/operator_list.hpp"
#include "model/units/quantity.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace roofplan::model {

/// Time of an exchange by the bytes of its message on each rank: of an all-reduce the vector that is summed,
/// of an all-gather and reduce-scatter the rank's own part, of an all-to-all what the rank sends in all, of
/// a send what goes to the next stage.
using MessageTime = std::function<Seconds(Bytes)>;

/// The exchanges of a parallel plan, each over its own ranks and link. Empty where the plan has none.
struct ExchangeLaws {
  MessageTime tp_all_reduce;   ///< after attention and dense layers, over attention_tp ranks
  MessageTime moe_all_reduce;  ///< after the experts, where all ranks hold all tokens
  MessageTime moe_all_to_all;  ///< tokens to the ranks of their experts and back
  MessageTime moe_all_gather;  ///< tokens of the data-parallel groups to experts divided by width
  MessageTime moe_reduce_scatter;
  MessageTime head_all_gather;  ///< logits of the vocabulary's parts
  MessageTime stage_send;       ///< to the next pipeline stage
  MessageTime cp_all_gather;    ///< keys and values of a prompt divided over ranks
};

/// Keeps the tabulated laws that operators point to.
class ExchangeTables {
 public:
  /// `factor`: time of an exchange inside a step over that of the law.
  explicit ExchangeTables(const ExchangeLaws& laws, double factor = 1);

  std::unique_ptr<ExchangeTimes> tp_all_reduce, moe_all_reduce, moe_all_to_all, moe_all_gather,
      moe_reduce_scatter, head_all_gather, stage_send, cp_all_gather;
};

/// Appends the exchanges of a whole step. Tensor parallelism sums the outputs of attention and of the
/// feed-forward part once each per layer (Megatron-LM, arXiv:1909.08053, section 3). Experts divided over
/// data-parallel groups exchange tokens twice per routed layer; a token goes once to each rank that holds
/// one of its experts, to R (1 - (1 - 1/R)^k) of R ranks on average. Activations are 16-bit.
void append_communication(const StepRecipe& recipe, const ExchangeTables& tables, Phase phase,
                          std::vector<Operator>& out);

}  // namespace roofplan::model
