// The real routing table of a tier-1 provider, where it lies beside the sources (it is not part of them).

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <vector>

#include "tables/lpm/dir24_8.h"
#include "tables/lpm/radix.h"
#include "tables/lpm/range.h"
#include "tables/lpm/synthetic.h"

namespace packetmill::tables {
namespace {

constexpr const char* kFile = "../shared/data/bgp-prefixes.txt.gz";  // one prefix a line; IPv6 has colons

std::vector<Route> read_routes() {
  const auto close = [](FILE* file) { pclose(file); };
  const std::unique_ptr<FILE, decltype(close)> file(popen((std::string("gzip -dc ") + kFile).c_str(), "r"), close);
  std::vector<Route> routes;
  char line[64];
  while (file && fgets(line, sizeof line, file.get())) {
    unsigned a, b, c, d, length;
    if (sscanf(line, "%u.%u.%u.%u/%u", &a, &b, &c, &d, &length) != 5) continue;
    const std::uint32_t address = a << 24 | b << 16 | c << 8 | d;
    routes.push_back({address, length, 0, static_cast<std::int32_t>((address >> 8) % 16)});
  }
  return routes;
}

TEST(NightlyLpm, TheInternetsTableComesAndGoes) {
  if (!std::filesystem::exists(kFile)) GTEST_SKIP() << kFile << " is not here";
  const std::vector<Route> routes = read_routes();
  ASSERT_GT(routes.size(), 900'000u);
  RadixTable radix;
  Dir24_8Table direct;
  RangeTable range;
  for (const Route& route : routes) ASSERT_TRUE(radix.add(route) && direct.add(route) && range.add(route));
  EXPECT_LT(radix.structure().memory(), 30u << 20);
  EXPECT_LT(range.structure().memory(), 30u << 20);

  std::mt19937_64 random(1);
  const auto agree = [&] {
    for (const Route& route : routes) {
      const std::uint32_t address = address_inside(route, random);
      const NextHop* expected = direct.lookup(address);
      for (const NextHop* hop : {radix.lookup(address), range.lookup(address)}) {
        ASSERT_EQ(hop != nullptr, expected != nullptr) << address;
        if (hop) {
          ASSERT_EQ(*hop, *expected) << address;
        }
      }
    }
  };
  agree();
  for (std::size_t i = 0; i < routes.size(); i += 3) {
    const auto& [address, length, gateway, port] = routes[i];
    ASSERT_TRUE(radix.remove(address, length) && direct.remove(address, length) && range.remove(address, length));
  }
  agree();
  EXPECT_EQ(radix.size(), routes.size() - (routes.size() + 2) / 3);
}

}  // namespace
}  // namespace packetmill::tables
