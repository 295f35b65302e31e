#include "model/roofline/error_ranges.hpp"

#include "model/json/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace roofplan::model {
namespace {

using Basis = EngineSpeed::Basis;

constexpr std::array kEstimates{Estimate::token_alone, Estimate::token,      Estimate::first_token,
                                Estimate::prefill,     Estimate::throughput, Estimate::kernel};
/// Those with rows of their own, the strongest first.
constexpr std::array kBases{Basis::catalogue, Basis::family, Basis::datasheet};

/// The estimate itself and those that err alike, nearest first.
std::vector<Estimate> kindred(Estimate estimate) {
  switch (estimate) {
    case Estimate::token_alone:
      return {Estimate::token_alone, Estimate::token};
    case Estimate::token:
      return {Estimate::token, Estimate::token_alone};
    case Estimate::first_token:
      return {Estimate::first_token, Estimate::prefill, Estimate::token};
    case Estimate::prefill:
      return {Estimate::prefill, Estimate::first_token, Estimate::token};
    case Estimate::throughput:
      return {Estimate::throughput, Estimate::token, Estimate::token_alone};
    case Estimate::kernel:
      break;
  }
  return {Estimate::kernel};
}

ErrorRange read_range(const JsonReader& entry) {
  const std::vector<JsonReader> parts = entry.elements();
  if (parts.size() != 3) entry.fail("a range has three parts", "[low, high, rows]");
  const ErrorRange range{parts[0].as_number(), parts[1].as_number(),
                         static_cast<std::size_t>(parts[2].as_integer(1))};
  if (!(range.low > 0 && range.low <= 1 && range.high >= 1))
    entry.fail("a range holds the estimate itself", "0 < low <= 1 <= high");
  return range;
}

}  // namespace

const char* to_text(Estimate estimate) {
  switch (estimate) {
    case Estimate::token_alone:
      return "token alone";
    case Estimate::token:
      return "token";
    case Estimate::first_token:
      return "first token";
    case Estimate::prefill:
      return "prefill";
    case Estimate::throughput:
      return "throughput";
    case Estimate::kernel:
      break;
  }
  return "kernel";
}

const char* to_text(EngineSpeed::Basis basis) {
  switch (basis) {
    case Basis::catalogue:
      return "catalogue";
    case Basis::machine:
      return "machine";
    case Basis::family:
      return "family";
    case Basis::datasheet:
      break;
  }
  return "datasheet";
}

ErrorRange ErrorRange::widened(double log_spread) const {
  constexpr double kDeviations = 1.2816;  // 80 % of a normal distribution lie within
  const double more = kDeviations * log_spread;
  return {std::exp(-std::hypot(std::log(low), more)), std::exp(std::hypot(std::log(high), more)), n};
}

std::string ErrorRanges::pools_of(std::string_view engine) {
  return std::string(engine) + " separate pools";
}

ErrorRanges::ErrorRanges(const DataFiles& files, const Sources& sources) {
  const std::string path = "ranges.json";
  const std::string file = files.shown_path(path);
  const Json json = parse_json(files.text(path), file);
  const JsonReader root(json, file);
  root.at("schema").as_word({"roofplan.ranges"});
  root.at("schema_version").as_integer(1, 1);
  root.at("kind").as_word({"measured"});
  root.at("note").as_string();
  for (const JsonReader& source : root.at("sources").elements()) {
    sources_.push_back(source.as_string());
    if (!sources.contains(sources_.back())) source.fail("unknown source", "an id of sources.json");
  }
  const JsonReader subjects = root.at("ranges");
  for (const auto& [subject, entries] : subjects.members()) {
    for (const Basis basis : kBases) {
      for (const Estimate estimate : kEstimates) {
        const auto entry = entries.find(std::string(to_text(estimate)) + ", " + to_text(basis));
        if (entry) add(subject, estimate, basis, read_range(*entry));
      }
    }
    entries.finish();
  }
  root.finish();
  if (!find(kAnyEngine, Estimate::token, Basis::datasheet))
    subjects.fail("no range to fall back on", "\"any engine\" with \"token, datasheet\"");
}

void ErrorRanges::add(const std::string& subject, Estimate estimate, Basis basis, const ErrorRange& range) {
  subjects_[subject][{estimate, basis}] = range;
}

const ErrorRange* ErrorRanges::find(std::string_view subject, Estimate estimate, Basis basis) const {
  const auto found = subjects_.find(subject);
  if (found == subjects_.end()) return nullptr;
  const auto entry = found->second.find({estimate, basis});
  return entry == found->second.end() ? nullptr : &entry->second;
}

const ErrorRange* ErrorRanges::nearest(std::string_view subject, Estimate estimate, Basis basis) const {
  for (const Estimate like : kindred(estimate)) {
    if (const ErrorRange* range = find(subject, like, basis)) return range;
  }
  return nullptr;
}

ErrorRange ErrorRanges::of(std::string_view subject, Estimate estimate, Basis basis) const {
  if (basis == Basis::machine) {
    const bool steps = estimate != Estimate::first_token && estimate != Estimate::prefill;
    if (const ErrorRange* own = find(kThisMachine, Estimate::token, basis); own != nullptr && steps) {
      if (subject == kBareKernels) return *own;
      const ErrorRange engine = of(subject, estimate, Basis::catalogue);
      return {engine.low * own->low, engine.high * own->high, own->n};
    }
    // Kernels of the machine under an engine fitted elsewhere are known as those of a family's chip are.
    basis = Basis::family;
  }
  ErrorRange out;
  for (const Basis at : kBases) {
    if (at > basis) break;
    const ErrorRange* range = nearest(subject, estimate, at);
    if (!range) range = nearest(kAnyEngine, estimate, at);
    if (!range) range = nearest(kAnyEngine, estimate, Basis::datasheet);
    if (range) out = {std::min(out.low, range->low), std::max(out.high, range->high), range->n};
  }
  return out;
}

}  // namespace roofplan::model
