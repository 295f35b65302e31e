#pragma once

#include "model/catalog/scenario.hpp"
#include "model/llm/files/model_path.hpp"
#include "model/serving/speed.hpp"
#include "model/calibration/speed_data.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace roofplan::model {

/// What decides between one box, linked boxes, separate boxes and servers, beside the scenario.
struct ScaleRequest {
  Scenario scenario;                   ///< model, box (system.ref), load and targets
  std::optional<double> busy_hours;    ///< a day that the machines work, 0..24
  std::optional<Bytes> data;           ///< that the work needs
  std::optional<bool> operator_there;  ///< someone who runs servers
  std::string server = "dgx-h100";     ///< what one would move to
};

/// One way to serve the load.
struct ScaleOption {
  enum class Kind { single, link, separate, servers };

  Kind kind = Kind::single;
  std::string system;
  std::int64_t count = 1;
  SpeedAnswer speed;            ///< of one replica's share; numbers only where it fits
  std::int64_t replicas = 1;    ///< that share the load and are not linked
  std::int64_t users_each = 1;  ///< requests open on each of them
  std::optional<double> tok_s_per_user, tok_s_total;
  std::optional<double> gain;  ///< tok_s_per_user against one box, where that runs the same load
  bool meets_target = false;
  std::vector<Text> misses;  ///< targets that it misses, and by how much; empty where it does not fit
  /// Linked boxes whose model also fits one: the longest that one exchange may take for the link to pay, and
  /// how long it does take.
  std::optional<Seconds> break_even_exchange, exchange;
};

/// One of the three tests of moving to servers, and the precondition.
struct ServerTest {
  std::optional<double> value;  ///< nothing: not told
  double threshold = 0;
  bool holds = false;
};

struct ScaleAnswer {
  ScaleOption::Kind advice = ScaleOption::Kind::single;
  std::vector<ScaleOption> options;
  ServerTest users, duty, data;
  std::optional<bool> operator_there;
  int tests_held = 0;
  double target_tok_s = 0;  ///< per user; the scenario's, else kReadingSpeed
  bool target_assumed = false;
  Text reason;
  std::vector<Text> warnings;
  /// Whether any option serves the load within the targets.
  bool any_meets() const;
};

/// A comfortable speed to read along, in tokens per second and user, where the scenario states no target
/// (estimate: about twice the 250 words a minute of silent reading, 1.3 tokens a word).
inline constexpr double kReadingSpeed = 10.0;

/// "single", "link", "separate", "servers".
const char* scale_word(ScaleOption::Kind kind);

/// Advice from the model: servers where two of the three tests of the source document hold (about ten
/// constant users, busy day and night, data in tens of terabytes) and someone is there to run them; else one
/// box where it meets the targets (missed_targets, at the scenario's statistic); else separate boxes where
/// they do, or link where only that does, or where the model does not fit one box and no target is stated;
/// else servers. Errors as speed().
ScaleAnswer scale_advice(const ScaleRequest& request, const SpeedData& data, const ModelFile& model);

}  // namespace roofplan::model
