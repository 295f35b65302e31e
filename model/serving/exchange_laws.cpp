#include "model/serving/exchange_laws.hpp"

namespace roofplan::model {

namespace {

/// A collective of `ranks`, by the bytes that one rank has before it.
MessageTime collective(const FabricPath& path, Collective op, std::int64_t ranks) {
  if (ranks <= 1) return {};
  // Only what is gathered or scattered is counted over all ranks; an all-to-all is counted by its send
  // buffer.
  const bool whole = op != Collective::all_gather && op != Collective::reduce_scatter;
  const double parts = whole ? 1.0 : static_cast<double>(ranks);
  return [path, op, ranks, parts](Bytes bytes) {
    return fabric_time(path, {op, bytes * parts, static_cast<int>(ranks), 2});
  };
}

MessageTime all_reduce(const FabricPath& path, const std::optional<EngineAllReduceLaw>& engine,
                       std::int64_t ranks) {
  if (ranks <= 1 || !engine || !path.inside || ranks > path.domain_ranks)
    return collective(path, Collective::all_reduce, ranks);
  return [library = *path.inside, own = *engine, ranks](Bytes bytes) {
    return engine_all_reduce_time(own, library, {Collective::all_reduce, bytes, static_cast<int>(ranks), 2});
  };
}

}  // namespace

StepShards step_shards(const ParallelPlan& plan) {
  StepShards shards;
  shards.attention_tp = plan.attention_tp();
  shards.attention_dp = plan.attention_dp;
  shards.moe_tp = plan.expert_tp();
  shards.ep = plan.ep;
  shards.pp = plan.pp;
  shards.cp = plan.cp;
  return shards;
}

MessageTime transfer_law(const FabricPath& path, bool crosses_domains) {
  FabricPath between = path;
  if (crosses_domains) {
    between.inside.reset();
    between.domain_ranks = 1;
  }
  return collective(between, Collective::send_recv, 2);
}

ExchangeLaws exchange_laws(const FabricPath& path, const std::optional<EngineAllReduceLaw>& engine,
                           const ParallelPlan& plan, Seconds network_overhead) {
  const auto over = [&](MessageTime time, std::int64_t ranks) -> MessageTime {
    if (!time || ranks <= path.domain_ranks) return time;
    return [time, network_overhead](Bytes bytes) { return time(bytes) + network_overhead; };
  };
  const auto exchange = [&](Collective op, std::int64_t ranks) {
    return over(collective(path, op, ranks), ranks);
  };
  ExchangeLaws laws;
  laws.tp_all_reduce = over(all_reduce(path, engine, plan.attention_tp()), plan.attention_tp());
  laws.moe_all_reduce = over(all_reduce(path, engine, plan.tp), plan.tp);
  laws.moe_all_to_all = exchange(Collective::all_to_all, plan.ep);
  laws.moe_all_gather = exchange(Collective::all_gather, plan.expert_tp());
  laws.moe_reduce_scatter = exchange(Collective::reduce_scatter, plan.expert_tp());
  laws.head_all_gather = exchange(Collective::all_gather, plan.attention_tp());
  laws.cp_all_gather = exchange(Collective::all_gather, plan.cp);
  const std::int64_t devices = plan.devices_per_replica();
  if (plan.pp > 1) laws.stage_send = over(transfer_law(path, devices > path.domain_ranks), devices);
  return laws;
}

}  // namespace roofplan::model
