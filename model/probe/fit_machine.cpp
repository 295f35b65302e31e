#include "model/probe/fit_machine.hpp"

#include "model/calibration/kernels/law_terms.hpp"
#include "model/calibration/least_squares.hpp"
#include "model/probe/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace roofplan::probe {
namespace {

using model::CalibratedLaw;
using model::Calibration;
using model::LawTerm;
using model::ProbeResult;
namespace unit = model::unit;

std::vector<ProbeResult> named(const Calibration& calibration, std::string_view name) {
  std::vector<ProbeResult> out;
  for (const ProbeResult& p : calibration.probes) {
    if (p.name == name) out.push_back(p);
  }
  return out;
}

/// What stands behind "stem/" in the names of the probes.
std::set<std::string> variants(const Calibration& calibration, std::string_view stem) {
  std::set<std::string> out;
  for (const ProbeResult& p : calibration.probes) {
    if (p.name.starts_with(stem)) out.insert(p.name.substr(stem.size()));
  }
  return out;
}

template <class Law>
std::vector<LawTerm<Law>> terms();

template <>
std::vector<LawTerm<StreamLaw>> terms() {
  return {model::gigabytes_per_second("memory_rate", &StreamLaw::memory_rate, 100, 1, 20'000),
          model::gigabytes_per_second("cache_rate", &StreamLaw::cache_rate, 400, 1, 100'000),
          model::term("cache", "MB", unit::MB, &StreamLaw::cache, 20, 0.1, 2000)};
}
template <>
std::vector<LawTerm<ThreadLaw>> terms() {
  return {model::gigabytes_per_second("one", &ThreadLaw::one, 20, 0.5, 2000),
          model::gigabytes_per_second("all", &ThreadLaw::all, 100, 0.5, 20'000)};
}
template <>
std::vector<LawTerm<RooflineLaw>> terms() {
  return {model::microseconds("launch", &RooflineLaw::launch, 5, 0.1, 1000),
          model::gigabytes_per_second("rate", &RooflineLaw::rate, 50, 0.1, 20'000),
          model::teraflops("compute_rate", &RooflineLaw::compute_rate, 0.1, 1e-4, 20'000)};
}
template <>
std::vector<LawTerm<CopyLaw>> terms() {
  return {model::microseconds("latency", &CopyLaw::latency, 5, 0.05, 10'000),
          model::gigabytes_per_second("rate", &CopyLaw::rate, 10, 0.01, 20'000)};
}

/// The points of one law, with what they measured and what the law says of them.
template <class Law>
struct Points {
  std::vector<ProbeResult> results;
  std::function<Seconds(const ProbeResult&)> measured;
  std::function<Seconds(const Law&, const ProbeResult&)> predicted;
};

template <class Law>
struct Fitted {
  CalibratedLaw law;
  double loss = 0;
};

/// Fits the terms of a law of this form: residuals are log(predicted / measured) of the times. Nothing where
/// no point is left over to tell how well it fits.
template <class Law>
std::optional<Fitted<Law>> fit(const std::string& name, const Law& form, const Points<Law>& points) {
  const auto parameters = terms<Law>();
  const std::size_t count = points.results.size();
  if (count <= parameters.size()) return std::nullopt;
  const auto residuals = [&](std::span<const double> values, std::span<double> out) {
    const Law law = model::with_values(form, parameters, values);
    for (std::size_t i = 0; i < count; ++i)
      out[i] = std::log(points.predicted(law, points.results[i]) / points.measured(points.results[i]));
  };
  const model::FitResult found =
      model::fit_least_squares(residuals, count, model::fit_parameters(parameters));
  Fitted<Law> out{.law = {.law = name}, .loss = found.loss};
  out.law.add(found, model::units_of(parameters));
  std::vector<double> ratios(count);
  residuals(found.values(), ratios);
  for (double& r : ratios) r = std::exp(r);
  out.law.residuals = model::error_statistics(ratios);
  return out;
}

template <class Law>
void set_fit(Calibration& calibration, const std::string& name, const Points<Law>& points) {
  if (auto found = fit(name, Law{}, points)) calibration.set(std::move(found->law));
}

/// The better of the two forms: reading while computing, or in turn.
void set_roofline(Calibration& calibration, const std::string& name, const Points<RooflineLaw>& points) {
  std::optional<Fitted<RooflineLaw>> best;
  for (const bool overlaps : {true, false}) {
    auto found = fit(name, RooflineLaw{.overlaps = overlaps}, points);
    if (!found || (best && best->loss <= found->loss)) continue;
    found->law.choices = {{"overlap", overlaps ? "full" : "none"}};
    best = std::move(found);
  }
  if (best) calibration.set(std::move(best->law));
}

Bytes bytes_of(const ProbeResult& p) {
  return parameter(p, "bytes") * unit::B;
}
Seconds by_bytes(const ProbeResult& p) {
  return time_of(p, p.unit.find("B/s") == std::string::npos ? 0.0 : parameter(p, "bytes"));
}
Seconds as_time(const ProbeResult& p) {
  return time_of(p, 0);
}

template <class Law>
std::optional<Law> law_of(const Calibration& calibration, const std::string& name) {
  const CalibratedLaw* found = calibration.find(name);
  if (found == nullptr) return std::nullopt;
  Law law{};
  model::read_values(law, terms<Law>(), *found);
  return law;
}

void fit_streams(Calibration& calibration) {
  set_fit<StreamLaw>(
      calibration, "machine/stream",
      {named(calibration, "memory/read"), by_bytes,
       [](const StreamLaw& law, const ProbeResult& p) { return bytes_of(p) / law.rate(bytes_of(p)); }});
  // Per byte: the law is of rates alone.
  set_fit<ThreadLaw>(
      calibration, "machine/threads",
      {named(calibration, "memory/threads"), [](const ProbeResult& p) { return time_of(p, 1.0); },
       [](const ThreadLaw& law, const ProbeResult& p) {
         return unit::B / law.rate(parameter(p, "threads"));
       }});
}

void fit_copies(Calibration& calibration) {
  const auto of_copy = [](const CopyLaw& law, const ProbeResult& p) { return law.time(bytes_of(p)); };
  set_fit<CopyLaw>(calibration, "machine/elementwise",
                   {named(calibration, "elementwise"), by_bytes, of_copy});
  for (const std::string& kind : variants(calibration, "copy/"))
    set_fit<CopyLaw>(calibration, "machine/copy/" + kind,
                     {named(calibration, "copy/" + kind), by_bytes, of_copy});
}

/// A law for each kind and number of ranks, of those launched by the host or of those within a graph.
void fit_collectives(Calibration& calibration, const std::string& stem) {
  const auto of_message = [](const CopyLaw& law, const ProbeResult& p) { return law.time(bytes_of(p)); };
  for (const std::string& kind : variants(calibration, stem + "/")) {
    std::map<int, std::vector<ProbeResult>> by_ranks;
    for (ProbeResult& p : named(calibration, stem + "/" + kind))
      by_ranks[static_cast<int>(parameter(p, "ranks"))].push_back(std::move(p));
    for (auto& [ranks, points] : by_ranks)
      set_fit<CopyLaw>(calibration, fmt::format("machine/{}/{}/{}", stem, kind, ranks),
                       {std::move(points), by_bytes, of_message});
  }
}

Seconds of_product(const RooflineLaw& law, const ProbeResult& p) {
  const double m = parameter(p, "m"), n = parameter(p, "n"), k = parameter(p, "k");
  return law.time(product_bytes(m, n, k, bytes_of(p)), 2 * m * n * k * unit::flop);
}

Seconds of_attention(const RooflineLaw& law, const ProbeResult& p) {
  return law.time(bytes_of(p), parameter(p, "flop") * unit::flop);
}

template <>
std::optional<RooflineLaw> law_of(const Calibration& calibration, const std::string& name) {
  const CalibratedLaw* found = calibration.find(name);
  if (found == nullptr) return std::nullopt;
  RooflineLaw law{.overlaps = found->choice("overlap", "full") != "none"};
  model::read_values(law, terms<RooflineLaw>(), *found);
  return law;
}

}  // namespace

void fit_machine(Calibration& calibration) {
  fit_streams(calibration);
  for (const std::string& format : variants(calibration, "product/"))
    set_roofline(calibration, "machine/product/" + format,
                 {named(calibration, "product/" + format), as_time, of_product});
  for (const std::string& format : variants(calibration, "attention/"))
    set_roofline(calibration, "machine/attention/" + format,
                 {named(calibration, "attention/" + format), as_time, of_attention});
  for (const std::string& kind : variants(calibration, "attention_products/"))
    set_roofline(calibration, "machine/attention_products/" + kind,
                 {named(calibration, "attention_products/" + kind), as_time, of_attention});
  fit_copies(calibration);
  fit_collectives(calibration, "collective");
  fit_collectives(calibration, "collective_in_graph");
}

std::optional<StreamLaw> stream_law(const Calibration& calibration) {
  return law_of<StreamLaw>(calibration, "machine/stream");
}
std::optional<ThreadLaw> thread_law(const Calibration& calibration) {
  return law_of<ThreadLaw>(calibration, "machine/threads");
}
std::optional<RooflineLaw> product_law(const Calibration& calibration, std::string_view format) {
  return law_of<RooflineLaw>(calibration, fmt::format("machine/product/{}", format));
}
std::optional<RooflineLaw> attention_law(const Calibration& calibration, std::string_view format) {
  return law_of<RooflineLaw>(calibration, fmt::format("machine/attention/{}", format));
}
std::optional<RooflineLaw> product_attention_law(const Calibration& calibration, std::string_view kind) {
  return law_of<RooflineLaw>(calibration, fmt::format("machine/attention_products/{}", kind));
}
std::optional<CopyLaw> collective_law(const Calibration& calibration, std::string_view kind, int ranks,
                                      bool in_graph) {
  return law_of<CopyLaw>(calibration,
                         fmt::format("machine/collective{}/{}/{}", in_graph ? "_in_graph" : "", kind, ranks));
}
std::optional<CopyLaw> elementwise_law(const Calibration& calibration) {
  return law_of<CopyLaw>(calibration, "machine/elementwise");
}
std::optional<CopyLaw> copy_law(const Calibration& calibration, std::string_view kind) {
  return law_of<CopyLaw>(calibration, fmt::format("machine/copy/{}", kind));
}

}  // namespace roofplan::probe
