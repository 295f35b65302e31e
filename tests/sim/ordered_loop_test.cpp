#include "sim/kernel/ordered_loop.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using roofplan::sim::ordered_loop;

namespace {

std::string line_of(std::int64_t i) {
  return std::to_string(i) + "\n";
}

std::string all(std::int64_t count, int threads) {
  const std::atomic<bool> stop{false};
  std::string out;
  CHECK(ordered_loop(
            count, threads, line_of, [&](const std::string& s, std::int64_t) { out += s; }, stop) == count);
  return out;
}

}  // namespace

TEST_CASE("rows come in order, each once, whatever the number of threads", "[sim]") {
  std::string expected;
  for (std::int64_t i = 0; i < 1000; ++i) expected += line_of(i);
  for (const int threads : {1, 2, 3, 8}) CHECK(all(1000, threads) == expected);
  CHECK(all(0, 4).empty());
  CHECK(all(1, 4) == "0\n");
}

TEST_CASE("a loop that is stopped hands on what it has without a gap", "[sim]") {
  for (const int threads : {1, 4}) {
    std::atomic<bool> stop{false};
    std::string out, expected;
    const std::int64_t done = ordered_loop(
        10'000, threads,
        [&](std::int64_t i) {
          if (i == 500) stop = true;
          return line_of(i);
        },
        [&](const std::string& s, std::int64_t) { out += s; }, stop);
    for (std::int64_t i = 0; i < done; ++i) expected += line_of(i);
    CHECK(out == expected);
    CHECK(done < 10'000);
  }
}

TEST_CASE("the fault of the lowest index is thrown, after the rows of the blocks before it", "[sim]") {
  const std::atomic<bool> stop{false};
  std::string out;
  const auto make = [](std::int64_t i) -> std::string {
    if (i >= 700) throw std::runtime_error(std::to_string(i));
    return line_of(i);
  };
  CHECK_THROWS_WITH(ordered_loop(
                        1000, 4, make, [&](const std::string& s, std::int64_t) { out += s; }, stop),
                    "700");
  CHECK(out.starts_with("0\n1\n"));
}
