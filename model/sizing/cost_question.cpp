#include "model/sizing/cost_question.hpp"

#include "model/calibration/fabric_path.hpp"
#include "model/catalog/fabric_parts.hpp"
#include "model/cost/finance.hpp"
#include "model/power/site.hpp"
#include "model/sizing/site_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofplan::model {
namespace {

constexpr double kHoursPerYear = 8760;
/// Prices that are older than this against the newest of the catalogue are called old.
constexpr int kOldDays = 180;

int days_of(const std::string& date) {
  const auto part = [&](std::size_t at, std::size_t size) {
    return date.size() >= at + size ? std::stoi(date.substr(at, size)) : 1;
  };
  return part(0, 4) * 365 + part(5, 2) * 30 + part(8, 2);
}

/// Fills one option: exchanges money, notes sources and what is missing.
class Account {
 public:
  Account(const CostRequest& request, CostOption& option)
      : request_(request),
        option_(option),
        catalog_(request.data->catalog()),
        currency_(request.scenario->money.currency) {
    option_.capital = option_.later = option_.paid_per_year = option_.total = option_.resale = zero();
  }

  Money zero() const { return {0, currency_}; }
  Money local(Money amount) {
    if (amount.currency() == currency_) return amount;
    const Money out = exchange(amount, currency_, catalog_.exchange_rates());
    if (!exchanged_)
      option_.warnings.push_back(Text("cost.exchanged", {{"rate", rate_text(amount.currency())}}));
    exchanged_ = true;
    return out;
  }
  Money add(const std::string& item, std::int64_t count, const Price& price, double factor = 1) {
    const Money each = local(price.money() * factor);
    option_.items.push_back({item, count, each, price.id, price.amount.provenance.source,
                             price.amount.provenance.date,
                             price.amount.provenance.kind == Provenance::Kind::estimate, price.quoted});
    if (is_old(price))
      option_.warnings.push_back(
          Text("cost.old_price", {{"price", price.id}, {"date", price.amount.provenance.date}}));
    return each * static_cast<double>(count);
  }
  void missing(const std::string& part) { option_.unpriced.push_back(part); }

  /// Years, total and present value from what is paid at the start and in a year.
  void close() {
    const MoneySettings& money = request_.scenario->money;
    std::vector<double> flows{option_.capital.amount()};
    option_.whole = option_.year * money.years;
    option_.paid_per_year_end = option_.paid_per_year;
    option_.total = option_.capital;
    for (double left = money.years; left > 1e-9; left -= 1) {
      const Money paid = option_.paid_per_year * std::min(1.0, left);
      option_.yearly.push_back(paid);
      option_.total += paid;
      flows.push_back(paid.amount());
    }
    option_.total = option_.total - option_.resale;
    flows.back() -= option_.resale.amount();
    option_.present_value = {net_present_value(money.discount, flows), currency_};
    if (!request_.output || *request_.output <= TokensPerSecond()) return;
    option_.per_mtok =
        cost_per_million_tokens(option_.total / (money.years * kHoursPerYear), *request_.output, 1.0);
  }

 private:
  bool is_old(const Price& price) const {
    if (price.quoted) return false;
    int newest = 0;
    for (const Price& other : catalog_.prices().all())
      if (!other.amount.provenance.date.empty())
        newest = std::max(newest, days_of(other.amount.provenance.date));
    return days_of(price.amount.provenance.date) < newest - kOldDays;
  }
  std::string rate_text(Currency from) const {
    for (const ExchangeRate& rate : catalog_.exchange_rates())
      if ((rate.from == from && rate.to == currency_) || (rate.to == from && rate.from == currency_))
        return fmt::format("{} = {} {} ({})", rate.from.code(), rate.rate, rate.to.code(), rate.date);
    return {};
  }

  const CostRequest& request_;
  CostOption& option_;
  const Catalog& catalog_;
  Currency currency_;
  bool exchanged_ = false;
};

const Price* system_price(const PriceCatalog& prices, const System& system, Price::Per per) {
  const std::vector<const Price*> known = prices.of_system(system.id, per);
  const auto list = std::find_if(known.begin(), known.end(),
                                 [](const Price* p) { return p->quoted || p->terms == "list"; });
  if (list != known.end()) return *list;
  return known.empty() ? nullptr : known.front();
}

std::int64_t accelerators_of(const CostRequest& r) {
  return r.scenario->system.gpus.value_or(r.count * r.system->accelerators);
}

/// False where the systems have no price at all.
bool buy_systems(const CostRequest& r, Account& account, Money& capital) {
  const PriceCatalog& prices = r.data->catalog().prices();
  if (const Price* whole = system_price(prices, *r.system, Price::Per::system)) {
    capital += account.add(r.system->id, r.count, *whole);
  } else if (const Price* each = system_price(prices, *r.system, Price::Per::accelerator)) {
    capital += account.add(r.system->id + ": accelerators", accelerators_of(r), *each);
    account.missing(r.system->id + ": the rest of the system");
  } else {
    account.missing(r.system->id);
    return false;
  }
  return true;
}

/// The network that joins several systems, as far as its parts have prices.
void buy_network(const CostRequest& r, Account& account, Money& capital) {
  std::vector<BillLine> bill;
  try {
    bill = network_bill(r);
  } catch (const InputError&) {
    account.missing("network");
    return;
  }
  for (const BillLine& line : bill) {
    if (line.inside_system) continue;
    const auto& all = r.data->catalog().prices().all();
    const auto price = std::find_if(all.begin(), all.end(), [&](const Price& p) {
      return p.id == line.part && p.per == Price::Per::part && p.amount.known();
    });
    if (price == all.end()) {
      account.missing(fmt::format("{} x {}", line.count, line.part));
    } else {
      capital += account.add(line.part, line.count, *price);
    }
  }
}

/// The computers that cards stand in: part of a card's quotation, else at the scenario's price.
void buy_hosts(const CostRequest& r, Account& account, CostOption& option) {
  if (r.system->system_class != System::Class::card) return;
  const bool quoted =
      std::any_of(option.items.begin(), option.items.end(), [](const CostItem& i) { return i.quoted; });
  if (quoted) return;
  const MoneySettings& money = r.scenario->money;
  if (!money.host_price) {
    account.missing(kHostOfCards);
    return;
  }
  const std::int64_t hosts = ceil_div(r.count, money.cards_per_host);
  const Money each = account.zero() + Money(*money.host_price, account.zero().currency());
  option.items.push_back({kHostOfCards, hosts, each, "money.host_price", "", "", false, true});
  option.capital += each * static_cast<double>(hosts);
}

/// What the scenario states of a part; desktops need none, other systems lack its price.
Money stated(const CostRequest& r, Account& account, const std::optional<double>& amount, const char* part) {
  if (amount) return account.zero() + Money(*amount, account.zero().currency());
  if (r.system->system_class != System::Class::desktop) account.missing(part);
  return account.zero();
}

/// Electricity of a year on the facility's power: compute at the planned load, the rest of IT, cooling.
std::optional<Money> energy(const CostRequest& r, Account& account, CostOption& option) {
  SiteRequest site = site_request(*r.scenario, *r.system, r.data->catalog());
  site.count = r.count;
  site.gpus.reset();
  SiteAnswer answer;
  try {
    answer = plan_site(*r.system, site);
  } catch (const InputError&) {
    if (!r.compute_power) return std::nullopt;
    answer.pue = r.scenario->site.pue.value_or(1.3);
  }
  const Watts facility = (r.compute_power.value_or(answer.it.compute) + answer.beside_compute()) * answer.pue;
  const SiteCatalog& sites = r.data->catalog().sites();
  const auto& named = r.scenario->money.tariff;
  const Tariff& tariff =
      named ? sites.tariff(*named) : sites.tariff_of_country(r.scenario->site.country, facility);
  if (!tariff.covers(facility)) {
    const bool below = facility < tariff.contract_min_kw * unit::kW;
    option.warnings.push_back(
        Text(below ? "cost.contract_from" : "cost.contract_below",
             {{"tariff", tariff.id},
              {"limit", fmt::format("{:g} kW", below ? tariff.contract_min_kw : tariff.contract_max_kw)},
              {"source", tariff.source},
              {"load", to_text(facility)}}));
  }
  option.tariff = tariff.id;
  option.pue = answer.pue;
  option.warnings.push_back(Text("cost.tariff", {{"tariff", tariff.id}, {"date", tariff.effective}}));
  return account.local(yearly_bill(tariff, facility));
}

}  // namespace

std::int64_t boxes_of_replica(const ParallelPlan& plan, bool pools, std::int64_t systems,
                              const System& system) {
  if (pools) return systems;
  return std::min(systems, ceil_div(plan.devices_per_replica(), system.accelerators));
}

std::vector<BillLine> network_bill(const CostRequest& r) {
  const bool desktops = r.system->system_class == System::Class::desktop;
  const std::int64_t joined = desktops ? r.linked.value_or(r.count) : r.count;
  if (joined < 2 || r.system->system_class == System::Class::card) return {};
  const Catalog& catalog = r.data->catalog();
  const PartPrices none = [](const std::string&) { return std::optional<Money>(); };
  std::vector<BillLine> bill = plan_fabric(joined, 1.0, fabric_parts(*r.system, catalog.network()),
                                           fabric_path(*r.system, r.data->calibrations(), catalog.links()),
                                           r.system->accelerators, none)
                                   .bill;
  for (BillLine& line : bill) line.count *= r.count / joined;
  return bill;
}

Money price_part(const CostOption& owned) {
  return owned.capital + owned.later + owned.whole.support - owned.resale;
}

CostOption owned_cost(const CostRequest& r) {
  CostOption out;
  out.name = fmt::format("{} x {}", r.count, r.system->id);
  Account account(r, out);
  out.priced = buy_systems(r, account, out.capital);
  buy_network(r, account, out.capital);
  buy_hosts(r, account, out);
  const MoneySettings& money = r.scenario->money;
  out.capital += stated(r, account, money.installation, "racks and installation");
  const double support = money.support_share.value_or(kSupportShare);
  out.resale = out.capital * money.resale_share;
  out.year = {(out.capital - out.resale) / money.years, account.zero(), out.capital * support,
              stated(r, account, money.room_per_year, "room"),
              stated(r, account, money.people_per_year, "people")};
  if (const auto bill = energy(r, account, out)) {
    out.year.energy = *bill;
  } else {
    account.missing("electricity: the system's power is unknown");
  }
  out.paid_per_year = out.year.running();
  if (!money.support_share)
    out.warnings.push_back(Text("cost.support", {{"share", fmt::format("{:.0f} %", 100 * support)}}));
  account.close();
  return out;
}

std::optional<CostOption> rented_cost(const CostRequest& r) {
  if (r.scenario->limits.data_stays) return std::nullopt;
  const PriceCatalog& prices = r.data->catalog().prices();
  const Price* offer = nullptr;
  if (r.scenario->money.cloud) {
    offer = &prices.price(*r.scenario->money.cloud);
  } else {
    for (const Price::Per per : {Price::Per::accelerator_hour, Price::Per::instance_hour}) {
      for (const Price* p : prices.of_system(r.system->id, per)) {
        if (p->terms != "on-demand") continue;
        const bool newer =
            offer == nullptr || (p->quoted && !offer->quoted) ||
            (p->quoted == offer->quoted && p->amount.provenance.date > offer->amount.provenance.date);
        if (newer) offer = p;
      }
    }
  }
  if (offer == nullptr || !offer->amount.known()) return std::nullopt;
  CostOption out;
  out.rented = true;
  out.name = offer->id;
  Account account(r, out);
  const auto in_offer = static_cast<double>(std::max<std::int64_t>(1, offer->accelerators));
  std::int64_t accelerators = accelerators_of(r);
  if (offer->per == Price::Per::instance_hour && offer->accelerators > 0)
    accelerators = ceil_div(accelerators, offer->accelerators) * offer->accelerators;
  const Money per_hour = account.add(offer->name, accelerators, *offer, 1 / in_offer);
  out.paid_per_year = per_hour * kHoursPerYear;
  out.year = {account.zero(), account.zero(), account.zero(), account.zero(), account.zero()};
  account.close();
  return out;
}

std::optional<double> break_even_months(const CostOption& owned, const CostOption& rented) {
  const std::size_t months = std::max(owned.months.size(), rented.months.size());
  const auto paid = [](const CostOption& option, std::size_t month) {
    return option.months.empty() ? option.paid_per_year / 12 : option.months[month];
  };
  Money ahead = owned.capital;  // what owning has cost more
  std::optional<double> met;
  for (std::size_t month = 0; month < months; ++month) {
    const Money saved = paid(rented, month) - paid(owned, month);
    const bool was_dearer = ahead.amount() > 0, is_dearer = ahead.amount() > saved.amount();
    if (was_dearer && !is_dearer) met = static_cast<double>(month) + ahead / saved;
    if (is_dearer) met.reset();
    ahead = ahead - saved;
  }
  if (met || (months > 0 && ahead.amount() <= 0)) return met.value_or(0);
  const auto after = break_even_months(ahead, owned.paid_per_year_end / 12, rented.paid_per_year_end / 12);
  if (!after) return std::nullopt;
  return static_cast<double>(months) + *after;
}

}  // namespace roofplan::model
