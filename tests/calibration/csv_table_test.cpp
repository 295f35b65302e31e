#include "model/calibration/csv_table.hpp"

#include "tests/llm_files/file_writers.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace roofplan;
using namespace roofplan::model;

TEST_CASE("quotes, commas, line breaks and CRLF are read as RFC 4180 says", "[calibration]") {
  const CsvTable t = CsvTable::parse("\xEF\xBB\xBFname,note\r\na,\"x, \"\"y\"\"\nz\"\r\n\r\nb,\r\n", "p.csv");
  REQUIRE(t.size() == 2);
  CHECK(t.columns() == std::vector<std::string>{"name", "note"});
  CHECK(t.text(0, 1) == "x, \"y\"\nz");
  CHECK(t.line(0) == 2);
  CHECK(t.line(1) == 5);
  CHECK(t.blank(1, 1));
}

TEST_CASE("a faulty table is told with file and line", "[calibration]") {
  CHECK_THROWS_WITH(CsvTable::parse("a,b\n1,2\n3\n", "p.csv"), Catch::Contains("p.csv:line 3"));
  CHECK_THROWS_WITH(CsvTable::parse("a,b\n1,\"2\n3\n", "p.csv"), Catch::Contains("p.csv:line 2"));
  CHECK_THROWS_WITH(CsvTable::parse("a,b\n\"1\"x,2\n", "p.csv"), Catch::Contains("closing quote"));
  CHECK_THROWS_WITH(CsvTable::parse("a,a\n", "p.csv"), Catch::Contains("twice"));
  CHECK_THROWS_AS(CsvTable::parse("a,,c\n", "p.csv"), InputError);
  CHECK_THROWS_AS(CsvTable::parse("", "p.csv"), InputError);
  CHECK_THROWS_AS(CsvTable::parse(std::string_view("a\n\0\n", 4), "p.csv"), InputError);
}

TEST_CASE("numbers of a table are checked and located", "[calibration]") {
  const CsvTable t = CsvTable::parse("bytes,latency_ms\n4096,0.5\nx,-1\n1.5,nan\n", "p.csv");
  CHECK(t.whole(0, 0) == 4096);
  CHECK(t.positive(0, 1) == 0.5);
  CHECK_THROWS_WITH(t.number(1, 0),
                    Catch::Contains("p.csv") && Catch::Contains("bytes") && Catch::Contains("line 3"));
  CHECK_THROWS_AS(t.positive(1, 1), InputError);
  CHECK_THROWS_AS(t.whole(2, 0), InputError);
  CHECK_THROWS_AS(t.number(2, 1), InputError);
  CHECK_THROWS_WITH(t.column("latency"), Catch::Contains("latency_ms"));
}

TEST_CASE("a written field reads back as it was", "[calibration]") {
  for (const std::string text : {"plain", "a,b", "say \"no\"", "two\nlines", " edge "}) {
    const CsvTable t = CsvTable::parse("f,g\n" + csv_field(text) + ",1\n", "p.csv");
    CHECK(t.text(0, 0) == text);
  }
}

TEST_CASE("a file with a header alone is refused, since nothing would be said of it", "[calibration]") {
  const test::TemporaryFolder folder;
  const std::string file = folder.path("p.csv");
  std::ofstream(file) << "a,b\n";
  CHECK_THROWS_WITH(CsvTable::read(file), Catch::Contains("no row below the header"));
  std::ofstream(file) << "a,b\n1,2\n";
  CHECK(CsvTable::read(file).size() == 1);
}
