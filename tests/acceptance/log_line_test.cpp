#include "model/acceptance/log_line.hpp"

#include "model/acceptance/line_origin.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace roofplan::model;

namespace {

std::vector<std::pair<long, std::string>> lines_of(std::string_view bytes, std::size_t piece = 1) {
  std::vector<std::pair<long, std::string>> lines;
  LineSplitter splitter(
      [&](const LogLine& line) { lines.emplace_back(line.number, std::string(line.text)); });
  for (std::size_t at = 0; at < bytes.size(); at += piece) splitter.feed(bytes.substr(at, piece));
  splitter.finish();
  return lines;
}

using Lines = std::vector<std::pair<long, std::string>>;

LineOrigin origin(std::string_view line) {
  return split_origin(line);
}

}  // namespace

TEST_CASE("Lines end as on Unix, Windows and in progress bars, and are numbered by line feeds",
          "[acceptance]") {
  const Lines expected{{1, "one"}, {2, "two"}, {3, ""}, {4, "50 %"}, {4, "100 %"}, {5, "last"}};
  const std::string text = "one\r\ntwo\n\n50 %\r100 %\nlast";
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    CHECK(lines_of(text, piece) == expected);
  }
}

TEST_CASE("Escape sequences, controls and UTF-16 leave the text alone", "[acceptance]") {
  CHECK(lines_of("\x1b[1;31mFAIL\x1b[0m\tx\x07\n") == Lines{{1, "FAIL x"}});
  CHECK(lines_of("\x1b]0;title\x07"
                 "a\x1b(Bc\n") == Lines{{1, "aBc"}});
  CHECK(lines_of(std::string_view("a\0b\0\n\0", 6)) == Lines{{1, "ab"}});
  CHECK(lines_of("\x1b[").empty());
}

TEST_CASE("A line without end is cut, and the next one is whole again", "[acceptance]") {
  std::vector<LogLine> seen;
  std::vector<std::string> texts;
  LineSplitter splitter(
      [&](const LogLine& line) {
        seen.push_back(line);
        texts.emplace_back(line.text);
      },
      10);
  for (int i = 0; i < 1000; ++i) splitter.feed("abcdefgh");
  splitter.feed("\nnext\n");
  REQUIRE(seen.size() == 2);
  CHECK(texts == std::vector<std::string>{"abcdefghab", "next"});
  CHECK(seen[0].cut);
  CHECK_FALSE(seen[1].cut);
}

TEST_CASE("The marks of launchers are taken off", "[acceptance]") {
  const auto check = [](std::string_view line, std::string_view host, std::string_view rank,
                        std::string_view text) {
    INFO(line);
    const LineOrigin o = origin(line);
    CHECK(o.host == host);
    CHECK(o.rank == rank);
    CHECK(o.text == text);
  };
  check("[1,3]<stdout>:# Rank  0", "", "3", "# Rank  0");
  check("[prterun-n1-77@1,12]<stdout>: 8  2", "", "12", "8  2");
  check(" 0:   1024   256  float", "", "0", "  1024   256  float");
  check("12: # Avg bus bandwidth    : 3", "", "12", "# Avg bus bandwidth    : 3");
  check("[rank3]: hello", "", "3", "hello");
  check("[3] hello", "", "3", "hello");
  check("node-07.rack2: GPU 00000000:3B:00.0", "node-07.rack2", "", "GPU 00000000:3B:00.0");
  check("worker_1  | {", "worker_1", "", "{");
  check("[pod/nccl-worker-0/main] # x", "nccl-worker-0", "", "# x");
  check("2026-11-30T07:48:16.123Z node3: # x", "node3", "", "# x");
  check("[2026-11-30 07:48:16] [1,0]<stdout>:# x", "", "0", "# x");
  check("Nov 30 07:48:16 gpu07 kernel: [12.5] NVRM: Xid (PCI:0000:3b:00): 79", "gpu07", "",
        "NVRM: Xid (PCI:0000:3b:00): 79");
  check("[   12.500000] NVRM: Xid (PCI:0000:3b:00): 79", "", "", "NVRM: Xid (PCI:0000:3b:00): 79");
}

TEST_CASE("What tools print themselves is no mark of a launcher", "[acceptance]") {
  for (const char* line :
       {"# Avg bus bandwidth    : 745.53", "    Driver Version                  : 580.95.05",
        "GPU 00000000:3B:00.0",
        "  1073741824     268435456     float     sum      -1   3108.8  345.38  681.17      0",
        " 0     26.34", "| llama 8B Q4_K | 4.58 GiB |", "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\"} 139", "[",
        "\"name\" : \"PCIe\",", "{", "NOTE: The reported results may not reflect",
        "0, NVIDIA H200, 580.95.05", ""}) {
    INFO(line);
    CHECK(origin(line).text == line);
  }
}

TEST_CASE("Headings name the host of what follows", "[acceptance]") {
  CHECK(heading_host("==> logs/node07.log <==") == "node07.log");
  CHECK(heading_host("node07 | CHANGED | rc=0 >>") == "node07");
  CHECK(heading_host("# Avg bus bandwidth") == "");
}
