#include "bench/traffic.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/support/packets.h"

namespace packetmill::testing {
namespace {

using bench::Traffic;
using bench::TrafficOptions;

Bytes packet_of(const Bytes& frame) { return {frame.begin() + 14, frame.end()}; }

TEST(Traffic, SameSeedSameFramesAnotherSeedOthers) {
  Traffic one({.seed = 1});
  Traffic same({.seed = 1});
  Traffic other({.seed = 2});
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const Bytes frame = one.next();
    EXPECT_EQ(frame, same.next());
    differs |= frame != other.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Traffic, EveryFrameIsRight) {
  for (const auto size :
       {std::optional<std::uint32_t>(64), std::optional<std::uint32_t>(1500), std::optional<std::uint32_t>()}) {
    Traffic traffic({.size = size, .tcp = 0.4, .icmp = 0.2});
    std::map<int, int> protocols;
    for (int i = 0; i < 500; ++i) {
      const Bytes frame = traffic.next();
      if (size) EXPECT_EQ(frame.size(), *size - 4);
      EXPECT_TRUE(checksums_right(packet_of(frame)));
      ++protocols[frame[23]];
    }
    EXPECT_GT(protocols[6], 100);
    EXPECT_GT(protocols[1], 40);
    EXPECT_GT(protocols[17], 100);
  }
}

TEST(Traffic, CampusMixHasItsMean) {
  Traffic traffic({.size = std::nullopt});
  double bytes = 0;
  constexpr int kFrames = 20000;
  for (int i = 0; i < kFrames; ++i) bytes += static_cast<double>(traffic.next().size()) + 4;
  EXPECT_NEAR(bytes / kFrames, 981, 15);
}

TEST(Traffic, FlowsAreAsManyAsAskedAndAsPopular) {
  const auto counts = [](const TrafficOptions& options) {
    Traffic traffic(options);
    std::map<Bytes, int> flows;
    for (int i = 0; i < 20000; ++i) {
      const Bytes frame = traffic.next();
      ++flows[Bytes(frame.begin() + 23, frame.begin() + 38)];
    }
    std::vector<int> sorted;
    for (const auto& [flow, count] : flows) sorted.push_back(count);
    std::ranges::sort(sorted, std::greater());
    return sorted;
  };
  const auto uniform = counts({.flows = 100});
  EXPECT_EQ(uniform.size(), 100U);
  EXPECT_LT(uniform.front(), 300);
  // Zipf: the second flow has half of what the first has, the third a third.
  const auto zipf = counts({.flows = 100, .zipf = 1});
  EXPECT_NEAR(static_cast<double>(zipf[0]) / zipf[1], 2, 0.3);
  EXPECT_NEAR(static_cast<double>(zipf[0]) / zipf[2], 3, 0.5);
}

TEST(Traffic, DestinationsComeFromThePrefixes) {
  const IPv4Prefix prefix{ip("203.0.113.0"), IPv4Prefix::mask_of_length(24)};
  Traffic traffic({.destinations = {prefix}});
  for (int i = 0; i < 100; ++i) {
    const Bytes frame = traffic.next();
    IPv4Address destination;
    std::memcpy(&destination, frame.data() + 30, 4);
    EXPECT_TRUE(prefix.contains(destination));
  }
}

}  // namespace
}  // namespace packetmill::testing
