#pragma once

#include <string_view>

namespace roofplan::model {

/// Who printed a line, as launchers write it in front, and what was printed.
struct LineOrigin {
  std::string_view host;  ///< empty where no host stands in front
  std::string_view rank;  ///< label of srun and mpirun, empty where there is none
  std::string_view text;
};

/// Takes the marks of launchers off a line, several behind each other: "[1,3]<stdout>:" (mpirun
/// --tag-output, also "[job@1,3]<stdout>: "), "3: " (srun --label), "[3] " (hydra), "[rank3]:" (torchrun),
/// "host: " (pdsh, clush), "host | " (compose), "[pod/name/container] " (kubectl), time stamps (ISO 8601, in
/// brackets too, and seconds since boot) and "Mon dd hh:mm:ss host process: " (syslog).
LineOrigin split_origin(std::string_view line);

/// The host that a heading names for all lines behind it: "==> file <==" (tail, head), "host | CHANGED |
/// rc=0 >>" (ansible). Empty for any other line.
std::string_view heading_host(std::string_view line);

}  // namespace roofplan::model
