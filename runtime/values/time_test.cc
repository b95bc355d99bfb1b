#include "runtime/values/time.h"

#include <gtest/gtest.h>

#include <limits>

namespace packetmill {
namespace {

TEST(Time, DurationsAndTimestampsCalculate) {
  constexpr Timestamp t = Timestamp{} + Duration::seconds(3);
  static_assert(t - Timestamp{500'000'000} == Duration::milliseconds(2500));
  static_assert(Duration::seconds(1) / Duration::microseconds(10) == 100'000);
  static_assert(Duration::milliseconds(3) * 2 / 3 == Duration::microseconds(2000));
  static_assert(t > Timestamp{} && Duration{-1} < Duration{});
}

TEST(Time, PrintsNineDecimals) {
  EXPECT_EQ(to_string(Duration::seconds(1)), "1.000000000");
  EXPECT_EQ(to_string(Duration{-1'500'000'000}), "-1.500000000");
  EXPECT_EQ(to_string(Duration{-1}), "-0.000000001");
  EXPECT_EQ(to_string(Timestamp{1'234'567'890'123'456'789}), "1234567890.123456789");
  EXPECT_EQ(to_string(Duration{std::numeric_limits<int64_t>::min()}), "-9223372036.854775808");
}

}  // namespace
}  // namespace packetmill
