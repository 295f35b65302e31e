#include "model/acceptance/limits.hpp"

#include "model/catalog/figure_reader.hpp"
#include "model/json/json.hpp"

#include <cmath>

namespace roofplan::model {
namespace {

Figure<double> share(const JsonReader& group, std::string_view key, const Sources& sources) {
  const JsonReader entry = group.at(key);
  Figure<double> figure = read_number_figure(entry, sources, "fraction");
  if (!figure.known() || *figure <= 0 || *figure > 1) entry.fail("a share", "above 0, at most 1");
  return figure;
}

}  // namespace

AcceptanceLimits load_acceptance_limits(const DataFiles& files, const Sources& sources) {
  const std::string path = "acceptance.json";
  const std::string file = files.shown_path(path);
  const Json json = parse_json(files.text(path), file);
  const JsonReader root(json, file);
  root.at("schema").as_word({"roofplan.acceptance"});
  root.at("schema_version").as_integer(1, 1);
  AcceptanceLimits limits;
  const JsonReader collective = root.at("collective"), copy = root.at("copy"), port = root.at("port"),
                   outlier = root.at("outlier"), device = root.at("device");
  limits.from_inside = read_byte_figure(collective.at("from_inside"), sources);
  limits.from_outside = read_byte_figure(collective.at("from_outside"), sources);
  limits.shortfall_inside = share(collective, "shortfall_inside", sources);
  limits.shortfall_outside = share(collective, "shortfall_outside", sources);
  limits.device_copy_share = share(copy, "device_share", sources);
  limits.host_copy_share = share(copy, "host_share", sources);
  limits.copy_shortfall = share(copy, "shortfall", sources);
  limits.port_shortfall = share(port, "shortfall", sources);
  limits.outlier_deviations = read_number_figure(outlier.at("deviations"), sources, "1");
  limits.outlier_least = share(outlier, "least", sources);
  limits.busy = share(device, "busy", sources);
  limits.slow_state_power = read_figure<Watts>(device.at("slow_state_power"), sources);
  limits.slow_state_rate = read_figure<FlopPerSecond>(device.at("slow_state_rate"), sources);
  limits.least_work = share(device, "least_work", sources);
  limits.nvlink_errors = read_number_figure(device.at("nvlink_errors"), sources, "errors");
  limits.power_limit_shortfall = share(device, "power_limit_shortfall", sources);
  limits.memory_shortfall = share(device, "memory_shortfall", sources);
  const JsonReader nvlinks = root.at("nvlinks");
  for (const auto& [capability, entry] : nvlinks.members())
    limits.nvlinks[capability] = std::llround(*read_number_figure(entry, sources, "links"));
  const JsonReader xid = root.at("xid"), application = xid.at("application");
  for (const JsonReader& code : application.at("codes").elements())
    limits.application_xids.push_back(static_cast<int>(code.as_integer(1, 100'000)));
  limits.xid_source = read_provenance(application, sources);
  application.finish();
  xid.finish();
  for (const JsonReader* group : {&root, &collective, &copy, &port, &outlier, &device, &nvlinks})
    group->finish();
  return limits;
}

}  // namespace roofplan::model
