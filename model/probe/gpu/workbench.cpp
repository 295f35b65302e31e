#include "model/probe/gpu/gpu.hpp"

namespace roofplan::probe {

void Workbench::make_ready(const std::vector<GpuWork>& works) {
  if (ready_ == works) return;
  usable_ = gpu_.prepare(works);
  ready_ = works;
}

Seconds Workbench::run(const std::vector<GpuWork>& works) {
  make_ready(works);
  return usable_ ? gpu_.run() : Seconds{};
}

bool Workbench::right(const std::vector<GpuWork>& works) {
  make_ready(works);
  return usable_ && gpu_.right();
}

}  // namespace roofplan::probe
