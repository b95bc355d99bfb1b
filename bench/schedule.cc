#include "bench/schedule.h"

#include <cmath>

#include "runtime/random.h"

namespace packetmill::bench {

Schedule::Schedule(Arrivals arrivals, double gap, std::uint64_t seed)
    : period_(gap * static_cast<double>(kPeriod)), departures_(kPeriod) {
  Random random(seed, "arrivals", 0);
  // By inversion; the number drawn is above 0.
  const auto exponential = [&] { return -std::log((static_cast<double>(random.next()) + 1) * 0x1p-32); };
  std::vector<double> sums(kPeriod);
  double sum = 0;
  for (double& until : sums) until = sum += arrivals == Arrivals::poisson ? exponential() : 1;
  for (std::size_t i = 0; i < kPeriod; ++i) departures_[i] = static_cast<std::uint64_t>(sums[i] / sum * period_);
}

}  // namespace packetmill::bench
