#pragma once

#include "model/probe/gpu/gpu.hpp"
#include "model/probe/probe.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roofplan::probe {

/// Probes of what a GPU can do, and why others are left out.
struct GpuProbes {
  std::vector<Probe> probes;
  std::vector<std::string> left_out;  ///< in sentences, each reason once
};

/// All probes of the GPU back end; README.md says what each measures. `quick`: fewer shapes and sizes.
GpuProbes gpu_probes(Gpu& gpu, const std::shared_ptr<Workbench>& bench, bool quick);

/// One of each kind of work that the GPU can do, on sizes that take microseconds.
std::vector<Probe> small_gpu_probes(Gpu& gpu, const std::shared_ptr<Workbench>& bench);

/// A probe of one work, with the name and parameters that the fits look for.
Probe gpu_probe(const std::shared_ptr<Workbench>& bench, const GpuWork& work);

/// As data/formats.json and the chips' dense rates call a format of products: "bf16", "fp16", ...
const char* format_id(ProductWork::Format format);

}  // namespace roofplan::probe
