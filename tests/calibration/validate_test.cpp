#include "model/calibration/validate.hpp"

#include "model/calibration/collective_fit.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace roofplan::model;

namespace {

const std::string kHeader = "system,op,dtype,gpus,bytes,latency_ms\n";

/// What the catalogue's H100 predicts, in ms.
double h100_ms(Collective op, double bytes, int ranks) {
  const DomainLaw law = *domain_law(*catalogue_calibration("h100_sxm"));
  return domain_time(law, {op, bytes * unit::B, ranks, 2}) / unit::ms;
}

std::vector<RowPrediction> predictions(const CsvTable& table) {
  return layout_of(table).predict(table, {});
}

}  // namespace

TEST_CASE("errors are counted by metric, system and operation", "[calibration]") {
  // Measured times a tenth below and a fifth above what the model says: ratios 1/0.9 and 1/1.2.
  const std::string text =
      kHeader +
      fmt::format("h100_sxm,all_reduce,half,8,1048576,{:.9g}\nh100_sxm,all_gather,half,4,65536,{:.9g}\n",
                  0.9 * h100_ms(Collective::all_reduce, 1048576, 8),
                  1.2 * h100_ms(Collective::all_gather, 65536, 4));
  const Validation v = validate(predictions(CsvTable::parse(text, "p.csv")));
  REQUIRE(v.overall.size() == 1);
  CHECK(v.overall[0].first == "latency_ms");
  CHECK(v.overall[0].second.errors.n == 2);
  CHECK(v.overall[0].second.errors.median_ape == Approx((1 / 0.9 - 1 + 1 - 1 / 1.2) / 2).epsilon(1e-6));
  REQUIRE(v.groups.size() == 2);
  CHECK(v.groups[0].operation == "all_reduce");
  CHECK(v.groups[0].score.errors.bias == Approx(1 / 0.9 - 1).epsilon(1e-6));
  CHECK(v.groups[1].score.errors.p90_ape == Approx(1 - 1 / 1.2).epsilon(1e-6));
}

TEST_CASE("a row that the model cannot predict is counted with its reason, not dropped", "[calibration]") {
  const std::string text = kHeader +
                           "h100_sxm,all_reduce,half,8,1024,0.0156\n"
                           "mi300x,all_reduce,half,8,1024,0.02\n"
                           "h100_sxm,gossip,half,8,1024,0.02\n"
                           "h100_sxm,all_reduce,int3,8,1024,0.02\n"
                           "h100_sxm,all_reduce,half,1,1024,0.02\n";
  const Validation v = validate(predictions(CsvTable::parse(text, "p.csv")));
  CHECK(v.overall[0].second.errors.n == 1);
  CHECK(v.overall[0].second.unsupported == 4);
  CHECK(v.reasons.size() == 4);
  CHECK(v.reasons.at("no calibration of the system mi300x") == 1);
}

TEST_CASE("a row with two metrics breaks a rule once, rows of two tables twice", "[calibration]") {
  std::vector<RowPrediction> rows(5);
  for (RowPrediction& row : rows) {
    row.measured = row.predicted = 1;
    row.rule = "queued";
  }
  rows[0].metric = rows[2].metric = "ttft_ms";
  rows[1].metric = rows[3].metric = "tpot_ms";
  rows[2].row = rows[3].row = 1;
  rows[4].table = 1;
  CHECK(validate(rows).rules.at("queued") == 3);
  for (RowPrediction& row : rows) {
    row.state = RowPrediction::State::excluded;
    row.reason = "marked";
  }
  CHECK(validate(rows).reasons.at("marked") == 3);
  CHECK(validate(rows).rules.empty());
}

TEST_CASE("predictions stand beside the columns of the input", "[calibration]") {
  const CsvTable table = CsvTable::parse("note," + kHeader +
                                             "\"a,b\",h100_sxm,all_reduce,half,8,1024,0.0156\n"
                                             "x,mi300x,all_reduce,half,8,1024,0.02\n",
                                         "p.csv");
  const CsvTable out = CsvTable::parse(predictions_csv(table, predictions(table)), "out.csv");
  REQUIRE(out.size() == 2);
  CHECK(out.columns().size() == table.columns().size() + 5);
  CHECK(out.text(0, 0) == "a,b");
  const double predicted = out.number(0, out.column("predicted"));
  CHECK(predicted == Approx(h100_ms(Collective::all_reduce, 1024, 8)).epsilon(1e-5));
  CHECK(out.number(0, out.column("low")) < predicted);
  CHECK(out.number(0, out.column("high")) > predicted);
  CHECK(out.blank(1, out.column("predicted")));
  CHECK(out.text(1, out.column("reason")) == "no calibration of the system mi300x");
}

TEST_CASE("a table of another kind is refused with the layouts that are known", "[calibration]") {
  CHECK_THROWS_WITH(layout_of(CsvTable::parse("a,b\n1,2\n", "p.csv")),
                    Catch::Contains("p.csv") && Catch::Contains("latency_ms"));
  CHECK(layout_of(CsvTable::parse("system,dtype,gpus,bytes,latency_ms\n", "p.csv")).name ==
        "all-reduce of the engine");
  CHECK(layout_of(CsvTable::parse(kHeader, "p.csv")).name == "collectives of the library");
}

TEST_CASE("calibrating from points predicts these points", "[calibration]") {
  std::string text = kHeader;
  for (const char* op : {"all_reduce", "all_gather", "reduce_scatter"}) {
    for (const int ranks : {2, 4, 8}) {
      for (double bytes = 512; bytes < 1e9; bytes *= 4) {
        text += fmt::format("h200_sxm,{},half,{},{},{:.9g}\n", op, ranks, bytes,
                            1.25 * h100_ms(*collective_from(op), bytes, ranks));
      }
    }
  }
  const CsvTable tables[] = {CsvTable::parse(text, "p.csv")};
  std::vector<Calibration> calibrations = calibrate_from(tables);
  REQUIRE(calibrations.size() == 1);
  CHECK(calibrations[0].device.system == "h200_sxm");
  CalibrationSet own;
  own.without_catalogue();
  own.add(parse_calibration(calibration_text(calibrations[0]), "own.json"));
  const Validation v = validate(layout_of(tables[0]).predict(tables[0], own));
  CHECK(v.overall[0].second.errors.p90_ape < 0.02);
  CHECK_THROWS_AS(calibrate_from(tables, {"h300_sxm"}), InputError);
}

TEST_CASE("a rack without published times borrows those of a rack with the same links, and says so",
          "[calibration]") {
  const DomainLaw law = *domain_law(*catalogue_calibration("gb200"));
  std::string text = kHeader;
  for (const char* system : {"gb200", "gb300"}) {
    for (const int ranks : {2, 4, 72}) {
      if (ranks == 72 && std::string(system) == "gb300") continue;
      for (double bytes = 512; bytes < 1e10; bytes *= 4) {
        const Message m{Collective::all_reduce, bytes * unit::B, ranks, 2};
        text += fmt::format("{},all_reduce,half,{},{},{:.9g}\n", system, ranks, bytes,
                            domain_time(law, m) / unit::ms);
      }
    }
  }
  const CsvTable tables[] = {CsvTable::parse(text, "p.csv")};
  const Calibration own = calibrate_from(tables, {"gb200"}).at(0),
                    borrowed = calibrate_from(tables, {"gb300"}).at(0);
  CHECK(own.notes.empty());
  REQUIRE(borrowed.notes.size() == 1);
  CHECK(borrowed.notes[0].find("gb200") != std::string::npos);
  CHECK(domain_law(borrowed)->bus_rate / domain_law(own)->bus_rate == Approx(1.0).epsilon(0.02));
}

TEST_CASE("what a calibration file replayed is held against what it had predicted", "[calibration]") {
  Calibration calibration;
  calibration.device.system = "lab";
  calibration.replay = {{"llama-3.1-8b", 1, 2048, 0.022, 0.020}, {"qwen3-32b", 8, 0, 0.090, 0.100}};
  const Validation v = validate(replay_rows(calibration));
  REQUIRE(v.overall.size() == 1);
  CHECK(v.overall[0].first == "step_s");
  CHECK(v.overall[0].second.errors.median_ape == Approx(0.1));  // 0.022 / 0.020 and 0.090 / 0.100
  CHECK(v.groups.at(1).model == "qwen3-32b");
  CHECK(v.groups.at(1).score.errors.bias == Approx(-0.1));
  CHECK_FALSE(v.overall[0].second.coverage);  // replays carry no range that could hold or miss
}
