#include "model/probe/team/team.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace roofplan::probe {
namespace {

/// The names under which one kind of launcher says what it does.
struct LauncherNames {
  const char *rank, *size, *local_rank;
};
/// Slurm says the number of tasks of a step to its tasks alone; SLURM_NTASKS stands in batch scripts too.
constexpr std::array<LauncherNames, 3> kLaunchers{
    {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
     {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"}}};

std::optional<int> number(const Environment& environment, const char* name) {
  const char* text = environment(name);
  if (text == nullptr) return std::nullopt;
  int value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  return error == std::errc{} && stop == end && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string Team::word_of(const std::string& own, int root) {
  std::array<char, 256> text{};
  if (rank() == root) std::memcpy(text.data(), own.data(), std::min(own.size(), text.size() - 1));
  broadcast(std::as_writable_bytes(std::span(text)), root);
  return text.data();
}

std::optional<Launch> launched(const Environment& environment) {
  for (const LauncherNames& names : kLaunchers) {
    const auto rank = number(environment, names.rank), size = number(environment, names.size);
    if (!rank || !size || *size < 2 || *rank >= *size) continue;
    return Launch{*rank, *size, number(environment, names.local_rank).value_or(0)};
  }
  return std::nullopt;
}

}  // namespace roofplan::probe
