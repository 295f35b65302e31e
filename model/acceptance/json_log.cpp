#include "model/acceptance/json_log.hpp"

#include "model/acceptance/json_block.hpp"
#include "model/json/json.hpp"

#include <algorithm>
#include <array>

namespace roofplan::model {
namespace {

struct JsonTool {
  std::string_view mark;  ///< a text in quotes that the tool's documents hold
  std::string_view name;
  void (*read)(const JsonReader&, const ReadingDesk&, long);
};

constexpr std::array<JsonTool, 5> kTools{{
    {"DCGM GPU Diagnostic", "dcgmi diag", read_dcgm_diag},
    {"DCGM Diagnostic", "dcgmi diag", read_dcgm_diag},
    {"nvbandwidth", "nvbandwidth", read_nvbandwidth},
    {"avg_ts", "llama-bench", read_llama_bench},
    {"roofplan.calibration", "calibration", read_calibrated},
}};

void read_document(const ReadingDesk& desk, std::string_view text, long line, bool whole) {
  const auto tool = std::find_if(kTools.begin(), kTools.end(), [&](const JsonTool& t) {
    return text.find("\"" + std::string(t.mark) + "\"") != std::string_view::npos;
  });
  if (tool == kTools.end()) return;
  desk.file->tools.insert(std::string(tool->name));
  if (!whole) {
    desk.report(Text("accept.log.json_cut", {{"line", line}, {"tool", tool->name}}), true);
    return;
  }
  try {
    JsonLimits limits;
    limits.bare_infinity = true;
    const Json json = parse_json(text, desk.file->name, limits);
    tool->read(JsonReader(json, desk.file->name), desk, line);
  } catch (const InputError& e) {
    desk.report(Text("accept.log.json", {{"line", line}, {"tool", tool->name}, {"why", e.message()}}), true);
  }
}

}  // namespace

JsonBlocks json_logs(const ReadingDesk& desk) {
  return JsonBlocks(
      [desk](std::string_view text, long line, bool whole) { read_document(desk, text, line, whole); });
}

}  // namespace roofplan::model
