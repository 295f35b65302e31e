#include "model/calibration/collective_fit.hpp"

#include "model/units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace roofplan::model {
namespace {

constexpr std::string_view kRing = "collective/ring";
constexpr std::string_view kExchange = "collective/exchange";
constexpr std::string_view kEngine = "collective/engine_all_reduce";

/// A parameter of a law: how it is named, searched and set.
template <class Law>
struct Term {
  std::string name, unit;
  double start, low, high;
  std::function<void(Law&, double)> set;

  FitParameter parameter() const { return {name, start, low, high}; }
};

template <class Law>
Term<Law> latency(std::string name, Seconds Law::*member, double start, double low, double high) {
  return {
      std::move(name), "us", start, low, high, [member](Law& law, double v) { law.*member = v * unit::us; }};
}

template <class Law>
Term<Law> rate(std::string name, BytesPerSecond Law::*member, double start, double low, double high) {
  return {std::move(name),
          "GB/s",
          start,
          low,
          high,
          [member](Law& law, double v) { law.*member = v * unit::GB_s; }};
}

template <class Law>
Term<Law> number(std::string name, double Law::*member, double start, double low, double high) {
  return {std::move(name), "1", start, low, high, [member](Law& law, double v) { law.*member = v; }};
}

/// What a rank can send per direction at most (datasheet), GB/s: the bound of every rate.
double line_rate(LinkClass link) {
  switch (link) {
    case LinkClass::nvlink_ampere:
      return 300;
    case LinkClass::nvlink_hopper:
      return 450;
    case LinkClass::nvlink_blackwell:
      return 900;
    case LinkClass::pcie:
      return 64;
  }
  return 64;
}

using RingTerms = std::vector<Term<DomainLaw>>;

RingTerms low_latency_terms(double line) {
  using L = DomainLaw;
  return {latency("launch", &L::launch, 6, 1, 30), latency("ll_hop", &L::ll_hop, 1, 0.1, 5),
          latency("ll_ramp", &L::ll_ramp, 1, 0.01, 10),
          rate("ll_rate", &L::ll_rate, 0.3 * line, 0.02 * line, line)};
}

RingTerms low_latency_128_terms(double line) {
  using L = DomainLaw;
  return {latency("ll128_base", &L::ll128_base, 18, 4, 60),
          latency("ll128_hop", &L::ll128_hop, 0.5, 0.05, 10),
          rate("ll128_rate", &L::ll128_rate, 0.7 * line, 0.1 * line, line)};
}

RingTerms simple_terms(double line) {
  using L = DomainLaw;
  return {latency("simple_base", &L::simple_base, 9, 1, 60),
          latency("simple_hop", &L::simple_hop, 5, 0.2, 40),
          number("overlap", &L::overlap, 1.4, 1, 6),
          rate("bus_rate", &L::bus_rate, 0.75 * line, 0.1 * line, line),
          rate("copy_rate", &L::copy_rate, 2 * line, 0.3 * line, 20 * line),
          number("byte_reduction", &L::byte_reduction, 1.05, 0.8, 1.6)};
}

RingTerms in_switch_terms(double line) {
  using L = DomainLaw;
  // Above the line rate is possible: each rank sends its vector once, while bus bandwidth counts it nearly
  // twice.
  return {latency("switch_base", &L::switch_base, 35, 10, 120),
          latency("switch_ramp", &L::switch_ramp, 60, 1, 400),
          rate("switch_rate", &L::switch_rate, line, 0.4 * line, 1.8 * line)};
}

std::vector<Term<ExchangeLaw>> exchange_terms(LinkClass link) {
  using L = ExchangeLaw;
  const double line = line_rate(link);
  std::vector<Term<L>> terms{latency("base", &L::base, 7, 1, 30),
                             latency("fan_out", &L::fan_out, 1, 0.05, 10),
                             rate("ll_rate", &L::ll_rate, 0.1 * line, 0.005 * line, line),
                             latency("simple_base", &L::simple_base, 14, 1, 60),
                             latency("simple_fan_out", &L::simple_fan_out, 0.5, 0.05, 20),
                             latency("ramp", &L::ramp, 3, 0.1, 100),
                             rate("rate", &L::rate, 0.65 * line, 0.1 * line, line),
                             rate("copy_rate", &L::copy_rate, 2 * line, 0.3 * line, 20 * line)};
  if (link == LinkClass::pcie) {
    terms.push_back(number("pair_gain", &L::pair_gain, 1.3, 1, 3));
    terms.push_back(rate("crossing_rate", &L::crossing_rate, 45, 10, 400));
  }
  return terms;
}

std::vector<Term<EngineAllReduceLaw>> engine_terms(double line) {
  using L = EngineAllReduceLaw;
  return {latency("base", &L::base, 3, 0.5, 15), latency("per_doubling", &L::per_doubling, 0.7, 0.02, 5),
          latency("ramp", &L::ramp, 0.5, 0.01, 10), rate("rate", &L::rate, 0.6 * line, 0.1 * line, 2 * line)};
}

void check(const CollectivePoint& p) {
  if (p.message.bytes.base() > 0 && p.time.base() > 0 && p.message.ranks >= 1 && p.message.element_bytes >= 1)
    return;
  throw InputError(InputError::Kind::content, "a measured collective without size, time or ranks",
                   "bytes and time above zero, at least one rank");
}

/// Fits `law` by its terms; `predict` gives the time of point i. Sets `law` to the result.
template <class Law>
CalibratedLaw fit_terms(std::string_view name, const std::vector<Term<Law>>& terms,
                        const std::vector<CollectivePoint>& points, Law& law,
                        const std::function<Seconds(const Law&, std::size_t)>& predict,
                        double* loss = nullptr) {
  const auto apply = [&](std::span<const double> values) {
    for (std::size_t k = 0; k < terms.size(); ++k) terms[k].set(law, values[k]);
  };
  const ResidualFunction residuals = [&](std::span<const double> values, std::span<double> r) {
    apply(values);
    for (std::size_t i = 0; i < points.size(); ++i) r[i] = std::log(predict(law, i) / points[i].time);
  };
  std::vector<FitParameter> parameters;
  std::vector<std::string> units;
  for (const auto& term : terms) {
    parameters.push_back(term.parameter());
    units.push_back(term.unit);
  }
  const FitResult fit = fit_least_squares(residuals, points.size(), parameters, {.loss_scale = 0.06});
  apply(fit.values());
  std::vector<double> ratios(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) ratios[i] = predict(law, i) / points[i].time;
  CalibratedLaw out{.law = std::string(name)};
  out.add(fit, units);
  out.residuals = error_statistics(ratios);
  if (loss) *loss = fit.loss;
  return out;
}

bool any_takes(const std::vector<Protocol>& protocols, Protocol protocol) {
  return std::find(protocols.begin(), protocols.end(), protocol) != protocols.end();
}

/// Only what the points exercise is fitted: a machine of four ranks says nothing about the switch's adders.
RingTerms ring_terms(LinkClass link, const std::vector<Protocol>& protocols) {
  const double line = line_rate(link);
  RingTerms terms = low_latency_terms(line);
  const auto add = [&](const RingTerms& more) { terms.insert(terms.end(), more.begin(), more.end()); };
  if (any_takes(protocols, Protocol::low_latency_128)) add(low_latency_128_terms(line));
  if (any_takes(protocols, Protocol::simple)) add(simple_terms(line));
  if (any_takes(protocols, Protocol::in_switch)) add(in_switch_terms(line));
  if (link == LinkClass::pcie) terms.push_back(number("pair_gain", &DomainLaw::pair_gain, 1.3, 1, 3));
  return terms;
}

std::optional<CalibratedLaw> fit_ring(DomainLaw& law, const std::vector<CollectivePoint>& points) {
  std::vector<Protocol> protocols;
  for (const auto& p : points) protocols.push_back(domain_protocol(law, p.message));
  const RingTerms terms = ring_terms(law.link, protocols);
  if (points.size() < terms.size()) return std::nullopt;
  CalibratedLaw out = fit_terms<DomainLaw>(kRing, terms, points, law, [&](const DomainLaw& l, std::size_t i) {
    return domain_time(l, points[i].message, protocols[i]);
  });
  out.values.push_back({"node_ranks", static_cast<double>(law.node_ranks)});
  return out;
}

std::optional<CalibratedLaw> fit_exchange(DomainLaw& law, const std::vector<CollectivePoint>& points) {
  const auto terms = exchange_terms(law.link);
  if (points.size() < terms.size()) return std::nullopt;
  DomainLaw trial = law;
  CalibratedLaw out = fit_terms<ExchangeLaw>(kExchange, terms, points, law.exchange,
                                             [&](const ExchangeLaw& x, std::size_t i) {
                                               trial.exchange = x;
                                               return domain_time(trial, points[i].message);
                                             });
  return out;
}

template <class Law>
void read_terms(const std::vector<Term<Law>>& terms, const CalibratedLaw& from, Law& law) {
  for (const auto& term : terms) {
    if (from.has(term.name)) term.set(law, from.value(term.name));
  }
}

LinkClass link_class_from(const CalibratedLaw& law) {
  const std::string link = law.choice("link");
  for (const LinkClass c :
       {LinkClass::nvlink_ampere, LinkClass::nvlink_hopper, LinkClass::nvlink_blackwell, LinkClass::pcie}) {
    if (link == to_text(c)) return c;
  }
  throw InputError(InputError::Kind::content,
                   fmt::format("the law {} has no known link \"{}\"", law.law, link),
                   "nvlink_ampere, nvlink_hopper, nvlink_blackwell or pcie");
}

}  // namespace

std::string_view domain_law_name(Collective op) {
  return op == Collective::all_to_all || op == Collective::send_recv ? kExchange : kRing;
}

DomainLaw unfitted_domain_law(std::string_view system) {
  const auto holds = [&](std::string_view part) { return system.find(part) != std::string_view::npos; };
  DomainLaw law;
  if (holds("gb200") || holds("gb300")) law.node_ranks = 4;
  if (holds("pcie") || holds("rtx")) {
    law.link = LinkClass::pcie;
  } else if (holds("a100")) {
    law.link = LinkClass::nvlink_ampere;
  } else if (holds("h100") || holds("h200") || holds("h800")) {
    law.link = LinkClass::nvlink_hopper;
  } else if (holds("b200") || holds("b300")) {
    law.link = LinkClass::nvlink_blackwell;
  } else {
    throw InputError(InputError::Kind::content,
                     fmt::format("no link class is known for the system \"{}\"", system), {}, {},
                     nearest_names(system, {"a100_sxm", "h100_sxm", "h200_sxm", "b200_sxm", "b300_sxm",
                                            "gb200", "gb300", "rtx_pro_6000_server"}));
  }
  return law;
}

std::vector<CalibratedLaw> fit_domain_law(const DomainLaw& unfitted,
                                          const std::vector<CollectivePoint>& points) {
  std::vector<CollectivePoint> ring, exchange;
  for (const CollectivePoint& p : points) {
    check(p);
    if (p.message.ranks > 1) (domain_law_name(p.message.op) == kExchange ? exchange : ring).push_back(p);
  }
  DomainLaw law = unfitted;
  std::vector<CalibratedLaw> out;
  for (auto&& fitted : {fit_ring(law, ring), fit_exchange(law, exchange)}) {
    if (!fitted) continue;
    out.push_back(*fitted);
    out.back().choices = {{"link", std::string(to_text(law.link))}};
  }
  return out;
}

CalibratedLaw fit_engine_all_reduce(const DomainLaw& library, const std::vector<CollectivePoint>& points) {
  for (const CollectivePoint& p : points) check(p);
  const auto terms = engine_terms(line_rate(library.link));
  CalibratedLaw best;
  double best_loss = std::numeric_limits<double>::infinity();
  // The limits are the engine's own table: a grid of half octaves, none at all among them.
  for (const double falls : {0.0, 1.0}) {
    for (double limit = 0.0; limit <= 6.5e7; limit = limit == 0.0 ? 131072 : limit * std::sqrt(2.0)) {
      EngineAllReduceLaw law;
      law.limit = limit * unit::B;
      law.limit_falls = falls;
      double loss = 0.0;
      CalibratedLaw fitted = fit_terms<EngineAllReduceLaw>(
          kEngine, terms, points, law,
          [&](const EngineAllReduceLaw& l, std::size_t i) {
            return engine_all_reduce_time(l, library, points[i].message);
          },
          &loss);
      if (loss >= best_loss) continue;
      best_loss = loss;
      best = std::move(fitted);
      if (limit == 0.0) best.values.clear();  // nothing was fitted: the library does it all
      best.values.push_back({"limit", limit / 1024, "KiB"});
      best.values.push_back({"limit_falls", falls});
    }
  }
  return best;
}

std::optional<DomainLaw> domain_law(const Calibration& calibration) {
  const CalibratedLaw* ring = calibration.find(kRing);
  if (!ring) return std::nullopt;
  DomainLaw law;
  law.link = link_class_from(*ring);
  law.node_ranks = static_cast<int>(ring->value("node_ranks"));
  RingTerms terms = ring_terms(law.link, {Protocol::low_latency_128, Protocol::simple, Protocol::in_switch});
  read_terms(terms, *ring, law);
  if (const CalibratedLaw* exchange = calibration.find(kExchange)) {
    read_terms(exchange_terms(law.link), *exchange, law.exchange);
  }
  return law;
}

std::optional<EngineAllReduceLaw> engine_all_reduce_law(const Calibration& calibration) {
  const CalibratedLaw* fitted = calibration.find(kEngine);
  if (!fitted) return std::nullopt;
  EngineAllReduceLaw law;
  read_terms(engine_terms(1.0), *fitted, law);
  law.limit = fitted->value("limit") * unit::KiB;
  law.limit_falls = fitted->value("limit_falls");
  return law;
}

}  // namespace roofplan::model
