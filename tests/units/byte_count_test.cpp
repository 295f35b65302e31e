#include "model/units/byte_count.hpp"

#include <catch2/catch.hpp>

using namespace roofplan::model;

TEST_CASE("byte counts stay exact where doubles would round", "[units]") {
  const ByteCount big((std::int64_t{1} << 60) + 1);
  CHECK((big + ByteCount(1)).count() == (std::int64_t{1} << 60) + 2);
  CHECK((ByteCount(70'272) * 163'840).count() == 11'513'364'480);
}

TEST_CASE("a byte count that leaves 64 bits is refused", "[units]") {
  const ByteCount huge(INT64_MAX);
  CHECK_THROWS_AS(huge + ByteCount(1), InputError);
  CHECK_THROWS_AS(huge * 2, InputError);
  CHECK_THROWS_AS(ceil_bytes(1e30 * unit::B), InputError);
}

TEST_CASE("a fraction of a byte counts as a whole one", "[units]") {
  CHECK(ceil_bytes(1.25 * unit::B).count() == 2);
}
