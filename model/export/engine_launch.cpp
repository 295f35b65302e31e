#include "model/export/engine_launch.hpp"

#include "model/export/quoting.hpp"

#include <fmt/format.h>

#include <cmath>

namespace roofplan::model {

std::string model_word(const LaunchSettings& settings) {
  return settings.model.empty() ? "\"$MODEL\"" : shell_quote(settings.model);
}

std::string share_text(double share) {
  // The addend keeps 0.92, which is stored as a little less, from becoming 0.9199.
  return fmt::format("{:.4g}", std::floor(share * 1e4 + 1e-6) / 1e4);
}

void refuse_plan(const LaunchSettings& settings, const std::string& reason, const std::string& expected) {
  throw InputError(InputError::Kind::usage,
                   fmt::format("{} cannot be started as planned: {}", settings.engine_name, reason),
                   expected);
}

EngineLaunch engine_launch(const LaunchSettings& settings) {
  if (settings.engine == "vllm") return vllm_launch(settings);
  if (settings.engine == "sglang") return sglang_launch(settings);
  if (settings.engine == "trtllm") return trtllm_launch(settings);
  if (settings.engine == "llama.cpp") return llama_cpp_launch(settings);
  refuse_plan(settings, "no launch line is known for it", "vllm, sglang, trtllm or llama.cpp");
}

}  // namespace roofplan::model
