#include "model/catalog/model_reference.hpp"
#include "model/report/board/board_report.hpp"
#include "model/report/writer.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

using namespace roofplan::model;
using namespace roofplan::model::report;
using Catch::Contains;

namespace {

const Catalog& catalog() {
  static const Catalog kCatalog;
  return kCatalog;
}

const SpeedData& data() {
  static const SpeedData kData(catalog());
  return kData;
}

/// The report of a scenario, without the variations that take long.
Document report_of(const Scenario& scenario) {
  const SizeRequest request{scenario, {}, false};
  const ModelFile model = find_model(catalog(), scenario.model.ref);
  const SizeAnswer answer = size_plans(request, data(), model);
  Document document;
  document.verb = "size";
  document.tool = {"1.2.3", "abc", false, "edition"};
  BoardCase board{request, answer, nullptr, data(), model, document.tool};
  PurchaseCase purchase;
  if (!answer.plans.empty() && answer.plans.front().feasible) {
    purchase = purchase_case(request, answer, data(), model);
    board.purchase = &purchase;
  }
  document.pages = board_pages(board);
  return document;
}

Scenario sample(const char* name) {
  return parse_scenario(sample_scenario(name), name);
}

const Document& lab() {
  static const Document kLab = report_of(sample("lab-of-eight"));
  return kLab;
}

std::string html_of(const Document& document, const char* language = "en") {
  return write(document, Format::html, TextTable::of_language(language), {});
}

std::vector<Table> tables_of(const Pages& pages) {
  std::vector<Table> out;
  for (const PageBlock& block : pages.blocks)
    if (const auto* table = std::get_if<Table>(&block)) out.push_back(*table);
  return out;
}

const Table& table_titled(const std::vector<Table>& tables, const char* key) {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const Table& t) { return t.title.key == key; });
  REQUIRE(found != tables.end());
  return *found;
}

std::string key_of(const Cell& cell) {
  const auto* text = std::get_if<Text>(&cell.content);
  return text != nullptr ? text->key : "";
}

/// The tables whose last column says where the row comes from, one after the other.
std::vector<std::vector<Cell>> sourced_rows(const Pages& pages, const char* column) {
  std::vector<std::vector<Cell>> out;
  for (const Table& table : tables_of(pages))
    if (!table.columns.empty() && table.columns.back().label.key == column)
      out.insert(out.end(), table.rows.begin(), table.rows.end());
  return out;
}

/// The first fault in the nesting of elements; empty: there is none.
std::string nesting_fault(const std::string& html) {
  static const std::set<std::string> kAlone{"meta", "!doctype"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "a tag without an end";
    const std::string tag = html.substr(at + 1, end - at - 1);
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "an open quote in <" + tag + ">";
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "<" + tag + "> closes nothing";
      open.pop_back();
    } else if (!kAlone.contains(name) && tag.back() != '/') {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> stays open";
}

/// What a reader reads, without the name of the scenario, its text and the sources, which keep their
/// language.
std::string words_of(std::string html) {
  html = html.substr(html.find("<body"));
  html = std::regex_replace(
      html, std::regex("<h1>[^<]*</h1>|<pre>[^]*?</pre>|<ol>[^]*?</ol>|<footer>[^]*?</footer>"), " ");
  return std::regex_replace(html, std::regex("<[^>]*>"), " | ");
}

}  // namespace

TEST_CASE("the first page holds the four decisions, the answer and what it costs", "[report][board]") {
  const Pages& pages = *lab().pages;
  const auto section = std::find_if(pages.blocks.begin(), pages.blocks.end(), [](const PageBlock& b) {
    return std::holds_alternative<Heading>(b) && std::get<Heading>(b).new_page;
  });
  std::vector<std::string> first;  // keys, up to the first break
  bool figures = false;
  for (auto it = pages.blocks.begin(); it != section; ++it) {
    if (const auto* p = std::get_if<Paragraph>(&*it)) first.push_back(p->text.key);
    if (const auto* t = std::get_if<Table>(&*it)) first.push_back(t->title.key);
    figures = figures || std::holds_alternative<KeyFigures>(*it);
  }
  CHECK(first.front() == "board.answer");
  CHECK(std::count(first.begin(), first.end(), "board.decisions") == 1);
  CHECK(figures);
  const std::vector<Table> tables = tables_of(pages);
  const Table& decisions = table_titled(tables, "board.decisions");
  REQUIRE(decisions.rows.size() == 4);
  CHECK(key_of(decisions.rows[0][0]) == "board.q_model");
  CHECK(key_of(decisions.rows[1][0]) == "board.q_users");
  CHECK(key_of(decisions.rows[2][0]) == "board.q_add");
  CHECK(key_of(decisions.rows[3][0]) == "board.q_data");
}

TEST_CASE("the sections stand in their order", "[report][board]") {
  std::vector<std::string> heads;
  for (const PageBlock& block : lab().pages->blocks)
    if (const auto* heading = std::get_if<Heading>(&block)) heads.push_back(heading->text.key);
  CHECK(heads == std::vector<std::string>{"board.plans", "board.rejected", "board.bill", "board.site",
                                          "board.cost", "board.sensitivity", "board.risks",
                                          "board.assumptions", "board.inputs"});
}

TEST_CASE("every price and every assumption has a source in the list, or is what was asked",
          "[report][board]") {
  const Pages& pages = *lab().pages;
  std::set<std::string> listed;
  for (const report::Source& source : pages.sources) {
    listed.insert(source.id);
    CHECK_FALSE(source.where.empty());
  }
  const auto rests_on_sources = [&](const std::vector<Cell>& row) {
    const auto* citation = std::get_if<Citation>(&row.back().content);
    if (citation == nullptr || citation->ids.empty()) return false;
    return std::all_of(citation->ids.begin(), citation->ids.end(),
                       [&](const std::string& id) { return listed.contains(id); });
  };
  const auto assumptions = sourced_rows(pages, "board.from");
  CHECK(assumptions.size() > 15);
  for (const auto& row : assumptions) {
    INFO(key_of(row[0]));
    const std::string from = key_of(row.back());
    CHECK((from == "board.as_asked" || from == "board.by_default" || rests_on_sources(row)));
  }
  std::size_t priced = 0;
  for (const auto& row : sourced_rows(pages, "board.source")) {
    const std::string price = key_of(row[4]);
    if (!price.starts_with("board.dated")) continue;
    ++priced;
    CHECK(rests_on_sources(row));
  }
  CHECK(priced >= 1);
}

TEST_CASE("the page nests well and loads nothing from elsewhere", "[report][board]") {
  for (const char* language : {"en", "ko"}) {
    const std::string html = html_of(lab(), language);
    CHECK(nesting_fault(html) == "");
    for (const char* loads : {"<script", "<link", "<img", "<iframe", "@import", "url(", "src="})
      CHECK(html.find(loads) == std::string::npos);
    const std::regex link("<a href=\"([^\"]*)\"( rel=\"noreferrer\")?>");
    std::size_t links = 0;
    for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it, ++links) {
      const std::string target = (*it)[1];
      CHECK((target.starts_with("#source-") || target.starts_with("http")));
      if (target.starts_with("#")) CHECK(html.find("id=\"" + target.substr(1) + "\"") != std::string::npos);
    }
    CHECK(links > 10);
    CHECK(std::regex_search(html, std::regex("<svg viewBox=[^>]*role=\"img\" aria-label=\"[^\"]+\">")));
  }
}

TEST_CASE("hostile names are text, never markup", "[report][board]") {
  Scenario scenario = sample("lab-of-eight");
  scenario.name = "</h1><script>alert(1)</script>\" onload=\"x' & | `*_";
  scenario.limits.systems = {"gb10"};
  const Document document = report_of(scenario);
  const std::string html = html_of(document);
  CHECK(html.find("<script>") == std::string::npos);
  CHECK(nesting_fault(html) == "");
  CHECK_THAT(html, Contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x' &amp; |"));
  const std::string md = write(document, Format::md, TextTable::of_language("en"), {});
  CHECK_THAT(md.substr(0, md.find('\n')), Contains("\\<script>") && Contains("\\|") && Contains("\\`\\*\\_"));
}

TEST_CASE("the Korean page keeps no sentence in English, and the English one none in Korean",
          "[report][board]") {
  const std::string korean = words_of(html_of(lab(), "ko"));
  CHECK_THAT(korean, Contains("네 가지 결정"));
  // Three words of small letters in a row are a sentence that nobody translated.
  std::smatch left;
  const bool found = std::regex_search(korean, left, std::regex("\\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\\b"));
  INFO(left.str());
  CHECK_FALSE(found);
  const std::string english = words_of(html_of(lab(), "en"));
  // Hangul syllables begin with the bytes EA to ED in UTF-8.
  CHECK(std::none_of(english.begin(), english.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0xEA && static_cast<unsigned char>(c) <= 0xED;
  }));
}

TEST_CASE("the same inputs give the same bytes, with the scenario and the edition in them",
          "[report][board]") {
  const std::string once = html_of(lab());
  CHECK(once == html_of(report_of(sample("lab-of-eight"))));
  CHECK_THAT(once, Contains("&quot;active_share&quot;: 0.5") && Contains("data edition") &&
                       Contains("roofplan 1.2.3 (abc), data edition"));
}

TEST_CASE("money is told in the scenario's currency and beside it in the other", "[report][board]") {
  const std::string html = html_of(lab());
  CHECK_THAT(html, Contains("million KRW") && Contains(" USD"));
  // The price of 9,007 USD at 1,473.6 KRW is 13.27 million KRW.
  CHECK_THAT(html, Contains("13.3 million KRW") && Contains("9,007 USD"));
}

TEST_CASE("data that stays rules renting out, data that leaves is compared with rent", "[report][board]") {
  Scenario scenario = sample("lab-of-eight");
  const std::vector<Table> open = tables_of(*lab().pages);
  CHECK(key_of(table_titled(open, "board.decisions").rows[3][2]) == "board.f_data_pays");
  scenario.limits.data_stays = true;
  scenario.limits.systems = {"gb10", "dgx-h100"};
  const std::vector<Table> shut = tables_of(*report_of(scenario).pages);
  CHECK(key_of(table_titled(shut, "board.decisions").rows[3][2]) == "board.f_data_stays");
}

TEST_CASE("a part of a machine is rented where a part serves the load", "[report][board]") {
  Scenario scenario = sample("lab-of-eight");
  scenario.load.growth_per_month = 0;
  const SizeRequest request{scenario, {}, false};
  const ModelFile model = find_model(catalog(), scenario.model.ref);
  const SizeAnswer answer = size_plans(request, data(), model);
  const PurchaseCase found = purchase_case(request, answer, data(), model);
  REQUIRE(found.rented);
  // 63 GB of weights and four requests fit one accelerator of 80 GB; the plan to buy has eight.
  CHECK(found.rented->gpus == 1);
  REQUIRE(found.break_even_months);
  const Money monthly = (found.rented->cost.paid_per_year - found.plan.cost.paid_per_year) / 12;
  CHECK(*found.break_even_months == Approx(found.plan.cost.capital / monthly));
}

TEST_CASE("a price that is a fifth higher costs its own share and that of support", "[report][board]") {
  Scenario scenario = sample("lab-of-eight");
  scenario.load.growth_per_month = 0;
  const SizeRequest request{scenario, {}, false};
  const ModelFile model = find_model(catalog(), scenario.model.ref);
  const SizeAnswer answer = size_plans(request, data(), model);
  const PurchaseCase found = purchase_case(request, answer, data(), model);
  const auto price = std::find_if(found.swings.begin(), found.swings.end(),
                                  [](const CostSwing& s) { return s.what == CostSwing::What::price; });
  REQUIRE(price != found.swings.end());
  // 20 % of the capital, and 5 % of that in each of four years: 24 % of the capital.
  CHECK(*price->high - found.plan.cost.total.amount() == Approx(0.24 * found.plan.cost.capital.amount()));
  const auto load = std::find_if(found.swings.begin(), found.swings.end(),
                                 [](const CostSwing& s) { return s.what == CostSwing::What::load; });
  REQUIRE(load != found.swings.end());
  CHECK(load->count_low <= found.plan.count);
  CHECK(load->count_high >= found.plan.count);
}

TEST_CASE("where no plan meets the limits the report says so and what each system misses",
          "[report][board]") {
  Scenario scenario = sample("lab-of-eight");
  scenario.limits.systems = {"gb10", "dgx-h100"};
  scenario.limits.budget = 1000;
  const Document document = report_of(scenario);
  const std::string html = html_of(document);
  CHECK(nesting_fault(html) == "");
  CHECK_THAT(html, Contains("No plan meets the targets and limits.") && Contains("too much"));
  CHECK(table_titled(tables_of(*document.pages), "board.decisions").rows.size() == 4);
  CHECK(html.find("<svg") == std::string::npos);
}

TEST_CASE("a plan whose systems have no price has a report without sums, and no table is empty",
          "[report][board]") {
  Scenario scenario = sample("lab-of-eight");
  scenario.limits.systems = {"rtx-pro-6000"};  // a card, whose host has no price
  const Document unpriced = report_of(scenario);
  scenario.limits.systems = {"gb10"};
  scenario.limits.budget = 1000;
  const Document none = report_of(scenario);
  for (const Document* document : {&unpriced, &none, &lab()})
    for (const Table& table : tables_of(*document->pages)) {
      INFO(table.title.key);
      CHECK_FALSE(table.rows.empty());
      for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
    }
  CHECK_THAT(html_of(unpriced), Contains("no price known") && !Contains("at least"));
  CHECK(nesting_fault(html_of(unpriced)) == "");
}

TEST_CASE("the reports of a company and of a tenth of an estate nest well in both languages",
          "[report][board][slow]") {
  Scenario estate = sample("estate-4000");
  estate.load.concurrency = *estate.load.concurrency / 10;
  estate.limits.systems = {"dgx-h200", "gb300-nvl72"};
  for (const Scenario& scenario : {sample("company-405b"), estate}) {
    const Document document = report_of(scenario);
    for (const char* language : {"en", "ko"}) {
      INFO(scenario.name << " " << language);
      CHECK(nesting_fault(html_of(document, language)) == "");
    }
    std::smatch left;
    const std::string korean = words_of(html_of(document, "ko"));
    const bool found = std::regex_search(korean, left, std::regex("\\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\\b"));
    INFO(left.str());
    CHECK_FALSE(found);
  }
}

TEST_CASE("a growing load is planned to its end: additions with their months, their money and the site",
          "[report][board]") {
  const Pages& pages = *lab().pages;
  const std::vector<Table> tables = tables_of(pages);
  const Table& additions = table_titled(tables, "size.additions");
  CHECK(additions.rows.size() >= 2);
  CHECK(key_of(table_titled(tables, "board.decisions").rows[2][1]) == "board.a_add_stages");
  const std::string html = html_of(lab());
  CHECK_THAT(html, Contains("in the end") && Contains("Additions as the load grows") &&
                       Contains("When all is added"));
  const std::string md = write(lab(), Format::md, TextTable::of_language("ko"), {});
  CHECK_THAT(md, Contains("증설 시기") && Contains("부하 증가에 따른 증설") && Contains("모두 증설하면"));
}

TEST_CASE("where rent is cheaper over the years the first page says to rent", "[report][board]") {
  Scenario scenario = sample("lab-of-eight");
  scenario.limits.systems = {"dgx-h100"};
  scenario.money.years = 1;
  const std::string html = html_of(report_of(scenario));
  CHECK(nesting_fault(html) == "");
  CHECK_THAT(html,
             Contains("Rent 1 accelerator") && Contains("over one year") && !Contains("Buy 1 x DGX H100:"));
}

TEST_CASE("a report with separate pools, spares, resale and a rate tells each in both languages",
          "[report][board][slow]") {
  Scenario scenario = sample("company-405b");
  scenario.limits.systems = {"dgx-h200", "dgx-b300"};
  scenario.limits.power.reset();
  scenario.load.growth_per_month = 0;
  scenario.load.users.reset();
  scenario.load.rps = 3.0 / unit::s;
  scenario.targets.availability = 0.9999;
  scenario.money.resale_share = 0.1;
  scenario.disagg = Disaggregation{{1, {}}, {1, {}}};
  scenario.disagg->prefill.parallel.tp = scenario.disagg->decode.parallel.tp = 4;
  const Document document = report_of(scenario);
  const std::string english = html_of(document, "en"), korean = html_of(document, "ko");
  CHECK(nesting_fault(english) == "");
  CHECK(nesting_fault(korean) == "");
  CHECK_THAT(english, Contains("3 requests a second") && Contains("workers of separate pools") &&
                          Contains("TP 4: 1 + 1") && Contains("Resale at the end") && Contains("spare") &&
                          Contains("10 %"));
  CHECK_THAT(korean,
             Contains("초당 요청 3건") && Contains("풀의 작업자") && Contains("예비") && Contains("재판매"));
}

TEST_CASE("the next step is what the first addition adds, and the bill holds today's network alone",
          "[report][board][slow]") {
  const Scenario scenario = sample("company-405b");
  const ModelFile model = find_model(catalog(), scenario.model.ref);
  const SizeRequest request{scenario, {}, false};
  const SizeAnswer answer = size_plans(request, data(), model);
  const PurchaseCase purchase = purchase_case(request, answer, data(), model);
  const std::vector<SizeStage>& stages = purchase.plan.stages;
  REQUIRE(stages.size() > 1);
  const std::int64_t added = stages[1].count - stages[0].count;
  CHECK_THAT(html_of(report_of(scenario)), Contains("The next step is " + std::to_string(added) + " x "));
  // One adapter for each of the eight accelerators of today's systems, whatever is added.
  for (const BillLine& line : purchase.network)
    if (line.use == BillLine::Use::nic) CHECK(line.count == 8 * purchase.plan.count);
}
