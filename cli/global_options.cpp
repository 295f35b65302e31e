#include "cli/verbs/all.hpp"
#include "model/report/text_table.hpp"
#include "model/report/writer.hpp"

namespace roofplan::cli {

const std::vector<Option>& global_options() {
  using Offer = Option::Offer;
  static const std::vector<Option> kOptions = {
      word("output", "format on standard output", model::report::format_names())
          .short_as('o')
          .value("FORMAT"),
      path("out", "also write to a file, in the format of its suffix; - is standard output").many(),
      path("scenario", "a scenario file; flags override it").many(),
      path("save-scenario", "write the scenario that the flags make"),
      text("set", "set a field of the scenario, path=value; overrides flags").many().value("PATH=VALUE"),
      path("calibration", "a calibration file of this machine; of several for a device the last counts")
          .many(),
      field("prices", "money.prices").says("a file with quotations").value("FILE").offers(Offer::files),
      path("data", "a folder whose data files replace the built-in ones").value("DIR").offers(Offer::folders),
      flag("explain", "print how each number comes about, with sources"),
      word("lang", "language of texts", model::report::languages()),
      field("currency", "money.currency").says("currency of costs").value("CODE"),
      field("seed", "sim.seed"),
      count("threads", "threads of long computations", 1, 4096),
      flag("quiet", "no remarks on standard error").short_as('q'),
      flag("verbose", "say on standard error what is read").short_as('v'),
      word("color", "colour on standard output", {"auto", "always", "never"}),
      flag("version", "print version, commit and data edition"),
      flag("help", "print help").short_as('h'),
  };
  return kOptions;
}

}  // namespace roofplan::cli
