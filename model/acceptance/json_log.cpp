#include "model/acceptance/json_log.hpp"

#include "model/acceptance/json_block.hpp"
#include "model/json/json.hpp"

#include <algorithm>
#include <array>

namespace roofplan::model {
namespace {

struct JsonTool {
  std::string_view mark;  ///< a key near the start of the tool's documents
  std::string_view name;
  void (*read)(const JsonReader&, const ReadingDesk&, long);
};

constexpr std::array<JsonTool, 2> kTools{{
    {"DCGM GPU Diagnostic", "dcgmi diag", read_dcgm_diag},
    {"DCGM Diagnostic", "dcgmi diag", read_dcgm_diag},
}};

class JsonLogReader : public TextReader {
 public:
  explicit JsonLogReader(const ReadingDesk& desk)
      : desk_(desk),
        blocks_([this](std::string_view text, long line, bool whole) { read(text, line, whole); }) {}

  void take(const LogLine& line) override { blocks_.take(line); }
  void finish() override { blocks_.finish(); }

 private:
  void read(std::string_view text, long line, bool whole) {
    const auto tool = std::find_if(kTools.begin(), kTools.end(), [&](const JsonTool& t) {
      return text.find("\"" + std::string(t.mark) + "\"") != std::string_view::npos;
    });
    if (tool == kTools.end()) return;
    desk_.file->tools.insert(std::string(tool->name));
    if (!whole) return broken(*tool, line);
    try {
      JsonLimits limits;
      limits.bare_infinity = true;
      const Json json = parse_json(text, desk_.file->name, limits);
      tool->read(JsonReader(json, desk_.file->name), desk_, line);
    } catch (const InputError& e) {
      desk_.report(Text("accept.log.json", {{"line", line}, {"tool", tool->name}, {"why", e.message()}}),
                   true);
    }
  }

  void broken(const JsonTool& tool, long line) {
    desk_.report(Text("accept.log.json_cut", {{"line", line}, {"tool", tool.name}}), true);
  }

  ReadingDesk desk_;
  JsonBlocks blocks_;
};

}  // namespace

std::unique_ptr<TextReader> json_log_reader(const ReadingDesk& desk) {
  return std::make_unique<JsonLogReader>(desk);
}

}  // namespace roofplan::model
