#include "cli/verbs/common_options.hpp"

#include "model/units/unit_text.hpp"

namespace roofplan::cli {
namespace {

using Offer = Option::Offer;

/// "vllm@0.19" names the engine and its version.
void set_engine(model::Scenario& scenario, const std::string& value) {
  const std::size_t at = value.find('@');
  scenario.engine.ref = value.substr(0, at);
  scenario.engine.version.reset();
  if (at == std::string::npos) return;
  scenario.engine.version = value.substr(at + 1);
  if (scenario.engine.version->empty())
    throw model::InputError(model::InputError::Kind::usage, "no version stands behind the @ of " + value,
                            "a version as " + value + "0.21, or " + scenario.engine.ref);
}

/// The scenario knows prompt and output: the output keeps its length where it can, the prompt takes the rest.
void set_context(model::Scenario& scenario, const std::string& value) {
  const std::int64_t context = model::parse_count(value);
  model::Load& load = scenario.load;
  if (load.output_tokens >= context) load.output_tokens = 1;
  load.prompt_tokens = context - load.output_tokens;
  load.depth_tokens = 0;
}

}  // namespace

Option model_argument(std::string name, bool needed) {
  Option option = field(std::move(name), "model.ref")
                      .says("catalogue id, Hugging Face name, path, or a size such as dense:70B")
                      .offers(Offer::models);
  option.required = needed;
  return option;
}

Option weights_option() {
  return field("weights", "model.weights").value("F").offers(Offer::formats);
}

Option kv_option() {
  return field("kv", "model.kv").value("F").offers(Offer::formats);
}

Option assume_option() {
  return flag("assume", "read an unknown architecture by its keys alone, and say what was assumed");
}

std::vector<Option> system_options() {
  return {field("system", "system.ref").value("S").offers(Offer::systems), field("count", "system.count"),
          field("gpus", "system.gpus")};
}

std::vector<Option> parallel_options() {
  return {field("tp", "parallel.tp"), field("pp", "parallel.pp"), field("ep", "parallel.ep"),
          field("dp", "parallel.dp")};
}

Option engine_option() {
  return field("engine", "engine.ref")
      .says("ideal, llama.cpp, vllm, sglang or trtllm; a version behind @, as vllm@0.19")
      .value("E")
      .offers(Offer::engines)
      .applied_by(set_engine);
}

Option context_option() {
  return count("context", "tokens of prompt and output together", 2).value("L").applied_by(set_context);
}

Option concurrency_option() {
  return field("concurrency", "load.concurrency").value("C");
}

Option output_tokens_option() {
  Option option = field("output-tokens", "load.output_tokens").value("O");
  option.help += "; --output with a number means the same";
  return option;
}

Option power_cap_option() {
  return field("power-cap", "system.power_cap").value("SHARE");
}

std::vector<Option> money_options() {
  return {field("installation", "money.installation"), field("room", "money.room_per_year"),
          field("people", "money.people_per_year"),    field("support", "money.support_share"),
          field("resale", "money.resale_share"),       field("host-price", "money.host_price")};
}

Option data_stays_option() {
  return flag("data-stays", "data may not leave: no cloud")
      .applied_by([](model::Scenario& scenario, const std::string&) { scenario.limits.data_stays = true; });
}

Option hybrid_kv_option() {
  return field("hybrid-kv", "engine.hybrid_kv");
}

std::vector<Option> joined(std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> out;
  for (const std::vector<Option>& list : lists) out.insert(out.end(), list.begin(), list.end());
  return out;
}

}  // namespace roofplan::cli
