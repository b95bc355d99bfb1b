// Every routing table against the same plain oracle: a list of routes, all of them looked at for each address.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tables/lpm/dir24_8.h"
#include "tables/lpm/linear.h"
#include "tables/lpm/radix.h"
#include "tables/lpm/range.h"
#include "tables/lpm/synthetic.h"

namespace packetmill::tables {
namespace {

constexpr std::uint32_t ip(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return a << 24 | b << 16 | c << 8 | d;
}

class Oracle {
 public:
  [[nodiscard]] std::optional<NextHop> lookup(std::uint32_t address) const {
    const Route* best = nullptr;
    for (const Route& route : routes)
      if ((address & mask_of(route.mask_length)) == route.address && (!best || route.mask_length > best->mask_length))
        best = &route;
    if (!best) return std::nullopt;
    return NextHop{best->gateway, best->port};
  }

  bool add(Route route) {
    route.address &= mask_of(route.mask_length);
    if (find(route.address, route.mask_length) != routes.end()) return false;
    routes.push_back(route);
    return true;
  }

  void set(Route route) {
    route.address &= mask_of(route.mask_length);
    if (const auto old = find(route.address, route.mask_length); old != routes.end())
      *old = route;
    else
      routes.push_back(route);
  }

  bool remove(std::uint32_t address, std::uint32_t length) {
    const auto old = find(address & mask_of(length), length);
    if (old == routes.end()) return false;
    routes.erase(old);
    return true;
  }

  std::vector<Route> routes;

 private:
  std::vector<Route>::iterator find(std::uint32_t address, std::uint32_t length) {
    return std::ranges::find_if(
        routes, [&](const Route& route) { return route.address == address && route.mask_length == length; });
  }
};

template <typename Table>
std::optional<NextHop> found(const Table& table, std::uint32_t address) {
  const NextHop* hop = table.lookup(address);
  return hop ? std::optional(*hop) : std::nullopt;
}

std::vector<Route> sorted(std::vector<Route> routes) {
  std::ranges::sort(routes, {}, [](const Route& route) { return std::pair(route.address, route.mask_length); });
  return routes;
}

template <typename Table>
class Lpm : public ::testing::Test {
 protected:
  Table table;
};

using Tables = ::testing::Types<LinearTable, RadixTable, Dir24_8Table, RangeTable>;
TYPED_TEST_SUITE(Lpm, Tables);

TYPED_TEST(Lpm, AnEmptyTableFindsNothing) {
  EXPECT_EQ(this->table.lookup(0), nullptr);
  EXPECT_EQ(this->table.lookup(~0u), nullptr);
  EXPECT_EQ(this->table.size(), 0u);
  EXPECT_FALSE(this->table.remove(0, 0));
}

// The example of Click's manual page LinearIPLookup.
TYPED_TEST(Lpm, TheLongestPrefixWins) {
  const std::uint32_t gateway = ip(18, 26, 4, 1);
  const std::vector<Route> routes{{ip(18, 26, 4, 24), 32, 0, 0},
                                  {ip(18, 26, 4, 255), 32, 0, 0},
                                  {ip(18, 26, 4, 0), 32, 0, 0},
                                  {ip(18, 26, 4, 0), 24, 0, 1},
                                  {0, 0, gateway, 1}};
  for (const Route& route : routes) ASSERT_TRUE(this->table.add(route));

  EXPECT_EQ(found(this->table, ip(18, 26, 4, 24)), (NextHop{0, 0}));
  EXPECT_EQ(found(this->table, ip(18, 26, 4, 255)), (NextHop{0, 0}));
  EXPECT_EQ(found(this->table, ip(18, 26, 4, 0)), (NextHop{0, 0}));
  EXPECT_EQ(found(this->table, ip(18, 26, 4, 25)), (NextHop{0, 1}));
  EXPECT_EQ(found(this->table, ip(18, 26, 5, 0)), (NextHop{gateway, 1}));
  EXPECT_EQ(found(this->table, ip(255, 255, 255, 255)), (NextHop{gateway, 1}));
  EXPECT_EQ(this->table.routes(), routes) << "in the order of addition";
}

TYPED_TEST(Lpm, APrefixHasOneRoute) {
  ASSERT_TRUE(this->table.add({ip(10, 0, 0, 0), 8, 0, 1}));
  EXPECT_FALSE(this->table.add({ip(10, 0, 0, 0), 8, 0, 2}));
  EXPECT_FALSE(this->table.add({ip(10, 1, 2, 3), 8, 0, 2})) << "bits past the mask are ignored";
  EXPECT_EQ(found(this->table, ip(10, 1, 2, 3)), (NextHop{0, 1}));

  ASSERT_TRUE(this->table.set({ip(10, 1, 2, 3), 8, ip(1, 1, 1, 1), 2}));
  EXPECT_EQ(this->table.size(), 1u);
  EXPECT_EQ(found(this->table, ip(10, 1, 2, 3)), (NextHop{ip(1, 1, 1, 1), 2}));
  EXPECT_EQ(this->table.find(ip(10, 0, 0, 0), 8), (Route{ip(10, 0, 0, 0), 8, ip(1, 1, 1, 1), 2}));
  EXPECT_EQ(this->table.find(ip(10, 0, 0, 0), 9), std::nullopt);
}

TYPED_TEST(Lpm, RemoveNamesTheRouteAsFarAsItIsGiven) {
  ASSERT_TRUE(this->table.add({ip(10, 0, 0, 0), 8, ip(1, 1, 1, 1), 3}));
  EXPECT_FALSE(this->table.remove(ip(10, 0, 0, 0), 9));
  EXPECT_FALSE(this->table.remove(ip(10, 0, 0, 0), 8, ip(1, 1, 1, 2)));
  EXPECT_FALSE(this->table.remove(ip(10, 0, 0, 0), 8, std::nullopt, 4));
  EXPECT_EQ(this->table.size(), 1u);
  EXPECT_TRUE(this->table.remove(ip(10, 0, 0, 0), 8, ip(1, 1, 1, 1), 3));
  EXPECT_EQ(this->table.lookup(ip(10, 0, 0, 1)), nullptr);
}

TYPED_TEST(Lpm, WhatIsRemovedUncoversWhatItHid) {
  ASSERT_TRUE(this->table.add({ip(10, 1, 1, 1), 32, 0, 32}));
  ASSERT_TRUE(this->table.add({ip(10, 1, 1, 0), 24, 0, 24}));
  ASSERT_TRUE(this->table.add({ip(10, 0, 0, 0), 8, 0, 8}));
  ASSERT_TRUE(this->table.add({0, 0, 0, 0}));
  const std::uint32_t address = ip(10, 1, 1, 1);
  EXPECT_EQ(found(this->table, address), (NextHop{0, 32}));
  ASSERT_TRUE(this->table.remove(address, 32));
  EXPECT_EQ(found(this->table, address), (NextHop{0, 24}));
  ASSERT_TRUE(this->table.remove(address, 8));
  EXPECT_EQ(found(this->table, address), (NextHop{0, 24}));
  ASSERT_TRUE(this->table.remove(address, 24));
  EXPECT_EQ(found(this->table, address), (NextHop{0, 0}));
  ASSERT_TRUE(this->table.remove(address, 0));
  EXPECT_EQ(this->table.lookup(address), nullptr);
}

TYPED_TEST(Lpm, ClearForgetsEverything) {
  ASSERT_TRUE(this->table.add({0, 0, 0, 1}));
  ASSERT_TRUE(this->table.add({ip(10, 1, 1, 128), 25, 0, 2}));
  this->table.clear();
  EXPECT_EQ(this->table.size(), 0u);
  EXPECT_TRUE(this->table.routes().empty());
  EXPECT_EQ(this->table.lookup(ip(10, 1, 1, 129)), nullptr);
  EXPECT_TRUE(this->table.add({ip(10, 1, 1, 128), 25, 0, 3}));
  EXPECT_EQ(found(this->table, ip(10, 1, 1, 129)), (NextHop{0, 3}));
}

/// Prefixes that meet often: few networks, all lengths, but short ones rarely (they rewrite much of a direct table).
Route random_route(std::mt19937_64& random) {
  constexpr std::uint32_t kNetworks[] = {0, ip(10, 0, 0, 0), ip(10, 0, 1, 0), ip(10, 1, 0, 0), ip(255, 255, 255, 0)};
  const std::uint32_t low_bits = mask_of(static_cast<std::uint32_t>(random() % 33));
  const std::uint32_t address = kNetworks[random() % 5] ^ (static_cast<std::uint32_t>(random()) & ~low_bits);
  const std::uint32_t length = random() % 16 == 0 ? random() % 33 : 12 + random() % 21;
  return {address, length, static_cast<std::uint32_t>(random() % 3), static_cast<std::int32_t>(random() % 4)};
}

TYPED_TEST(Lpm, AgreesWithTheOracleThroughRandomOperations) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    TypeParam table;
    Oracle oracle;
    std::vector<std::uint32_t> edges{0, ~0u};
    for (int step = 0; step < 1500; ++step) {
      const Route route = random_route(random);
      const std::uint32_t first = route.address & mask_of(route.mask_length),
                          last = first | ~mask_of(route.mask_length);
      switch (random() % 4) {
        case 0:
          ASSERT_EQ(table.add(route), oracle.add(route));
          break;
        case 1:
          ASSERT_TRUE(table.set(route));
          oracle.set(route);
          break;
        case 2:
          ASSERT_EQ(table.remove(route.address, route.mask_length), oracle.remove(route.address, route.mask_length));
          break;
        default:
          if (oracle.routes.empty()) break;
          const Route gone = oracle.routes[random() % oracle.routes.size()];
          ASSERT_TRUE(table.remove(gone.address, gone.mask_length, gone.gateway, gone.port));
          oracle.remove(gone.address, gone.mask_length);
      }
      for (const std::uint32_t address : {first - 1, first, last, last + 1, address_inside(route, random)}) {
        ASSERT_EQ(found(table, address), oracle.lookup(address)) << address;
        edges.push_back(address);
      }
      const std::uint32_t earlier = edges[random() % edges.size()];
      ASSERT_EQ(found(table, earlier), oracle.lookup(earlier)) << earlier;
    }
    for (const std::uint32_t address : edges) ASSERT_EQ(found(table, address), oracle.lookup(address)) << address;
    ASSERT_EQ(table.size(), oracle.routes.size());
    ASSERT_EQ(sorted(table.routes()), sorted(oracle.routes));

    for (const Route& route : table.routes()) ASSERT_TRUE(table.remove(route.address, route.mask_length));
    for (const std::uint32_t address : edges) ASSERT_EQ(table.lookup(address), nullptr) << address;
  }
}

// Two structures that have nothing in common agree on tables too large for the oracle.
TEST(LpmLarge, RadixDirectAndRangeAgreeWhileRoutesComeAndGo) {
  const auto routes = synthetic_ipv4_routes(30'000, 16, 3);
  RadixTable radix;
  Dir24_8Table direct;
  RangeTable range;
  std::mt19937_64 random(3);
  const auto agree = [&] {
    for (const Route& route : routes) {
      const std::uint32_t address = address_inside(route, random);
      const auto expected = found(direct, address);
      ASSERT_EQ(found(radix, address), expected) << address;
      ASSERT_EQ(found(range, address), expected) << address;
    }
  };
  for (const Route& route : routes) ASSERT_TRUE(radix.add(route) && direct.add(route) && range.add(route));
  agree();
  for (std::size_t i = 0; i < routes.size(); i += 2) {
    const auto& [address, length, gateway, port] = routes[i];
    ASSERT_TRUE(radix.remove(address, length) && direct.remove(address, length) && range.remove(address, length));
  }
  agree();
}

TEST(LpmLarge, RadixGivesItsNodesBack) {
  RadixTable table;
  const std::size_t empty = table.structure().memory();
  const auto routes = synthetic_ipv4_routes(5'000, 16, 4);
  for (const Route& route : routes) ASSERT_TRUE(table.add(route));
  EXPECT_GT(table.structure().memory(), empty);
  for (const Route& route : routes) ASSERT_TRUE(table.remove(route.address, route.mask_length));
  EXPECT_EQ(table.structure().memory(), empty);
}

}  // namespace
}  // namespace packetmill::tables
