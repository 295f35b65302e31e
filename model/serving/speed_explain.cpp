#include "model/serving/speed_explain.hpp"

#include "model/serving/disaggregation.hpp"
#include "model/serving/explain_text.hpp"
#include "model/serving/step_explain.hpp"
#include "model/units/unit_text.hpp"

namespace roofplan::model {
namespace {

using Input = Derivation::Input;

const char* basis_text(EngineSpeed::Basis basis) {
  switch (basis) {
    case EngineSpeed::Basis::catalogue:
      return "fitted on this chip";
    case EngineSpeed::Basis::machine:
      return "kernels measured on this machine, the engine on others";
    case EngineSpeed::Basis::family:
      return "carried over from other chips or versions";
    case EngineSpeed::Basis::datasheet:
      break;
  }
  return "datasheets alone";
}

std::string time_text(double seconds) {
  return to_text(seconds * unit::s);
}

class SpeedExplanation {
 public:
  SpeedExplanation(const SpeedRequest& request, const SpeedAnswer& answer)
      : request_(request), answer_(answer), state_(answer.state), engine_(*request.engine) {}

  Derivations run() {
    explain_steps(request_, answer_, out_);
    first_token();
    if (request_.disaggregation) cache_transfer();
    if (state_.tpot) {
      request_.disaggregation ? pooled_token_time() : token_time();
      out_.push_back({"decode.tok_s_per_user",
                      "1 / tpot_s",
                      {follows("tpot_s", to_text(*state_.tpot))},
                      to_text(unit::token / *state_.tpot)});
    }
    whole_request();
    throughput();
    ranges();
    return std::move(out_);
  }

 private:
  Input tokens_of_step() const {
    const auto drafted = static_cast<double>(request_.draft_tokens);
    return follows("tokens of a step", short_text(speculative_tokens(request_.acceptance, drafted)));
  }
  Input output_tokens() const { return follows("output tokens", grouped(request_.output)); }

  void first_token() {
    const FirstTokenTime& first = state_.first;
    const EngineSpeed::FirstToken& engine = engine_.first_token;
    Derivation d{
        "ttft_s",
        "engine's base + tokenising + decode steps waited for + own prompt + prompts ahead + rest of one "
        "under way",
        {stated("base", engine.base), follows("tokenising", time_text(first.tokenising)),
         stated("tokenising a token", engine.token),
         follows("decode steps waited for", time_text(first.steps)),
         stated("so many, where other requests run", engine.steps),
         follows("own prompt", time_text(first.prompt)), follows("prompts ahead", time_text(first.ahead)),
         follows("other requests", short_text(state_.others)), stated("of them ahead, at least", engine.wave),
         follows("rest of a prompt under way", time_text(first.under_way))},
        to_text(state_.ttft)};
    if (first.crowding > 0)
      d.inputs.push_back(
          follows("until the prompts of a whole cycle are computed", time_text(first.crowding)));
    if (!request_.disaggregation && state_.waiting > Seconds())
      d.inputs.push_back(follows("waiting for a place to run", to_text(state_.waiting)));
    out_.push_back(std::move(d));
  }

  void cache_transfer() {
    out_.push_back({"kv_transfer_s",
                    "cache of a prompt, a part over each link, by the law of the links",
                    {follows("cache of a prompt", to_text(cache_of_prompt(request_))),
                     {"links", "one for each device of the smaller worker", request_.path.inside_source}},
                    to_text(answer_.cache_transfer)});
  }

  void token_time() {
    Derivation d{
        "tpot_s",
        "(decode step + share of steps that meet prompts of others x what these take longer) / tokens of "
        "a step",
        {follows("decode.step_s", to_text(state_.step)),
         follows("share of steps that meet prompts", short_text(state_.met)),
         follows("what these take longer", to_text(state_.met_longer)), tokens_of_step()},
        to_text(*state_.tpot)};
    if (state_.met > 0)
      d.inputs.push_back(
          follows("prompts are computed", engine_.mixes_prefill
                                              ? "in the decode step, whose matrices take the tokens of both"
                                              : "in steps of their own"));
    out_.push_back(std::move(d));
  }

  void pooled_token_time() {
    out_.push_back(
        {"tpot_s",
         "(cache transfer + waiting for a place) / (output tokens - 1) + decode step / tokens of a step",
         {follows("kv_transfer_s", to_text(answer_.cache_transfer)),
          follows("waiting for a place", to_text(state_.waiting)), output_tokens(),
          follows("decode.step_s", to_text(state_.step)), tokens_of_step()},
         to_text(*state_.tpot)});
  }

  void whole_request() {
    Derivation d{"e2e_s",
                 "ttft_s + (output tokens - 1) x tpot_s",
                 {follows("ttft_s", to_text(state_.ttft)), output_tokens()},
                 to_text(state_.e2e)};
    if (state_.tpot) d.inputs.push_back(follows("tpot_s", to_text(*state_.tpot)));
    out_.push_back(std::move(d));
    out_.push_back({"request_s", "e2e_s of a single request", {}, to_text(answer_.request)});
  }

  void throughput() {
    out_.push_back({"decode.tok_s_total",
                    "open requests x output tokens / e2e_s",
                    {follows("open requests", grouped(request_.fit.concurrency)), output_tokens(),
                     follows("e2e_s", to_text(state_.e2e)),
                     follows("replicas that share them", grouped(answer_.replicas))},
                    to_text(answer_.output)});
  }

  /// From the lowest to the highest time that a range gives an estimate.
  static std::string ends_text(Seconds estimate, const ErrorRange& range) {
    return to_text(estimate * range.low) + " to " + to_text(estimate * range.high);
  }

  void range(const std::string& key, Seconds estimate, const ErrorRange& range) {
    out_.push_back({key + "_low, " + key + "_high",
                    key + " x the factors between which eight of ten measured / estimated times lie",
                    {follows(key, to_text(estimate)), follows("basis", basis_text(answer_.basis)),
                     follows("measured times behind them, data/ranges.json",
                             grouped(static_cast<std::int64_t>(range.n))),
                     follows("factors", short_text(range.low) + " to " + short_text(range.high))},
                    ends_text(estimate, range)});
  }

  void token_range() {
    range("tpot_s", *state_.tpot, answer_.ranges.token);
    std::vector<Input>& inputs = out_.back().inputs;
    const double unsaid = engine_.version_spread(request_.fit.engine->version);
    if (unsaid > 0)
      inputs.push_back(follows("spread of the logarithm over versions, within", short_text(unsaid)));
    if (request_.power_cap)
      inputs.push_back(stated("spread under a power cap, within", request_.power_cap->phases->cap.spread));
    inputs.push_back(follows("never below", to_text(unit::token / answer_.ceiling)));
  }

  void ranges() {
    if (state_.tpot) token_range();
    range("ttft_s", state_.ttft, answer_.ranges.first_token);
    if (state_.prefill > Seconds()) range("prefill.time_s", state_.prefill, answer_.ranges.prefill);
    const double first = state_.e2e > Seconds() ? state_.ttft / state_.e2e : 0;
    out_.push_back({"e2e_s_low, e2e_s_high",
                    "e2e_s x the factors of ttft_s and tpot_s by their shares; rates take them turned round",
                    {follows("share of ttft_s", short_text(first)),
                     follows("factors", short_text(answer_.ranges.request.low) + " to " +
                                            short_text(answer_.ranges.request.high))},
                    ends_text(state_.e2e, answer_.ranges.request)});
  }

  const SpeedRequest& request_;
  const SpeedAnswer& answer_;
  const SteadyState& state_;
  const EngineSpeed& engine_;
  Derivations out_;
};

}  // namespace

Derivations explain_speed(const SpeedRequest& request, const SpeedAnswer& answer) {
  return answer.fits ? SpeedExplanation(request, answer).run() : Derivations();
}

}  // namespace roofplan::model
