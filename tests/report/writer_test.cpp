#include "model/report/writer.hpp"

#include "model/json/json.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;
using namespace roofplan::model::report;

namespace {

/// Two rows, a null with a reason, a nested object, a list in a row, and every tone of text.
Document sample() {
  Document document;
  document.verb = "sample";
  document.tool = {"1.2.3", "abc", false, "d"};
  document.inputs.add("model", "m, \"x\"");
  Value rows = Value::list();
  rows.push(
      Value::object().add("id", "a").add("size_bytes", 1536).add("parallel", Value::object().add("tp", 2)));
  rows.push(Value::object()
                .add("id", "b")
                .add("size_bytes", Value::unknown(Text("report.warnings")))
                .add("parallel", Value::object().add("tp", 4))
                .add("list", Value::list({1, 2})));
  document.result.add("rows", std::move(rows)).add("ratio", 0.1);
  document.main_list = "rows";
  document.warnings.emplace_back("report.explain");
  document.sources.push_back({"s1", "A datasheet", "example.org", "2026-11-30", Text()});
  document.derivations.push_back({"ratio", "a / b", {{"a", "1", "s1"}, {"b", "10", ""}}, "0.1"});
  Table table;
  table.columns = {Column(Text("report.sources")), Column(Text(), Column::Align::right, "GiB"),
                   Column(Text(), Column::Align::left, "bar")};
  table.rows = {{"a", "1.5", Bar{0.5}}, {Cell("b|<", Tone::bad), "10.0", Bar{1}}};
  document.blocks = {Paragraph{Text("report.language"), Tone::good}, std::move(table)};
  return document;
}

const TextTable& english() {
  return TextTable::of_language("en");
}

}  // namespace

TEST_CASE("the JSON envelope has the contract's keys in order", "[report]") {
  const Json json = parse_json(write(sample(), Format::json, english(), {}), "out");
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  CHECK(keys == std::vector<std::string>{"schema", "schema_version", "tool", "inputs", "result", "warnings",
                                         "sources"});
  CHECK(json["schema"] == "roofplan.sample");
  CHECK(json["schema_version"] == 1);
  CHECK(json["inputs"]["model"] == "m, \"x\"");
  CHECK(json["result"]["rows"][0]["size_bytes"] == 1536);
  CHECK(json["result"]["ratio"] == 0.1);
  CHECK(json["sources"][0]["id"] == "s1");
}

TEST_CASE("an unknown value is null beside its reason", "[report]") {
  const Json json = parse_json(write(sample(), Format::json, english(), {}), "out");
  CHECK(json["result"]["rows"][1]["size_bytes"].is_null());
  CHECK(json["result"]["rows"][1]["size_bytes_reason"] == "Warnings");
  CHECK(!json["result"]["rows"][0].contains("size_bytes_reason"));
}

TEST_CASE("derivations are printed when asked for", "[report]") {
  const Document document = sample();
  CHECK(!parse_json(write(document, Format::json, english(), {}), "out")["result"].contains("explain"));
  WriteOptions options;
  options.explain = true;
  const Json json = parse_json(write(document, Format::json, english(), options), "out");
  CHECK(json["result"]["explain"][0]["formula"] == "a / b");
  CHECK(json["result"]["explain"][0]["inputs"][0]["source"] == "s1");
  CHECK_THAT(write(document, Format::table, english(), options), Catch::Contains("ratio = a / b"));
}

TEST_CASE("CSV has a row an element, dotted keys, and quotes as RFC 4180", "[report]") {
  CHECK(write_csv(sample(), english()) ==
        "id,size_bytes,size_bytes_reason,parallel.tp,list\r\n"
        "a,1536,,2,\r\n"
        "b,,Warnings,4,\"[1,2]\"\r\n");
  Document one;
  one.result.add("text", "a \"b\"\nc").add("yes", true);
  CHECK(write_csv(one, english()) == "text,yes\r\n\"a \"\"b\"\"\nc\",true\r\n");
}

TEST_CASE("JSONL has a document a line", "[report]") {
  const std::string lines = write_jsonl(sample(), english());
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 2);
  CHECK(parse_json(lines.substr(0, lines.find('\n')), "line")["parallel"]["tp"] == 2);
}

TEST_CASE("tables align numbers right and are free of escapes without colour", "[report]") {
  const std::string text = write(sample(), Format::table, english(), {});
  CHECK_THAT(text, Catch::Contains("a         1.5"));
  CHECK_THAT(text, Catch::Contains("b|<      10.0"));
  CHECK(text.find('\x1b') == std::string::npos);
  WriteOptions colour;
  colour.colour = true;
  CHECK_THAT(write(sample(), Format::table, english(), colour), Catch::Contains("\x1b[31mb|<\x1b[0m"));
}

TEST_CASE("a narrow terminal cuts texts, never numbers", "[report]") {
  Document document;
  Table table;
  table.columns = {Column(Text("report.sources")), Column(Text("report.language"), Column::Align::right)};
  table.rows = {{std::string(60, 'x'), "123456789"}};
  document.blocks = {table};
  WriteOptions options;
  options.width = 40;
  const std::string text = write(document, Format::table, english(), options);
  CHECK_THAT(text, Catch::Contains("…  123456789"));
  CHECK(write(document, Format::wide, english(), options).find("…") == std::string::npos);
}

TEST_CASE("HTML and Markdown escape what they print", "[report]") {
  CHECK_THAT(write(sample(), Format::html, english(), {}), Catch::Contains("b|&lt;"));
  CHECK_THAT(write(sample(), Format::md, english(), {}), Catch::Contains("| b\\|\\< | 10.0 | ████"));
}

TEST_CASE("formats are told by name or by suffix", "[report]") {
  CHECK(parse_format("jsonl") == Format::jsonl);
  CHECK_THROWS_WITH(parse_format("jsn"), Catch::Contains("did you mean json"));
  CHECK(format_of_file("a.b/c.csv") == Format::csv);
  CHECK_THROWS_AS(format_of_file("c.xlsx"), InputError);
  CHECK_THROWS_AS(format_of_file("csv"), InputError);
}
