#include "tables/lpm/synthetic.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace packetmill::tables {
namespace {

TEST(Synthetic, ASeedGivesAlwaysTheSameTable) {
  EXPECT_EQ(synthetic_ipv4_routes(1000, 8, 7), synthetic_ipv4_routes(1000, 8, 7));
  EXPECT_NE(synthetic_ipv4_routes(1000, 8, 7), synthetic_ipv4_routes(1000, 8, 8));
  EXPECT_EQ(synthetic_ipv6_prefixes(1000, 7), synthetic_ipv6_prefixes(1000, 7));
}

TEST(Synthetic, Ipv4LooksLikeTheInternet) {
  const auto routes = synthetic_ipv4_routes(100'000, 8, 1);
  ASSERT_EQ(routes.size(), 100'000u);

  std::map<std::uint32_t, int> by_length, nested;
  std::set<std::pair<std::uint32_t, std::uint32_t>> prefixes;
  for (const Route& route : routes) {
    EXPECT_EQ(route.address & ~mask_of(route.mask_length), 0u);
    EXPECT_TRUE(route.port >= 0 && route.port < 8);
    EXPECT_TRUE(prefixes.insert({route.address, route.mask_length}).second) << "twice";
    ++by_length[route.mask_length];
  }
  for (const auto& [address, length] : prefixes)
    for (std::uint32_t shorter = length; shorter-- > 0;)
      if (prefixes.contains({address & mask_of(shorter), shorter})) {
        ++nested[length];
        break;
      }
  EXPECT_NEAR(by_length[24], 59'620, 10);
  EXPECT_NEAR(by_length[22], 12'040, 10);
  EXPECT_NEAR(by_length[16], 1'500, 10);
  EXPECT_NEAR(by_length[32], 98, 2);
  EXPECT_NEAR(nested[24] / 59'620.0, 0.51, 0.01);
  EXPECT_NEAR(nested[22] / 12'040.0, 0.45, 0.02);
}

TEST(Synthetic, Ipv6HasItsLengthsAndPlaces) {
  const auto prefixes = synthetic_ipv6_prefixes(10'000, 1);
  ASSERT_EQ(prefixes.size(), 10'000u);
  std::map<std::uint32_t, int> by_length;
  for (const Ipv6Prefix& prefix : prefixes) {
    EXPECT_EQ(prefix.upper >> 61, 1u) << "global unicast is 2000::/3 (RFC 4291, section 2.4)";
    ++by_length[prefix.mask_length];
  }
  EXPECT_NEAR(by_length[48], 4714, 15);
  EXPECT_NEAR(by_length[32], 1408, 15);
}

TEST(Synthetic, KeysLieInsideTheirRoute) {
  std::mt19937_64 random(1);
  const Route route{0x0a010000, 16, 0, 1};
  for (int i = 0; i < 100; ++i) EXPECT_EQ(address_inside(route, random) >> 16, 0x0a01u);
}

}  // namespace
}  // namespace packetmill::tables
