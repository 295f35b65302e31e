#pragma once

#include "model/memory/fit.hpp"
#include "tests/catalog/shipped_systems.hpp"
#include "tests/memory/models.hpp"
#include "tests/memory/shipped_memory.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace roofplan::model::test {

/// A question with everything in one place, so that nothing it points to goes away.
struct Question {
  Architecture model;
  EngineProfile engine;
  FitRequest request;

  Question(Architecture m, std::string_view system, std::string_view weights,
           std::string_view engine_name = "vllm")
      : model(std::move(m)), engine(shipped_engines().find(engine_name)) {
    request.system = &shipped(system);
    request.formats = &shipped_formats();
    request.weights = weights;
  }
  FitAnswer ask() {
    request.model = &model;
    request.engine = &engine;
    return fit(request);
  }
};

inline bool says(const std::vector<Text>& texts, std::string_view key) {
  return std::any_of(texts.begin(), texts.end(), [key](const Text& t) { return t.key == key; });
}

inline Architecture with_context(Architecture model, std::int64_t tokens) {
  model.max_context = tokens;
  return model;
}

}  // namespace roofplan::model::test
