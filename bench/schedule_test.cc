#include "bench/schedule.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace packetmill::bench {
namespace {

/// The gaps before each frame of the first two periods.
std::vector<double> gaps(const Schedule& schedule) {
  std::vector<double> result;
  std::uint64_t before = 0;
  for (std::uint64_t i = 0; i < 2 * Schedule::kPeriod; ++i) {
    const std::uint64_t at = schedule.departure(i);
    EXPECT_GE(at, before);
    result.push_back(static_cast<double>(at - before));
    before = at;
  }
  return result;
}

/// The share of gaps that are longer than `length`.
double longer(const std::vector<double>& gaps, double length) {
  return static_cast<double>(std::ranges::count_if(gaps, [&](double gap) { return gap > length; })) /
         static_cast<double>(gaps.size());
}

TEST(Schedule, OfConstantArrivalsHasEqualGaps) {
  for (const double gap : gaps(Schedule(Arrivals::constant, 1000, 1))) EXPECT_EQ(gap, 1000);
}

TEST(Schedule, OffersTheSameRateWhateverTheSeed) {
  for (const std::uint64_t seed : {1, 2, 3})
    for (const Arrivals arrivals : {Arrivals::poisson, Arrivals::constant}) {
      const Schedule schedule(arrivals, 123.25, seed);
      EXPECT_EQ(schedule.departure(8 * Schedule::kPeriod - 1), 8 * Schedule::kPeriod / 4 * 493);
    }
}

TEST(Schedule, OfPoissonArrivalsHasExponentialGaps) {
  const std::vector<double> drawn = gaps(Schedule(Arrivals::poisson, 1000, 7));
  for (const double means : {0.1, 0.5, 1.0, 2.0, 4.0}) EXPECT_NEAR(longer(drawn, means * 1000), std::exp(-means), 0.01);
}

TEST(Schedule, OfPoissonArrivalsHasIndependentGaps) {
  const std::vector<double> drawn = gaps(Schedule(Arrivals::poisson, 1000, 7));
  double product = 0;
  for (std::size_t i = 1; i < Schedule::kPeriod; ++i) product += (drawn[i] - 1000) * (drawn[i - 1] - 1000);
  EXPECT_NEAR(product / Schedule::kPeriod / (1000.0 * 1000.0), 0, 0.02) << "correlation of neighbours";
}

TEST(Schedule, IsTheSameForTheSameSeedOnly) {
  const Schedule one(Arrivals::poisson, 1000, 1);
  EXPECT_EQ(gaps(one), gaps(Schedule(Arrivals::poisson, 1000, 1)));
  EXPECT_NE(gaps(one), gaps(Schedule(Arrivals::poisson, 1000, 2)));
}

TEST(Schedule, WithoutGapsHasAllFramesAtOnce) {
  const Schedule schedule(Arrivals::poisson, 0, 1);
  EXPECT_TRUE(schedule.all_at_once());
  EXPECT_EQ(schedule.departure(1'000'000), 0U);
}

}  // namespace
}  // namespace packetmill::bench
