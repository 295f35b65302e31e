#include "model/catalog/link_catalog.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofplan::model {
namespace {

/// Reads parameters and remembers where each is from.
class LawReader {
 public:
  LawReader(const JsonReader& entry, const Sources& sources, LinkRecord& out)
      : entry_(entry), sources_(sources), out_(out) {}

  void time(const char* key, Seconds& into) {
    into = value(key, read_figure<Seconds>(entry_.at(key), sources_));
  }
  void rate(const char* key, BytesPerSecond& into) {
    into = value(key, read_figure<BytesPerSecond>(entry_.at(key), sources_, UnitForm::bytes));
  }
  void size(const char* key, Bytes& into) {
    into = value(key, read_byte_figure(entry_.at(key), sources_)).quantity();
  }
  void share(const char* key, double& into) {
    into = value(key, read_number_figure(entry_.at(key), sources_, "fraction"));
    if (into > 1.0) entry_.at(key).fail("more than the whole", "a share from 0 to 1");
  }

 private:
  template <class T>
  T value(const char* key, const Figure<T>& figure) {
    if (!figure.known()) entry_.at(key).fail("the law cannot do without it", "a value");
    out_.provenance[key] = figure.provenance;
    return *figure;
  }

  const JsonReader& entry_;
  const Sources& sources_;
  LinkRecord& out_;
};

LinkRecord read_link(const JsonReader& entry, const Sources& sources) {
  LinkRecord out;
  out.id = entry.at("id").as_string();
  out.name = entry.at("name").as_string();
  for (const JsonReader& system : entry.at("systems").elements()) out.systems.push_back(system.as_string());
  LawReader read(entry, sources, out);
  read.time("launch", out.law.launch);
  read.time("hop", out.law.hop);
  read.rate("ll_rate", out.law.ll_rate);
  read.size("ll_limit", out.law.ll_limit);
  read.time("chunk_hop", out.law.chunk_hop);
  read.time("fill", out.law.fill);
  read.share("payload_share", out.law.payload_share);
  read.share("half_share", out.law.half_share);
  read.share("tcp_share", out.law.tcp_share);
  read.share("fault_share", out.law.fault_share);
  read.share("exchange_share", out.law.exchange_share);
  read.share("reduction_share", out.law.reduction_share);
  read.rate("chain_rate", out.law.chain_rate);
  read.time("chain_hop", out.law.chain_hop);
  entry.finish();
  return out;
}

}  // namespace

LinkCatalog::LinkCatalog(const DataFiles& files, const Sources& sources) {
  const std::string path = "network/links.json";
  const Json document = parse_json(files.text(path), files.shown_path(path));
  const JsonReader root(document, files.shown_path(path));
  for (const JsonReader& entry : root.at("links").elements()) links_.push_back(read_link(entry, sources));
  const bool any =
      std::any_of(links_.begin(), links_.end(), [](const LinkRecord& l) { return l.systems.empty(); });
  if (!any)
    root.at("links").fail("no link is for the systems that none names", "one with an empty list of systems");
  root.finish();
}

const LinkRecord& LinkCatalog::record_of(const System& system) const {
  const LinkRecord* common = nullptr;
  for (const LinkRecord& link : links_) {
    if (std::find(link.systems.begin(), link.systems.end(), system.id) != link.systems.end()) return link;
    if (link.systems.empty()) common = &link;
  }
  return *common;
}

ScaleOutLaw LinkCatalog::of(const System& system) const {
  ScaleOutLaw law = record_of(system).law;
  if (system.nic_count.known() && system.nic_rate.known() && system.accelerators > 0) {
    law.line_rate = *system.nic_count / static_cast<double>(system.accelerators) * *system.nic_rate;
  }
  return law;
}

}  // namespace roofplan::model
