#pragma once

#include "model/roofline/engine_speed.hpp"
#include "model/roofline/step_model.hpp"
#include "model/units/quantity.hpp"

#include <optional>

namespace roofplan::model {

/// A closed loop on one replica: `concurrency` clients, each sending its next request when the last is done.
struct ReplicaLoad {
  double concurrency = 1;       ///< requests open at once
  double running_limit = 1e15;  ///< of them the most that the replica runs at once; the rest waits
  double prompt_tokens = 1024;  ///< prefilled: what a prefix cache holds is not part of it
  double cached_tokens = 0;     ///< of each prompt already in the cache
  double output_tokens = 256;
  std::optional<double> depth;  ///< context at which a decode step is taken; nothing: mean over the output
  double tokens_per_step = 1;   ///< expected, above 1 with speculative decoding
  double verified_tokens = 1;   ///< worked on per sequence and step: drafted and one more
};

/// What a time to first token is made of, in seconds.
struct FirstTokenTime {
  double base = 0;        ///< of the engine
  double tokenising = 0;  ///< the own prompt
  double steps = 0;       ///< decode steps waited for
  double prompt = 0;      ///< computing the own prompt
  double ahead = 0;       ///< tokenising and computing the prompts ahead
  double under_way = 0;   ///< what is left of a prompt that is being computed on arrival
  double crowding = 0;    ///< beyond all these, until the prompts of a whole cycle are computed

  double total() const { return base + tokenising + steps + prompt + ahead + under_way + crowding; }
};

/// Steady state of the loop. Means.
struct SteadyState {
  double batch = 1;    ///< sequences in a decode step, as a decoding sequence sees it
  double context = 0;  ///< tokens of each
  Seconds step;        ///< one decode step, without prefills between
  Seconds prefill;     ///< one prompt alone
  Seconds waiting;     ///< for a place to run, before anything else happens
  Seconds ttft;
  FirstTokenTime first;  ///< its parts beside `waiting`, which separate pools have after the first token
  std::optional<Seconds> tpot;  ///< nothing where there is one output token only
  Seconds e2e;
  TokensPerSecond output;  ///< of the replica

  // What varies about the means, see latency_tail().
  double others = 0;        ///< requests of other clients that run beside one's own
  double ahead = 0;         ///< share of them whose prompts are computed before one's own
  Seconds ahead_each;       ///< what each of these adds to the time to first token
  double met = 0;           ///< share of the decode steps that meet prompts of others
  Seconds met_longer;       ///< what these take longer
  double decode_steps = 0;  ///< of a request
};

/// Requests of the load that run at once.
double running(const ReplicaLoad& load);

/// Mean time between two tokens of a sequence that decodes in a batch of `batch`, while the prompts of the
/// others' next requests arrive at random: a = (batch - 1) / output chunks a step. In the share 1 - exp(-a)
/// of the steps at least one is met (Poisson arrivals), together a / (1 - exp(-a)), computed as one. An
/// engine that mixes computes them in the decode step, see StepModel::mixed_step(); the others stop decoding
/// for a step of prompts.
Seconds time_between_tokens(const StepModel& steps, const EngineSpeed& engine, const ReplicaLoad& load,
                            double batch);

/// Prompts of `tokens` that one prefill step computes together: as many as its chunk holds on every rank of a
/// data-parallel group, at least one a rank.
double prompts_in_a_step(const StepModel& prefill, double tokens);

/// What prompts cost a loop: one alone, and each of those that wait and are computed together with others.
struct PromptTimes {
  Seconds alone, queued;
};
PromptTimes prompt_times(const StepModel& steps, double prompt_tokens, double cached_tokens);

/// Time to the first token of a prompt, of `others` further clients: the engine's `base` with tokenising, its
/// steps of `step` where others run, the own prompt, `ahead` = others x wave prompts that are tokenised and
/// computed before it, and half a prompt with the probability that one is under way (the mean residual of a
/// constant service, Cox, Renewal Theory, 1962, section 5.2), which is the share of the cycle `first +
/// decode` that others' prompts take. No loop computes more prompts than one after another: the cycle is
/// never shorter than they all take.
struct FirstTokenParts {
  double base_s = 0, token_s = 0;  ///< of the engine; token_s for the whole prompt
  double busy_s = 0;               ///< decode steps waited for
  double wave = 0, others = 0;
  double alone_s = 0, queued_s = 0;  ///< prompt_times()
};
FirstTokenTime first_token_time(const FirstTokenParts& parts, double first_s, double decode_s);
/// Its total.
double first_token_seconds(const FirstTokenParts& parts, double first_s, double decode_s);

/// Mean-value analysis of the loop (Reiser and Lavenberg, J. ACM 27 (1980) 313): a request that decodes sees
/// the others decoding in the share of their cycle that they decode, b = 1 + (c - 1) x share. Their prefills
/// come in between, see time_between_tokens(). The first token: first_token_seconds(). Requests beyond
/// `running_limit` wait for one to end, c / running_limit cycles in all (Little's law).
SteadyState closed_loop(const StepModel& steps, const EngineSpeed& engine, const ReplicaLoad& load);

/// Expected tokens of one speculative step: (1 - a^(d+1)) / (1 - a) for `draft_tokens` d accepted one by one
/// with probability a (Leviathan et al., arXiv:2211.17192, equation 1).
double speculative_tokens(double acceptance, double draft_tokens);

}  // namespace roofplan::model
