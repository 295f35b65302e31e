#include "model/calibration/kernels/kernel_chip.hpp"

#include "model/catalog/system_catalog.hpp"

#include <algorithm>

namespace roofplan::model {
namespace {

/// "rtx_pro_6000_server" -> "rtx-pro-6000".
std::string chip_id(std::string_view system) {
  std::string id(system);
  std::replace(id.begin(), id.end(), '_', '-');
  constexpr std::string_view kEdition = "-server";
  if (id.ends_with(kEdition)) id.resize(id.size() - kEdition.size());
  return id;
}

const Chip* find_chip(const std::string& id) {
  static const SystemCatalog kCatalog{DataFiles{}};
  for (const std::string& name : kCatalog.ids()) {
    const Chip& chip = kCatalog.find(name).chip;
    if (chip.id == id) return &chip;
  }
  return nullptr;
}

}  // namespace

std::optional<LawChip> kernel_chip(std::string_view system, std::string_view rate) {
  const Chip* chip = find_chip(chip_id(system));
  if (!chip || !chip->sm_count.known() || !chip->memory_bandwidth.known()) return std::nullopt;
  auto found = chip->dense_rate.find(std::string(rate));
  if (found == chip->dense_rate.end() || !found->second.known()) found = chip->dense_rate.find("bf16");
  if (found == chip->dense_rate.end() || !found->second.known()) return std::nullopt;
  return LawChip{.sm_count = static_cast<int>(*chip->sm_count),
                 .memory_bandwidth = *chip->memory_bandwidth,
                 .matrix_rate = *found->second,
                 .l2 = chip->l2.known() ? Bytes::from_base(static_cast<double>(chip->l2->count())) : Bytes{}};
}

}  // namespace roofplan::model
