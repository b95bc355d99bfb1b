#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tables/lpm/route.h"

namespace packetmill::tables {

/// An IPv6 prefix of at most 64 bits: the upper half of the address in host byte order, bits past the mask zero.
struct Ipv6Prefix {
  std::uint64_t upper = 0;
  std::uint32_t mask_length = 0;
  bool operator==(const Ipv6Prefix&) const = default;
};

/// Routing tables like the Internet's, for tests and benchmarks: prefix lengths in the shares of a real tier-1 table
/// (900,000 IPv4 prefixes, 160,000 IPv6), more-specifics inside covering prefixes as often as there. Prefixes are
/// distinct, shorter ones come first, and a seed always gives the same table. Beyond some million IPv4 prefixes the
/// address space has no room for all shares, and fewer than `count` come back.
std::vector<Route> synthetic_ipv4_routes(std::size_t count, std::int32_t ports, std::uint64_t seed);
std::vector<Ipv6Prefix> synthetic_ipv6_prefixes(std::size_t count, std::uint64_t seed);

/// An address of the route's prefix. Lookup keys are drawn like this: uniformly random addresses mostly miss, and
/// flatter.
inline std::uint32_t address_inside(const Route& route, std::mt19937_64& random) {
  return route.address | (static_cast<std::uint32_t>(random()) & ~mask_of(route.mask_length));
}

}  // namespace packetmill::tables
