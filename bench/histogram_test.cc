#include "bench/histogram.h"

#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <limits>

namespace packetmill::bench {
namespace {

TEST(Histogram, KnowsSmallValuesExactly) {
  Histogram histogram;
  for (const std::uint64_t value : {255, 0, 7, 7, 100}) histogram.add(value);
  EXPECT_EQ(histogram.size(), 5U);
  EXPECT_EQ(histogram.quantile(0.2), 0U);
  EXPECT_EQ(histogram.quantile(0.5), 7U);
  EXPECT_EQ(histogram.quantile(0.8), 100U);
  EXPECT_EQ(histogram.quantile(1), 255U);
}

TEST(Histogram, HasNoQuantileOfNothing) { EXPECT_EQ(Histogram().quantile(0.5), 0U); }

TEST(Histogram, TakesTheGreatestNumber) {
  Histogram histogram;
  histogram.add(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(histogram.quantile(0.5), std::numeric_limits<std::uint64_t>::max());
}

TEST(Histogram, IsNeverBelowTheExactQuantileAndLessThanOnePartIn128Above) {
  EXPECT_TRUE(rc::check([] {
    // Values of every magnitude: any number, shifted by any number of bits.
    const auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(rc::gen::map(
        rc::gen::pair(rc::gen::arbitrary<std::uint32_t>(), rc::gen::inRange(0, 32)),
        [](const auto& drawn) { return (std::uint64_t{drawn.first} << 31U) >> static_cast<unsigned>(drawn.second); })));
    const double q = *rc::gen::element(0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0);
    Histogram histogram;
    for (const std::uint64_t value : values) histogram.add(value);
    std::vector<std::uint64_t> sorted = values;
    std::ranges::sort(sorted);
    const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
    const std::uint64_t exact = sorted[rank - 1];
    RC_ASSERT(histogram.quantile(q) >= exact);
    RC_ASSERT(histogram.quantile(q) - exact <= exact / 128);
  }));
}

}  // namespace
}  // namespace packetmill::bench
