#pragma once

#include "model/llm/architecture.hpp"
#include "model/llm/hf/layer_plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roofplan::model::hf {

/// The layers of one multi-token-prediction module, and how many modules there are.
struct MtpModule {
  std::int64_t modules = 0;
  std::vector<LayerGroup> layers;
};

/// What the config declares; nothing where the family's module is not known (then `notes` says so).
std::optional<MtpModule> mtp_module(const Config& config, const Family& family,
                                    const std::vector<LayerPlan>& plans, std::vector<std::string>& notes);

/// Elements of the modules: two norms, a 2H x H projection, the layers, a head norm
/// (DeepSeek-V3, arXiv:2412.19437, section 2.2).
std::int64_t mtp_elements(const Architecture& model, const MtpModule& mtp);

/// Elements of the vision tower with its projector; 0 and a note where its shape is not known.
std::int64_t vision_elements(const Config& config, const Family& family, std::vector<std::string>& notes);

}  // namespace roofplan::model::hf
