#include "model/calibration/collective_layouts.hpp"

#include "model/calibration/collective_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace roofplan::model {
namespace {

constexpr int kMostRanks = 1'000'000;

std::optional<int> element_bytes(const std::string& dtype) {
  static const std::map<std::string, int, std::less<>> kBytes{
      {"int8", 1}, {"uint8", 1},    {"fp8", 1},   {"half", 2},    {"float16", 2}, {"fp16", 2},
      {"bf16", 2}, {"bfloat16", 2}, {"float", 4}, {"float32", 4}, {"fp32", 4},    {"double", 8}};
  const auto it = kBytes.find(dtype);
  return it == kBytes.end() ? std::nullopt : std::optional(it->second);
}

/// A table of collectives with its columns found.
class CollectiveTable {
 public:
  explicit CollectiveTable(const CsvTable& table)
      : table_(table),
        system_(table.column("system")),
        dtype_(table.column("dtype")),
        gpus_(table.column("gpus")),
        bytes_(table.column("bytes")),
        latency_(table.column("latency_ms")),
        op_(table.find("op")) {}

  const std::string& system(std::size_t row) const { return table_.text(row, system_); }
  std::string operation(std::size_t row) const { return op_ ? table_.text(row, *op_) : "engine_all_reduce"; }
  double latency_ms(std::size_t row) const { return table_.positive(row, latency_); }

  /// The message of a row, or nothing with the reason.
  std::optional<Message> message(std::size_t row, std::string& reason) const {
    const auto op = op_ ? collective_from(table_.text(row, *op_)) : std::optional(Collective::all_reduce);
    const auto element = element_bytes(table_.text(row, dtype_));
    Message m{.bytes = table_.positive(row, bytes_) * unit::B,
              .ranks = static_cast<int>(std::min<long long>(table_.whole(row, gpus_, 1), kMostRanks))};
    if (!op) {
      reason = fmt::format("unknown operation {}", table_.text(row, *op_));
    } else if (!element) {
      reason = fmt::format("unknown data type {}", table_.text(row, dtype_));
    } else if (m.ranks < 2) {
      reason = "one GPU exchanges nothing";
    } else {
      m.op = *op;
      m.element_bytes = *element;
      return m;
    }
    return std::nullopt;
  }

 private:
  const CsvTable& table_;
  std::size_t system_, dtype_, gpus_, bytes_, latency_;
  std::optional<std::size_t> op_;
};

std::string_view law_name(bool engine, Collective op) {
  return engine ? "collective/engine_all_reduce" : domain_law_name(op);
}

/// Laws of one system, unpacked once for all its rows.
struct SystemLaws {
  const Calibration* calibration = nullptr;
  std::optional<DomainLaw> domain;
  std::optional<EngineAllReduceLaw> engine;

  explicit SystemLaws(const Calibration* c) : calibration(c) {
    if (!c) return;
    domain = domain_law(*c);
    engine = engine_all_reduce_law(*c);
  }

  std::optional<Seconds> time(bool by_engine, const Message& m) const {
    if (!domain || !calibration->find(law_name(by_engine, m.op))) return std::nullopt;
    return by_engine ? engine_all_reduce_time(*engine, *domain, m) : domain_time(*domain, m);
  }
};

void predict_row(const CollectiveTable& rows, const SystemLaws& laws, bool by_engine, RowPrediction& out) {
  out.metric = "latency_ms";
  out.system = rows.system(out.row);
  out.operation = rows.operation(out.row);
  out.measured = rows.latency_ms(out.row);
  const auto message = rows.message(out.row, out.reason);
  const auto time = message ? laws.time(by_engine, *message) : std::nullopt;
  if (!time) {
    out.state = RowPrediction::State::unsupported;
    if (message) {
      out.reason = laws.calibration ? fmt::format("the calibration of {} has no {}", out.system,
                                                  law_name(by_engine, message->op))
                                    : fmt::format("no calibration of the system {}", out.system);
    }
    return;
  }
  out.predicted = *time / unit::ms;
  const double spread = 1.0 + laws.calibration->at(law_name(by_engine, message->op)).residuals.p90_ape;
  out.low = out.predicted / spread;
  out.high = out.predicted * spread;
}

std::vector<RowPrediction> predict(const CsvTable& table, const CalibrationSet& calibrations) {
  const CollectiveTable rows(table);
  const bool by_engine = !table.has("op");
  std::map<std::string, SystemLaws> known;
  std::vector<RowPrediction> out(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::string& system = rows.system(row);
    auto it = known.find(system);
    if (it == known.end()) it = known.emplace(system, SystemLaws(calibrations.find(system))).first;
    out[row].row = row;
    predict_row(rows, it->second, by_engine, out[row]);
    if (!calibrations.added(system)) out[row].subject = system + " " + out[row].operation;
  }
  return out;
}

std::vector<std::string> systems(const CsvTable& table) {
  const CollectiveTable rows(table);
  std::vector<std::string> out;
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (std::find(out.begin(), out.end(), rows.system(row)) == out.end()) out.push_back(rows.system(row));
  }
  return out;
}

std::vector<CollectivePoint> points_of(std::span<const CsvTable* const> tables, const std::string& system) {
  std::vector<CollectivePoint> points;
  std::string reason;
  for (const CsvTable* table : tables) {
    const CollectiveTable rows(*table);
    for (std::size_t row = 0; row < table->size(); ++row) {
      if (rows.system(row) != system) continue;
      if (const auto message = rows.message(row, reason))
        points.push_back({*message, rows.latency_ms(row) * unit::ms});
    }
  }
  return points;
}

/// A rack whose times are published, for a rack with the same links of which only one node was measured.
struct RackSibling {
  std::string_view system, sibling;
};

constexpr RackSibling kRackSiblings[] = {{"gb300", "gb200"}};  // both NVLink 5 and the same switches

/// Adds the points beyond one node of the sibling's rack where `points` has none of its own.
void borrow_rack(std::span<const CsvTable* const> tables, const std::string& system, int node_ranks,
                 std::vector<CollectivePoint>& points, Calibration& into) {
  const auto beyond = [&](const CollectivePoint& p) { return p.message.ranks > node_ranks; };
  if (std::any_of(points.begin(), points.end(), beyond)) return;
  for (const auto& [own, sibling] : kRackSiblings) {
    if (own != system) continue;
    const std::size_t before = points.size();
    for (const CollectivePoint& p : points_of(tables, std::string(sibling))) {
      if (beyond(p)) points.push_back(p);
    }
    if (points.size() == before) continue;
    into.notes.push_back(
        fmt::format("Beyond {} accelerators the links are taken as on {}, which has the same: no "
                    "times of a whole rack are published for {}.",
                    node_ranks, sibling, system));
  }
}

void fit_library(std::span<const CsvTable* const> tables, const std::string& system, const CalibrationSet&,
                 Calibration& into) {
  auto points = points_of(tables, system);
  if (points.empty()) return;
  const DomainLaw unfitted = unfitted_domain_law(system);
  borrow_rack(tables, system, unfitted.node_ranks, points, into);
  for (CalibratedLaw& law : fit_domain_law(unfitted, points)) into.set(std::move(law));
}

void fit_engine(std::span<const CsvTable* const> tables, const std::string& system, const CalibrationSet&,
                Calibration& into) {
  const auto points = points_of(tables, system);
  const auto library = domain_law(into);
  if (points.empty()) return;
  if (!library) {
    throw InputError(InputError::Kind::content,
                     fmt::format("the engine's all-reduce on {} is fitted beside the library's", system),
                     "a table of the library's collectives of the same system as well");
  }
  into.set(fit_engine_all_reduce(*library, points));
}

}  // namespace

std::vector<TableLayout> collective_layouts() {
  return {{"collectives of the library",
           {"system", "op", "dtype", "gpus", "bytes", "latency_ms"},
           predict,
           systems,
           fit_library},
          {"all-reduce of the engine",
           {"system", "dtype", "gpus", "bytes", "latency_ms"},
           predict,
           systems,
           fit_engine}};
}

}  // namespace roofplan::model
