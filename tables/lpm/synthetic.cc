#include "tables/lpm/synthetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_set>

#include "tables/hash.h"

namespace packetmill::tables {

namespace {

/// How much of the table has this length, and how many of those lie inside a shorter prefix. In percent.
struct Share {
  std::uint32_t length;
  double share;
  int nested;
};

constexpr Share kIpv4[] = {
    {8, 0.002, 0},   {9, 0.001, 0},    {10, 0.004, 0},  {11, 0.011, 4},  {12, 0.033, 10}, {13, 0.064, 16},
    {14, 0.133, 15}, {15, 0.232, 22},  {16, 1.50, 24},  {17, 0.91, 46},  {18, 1.53, 50},  {19, 2.76, 40},
    {20, 4.72, 55},  {21, 5.63, 55},   {22, 12.04, 45}, {23, 10.70, 57}, {24, 59.62, 51}, {25, 0.003, 100},
    {28, 0.006, 94}, {30, 0.003, 100}, {32, 0.098, 99},
};

constexpr Share kIpv6[] = {
    {20, 0.010, 0}, {24, 0.020, 10}, {26, 0.020, 0}, {27, 0.020, 10}, {28, 0.12, 44},  {29, 2.73, 1},  {30, 0.41, 44},
    {31, 0.18, 46}, {32, 14.08, 25}, {33, 1.83, 81}, {34, 1.63, 72},  {35, 0.65, 62},  {36, 3.74, 57}, {37, 0.55, 75},
    {38, 1.01, 52}, {39, 0.86, 82},  {40, 8.38, 76}, {41, 0.56, 53},  {42, 1.44, 80},  {43, 0.63, 43}, {44, 8.97, 72},
    {45, 0.97, 82}, {46, 1.90, 53},  {47, 1.97, 79}, {48, 47.14, 60}, {49, 0.01, 100}, {56, 0.03, 96}, {64, 0.17, 97},
};

struct Prefix {
  std::uint64_t bits;  // left-aligned, whatever the address's width
  std::uint32_t length;
};

constexpr std::uint64_t mask64(std::uint32_t length) { return length == 0 ? 0 : ~std::uint64_t{0} << (64 - length); }

class Generator {
 public:
  Generator(std::span<const Prefix> allocated, std::uint64_t seed) : allocated_(allocated), random_(seed) {}

  std::vector<Prefix> generate(std::span<const Share> shares, std::size_t count) {
    double due = 0;  // the shares are summed before they are rounded, so that the numbers add up to `count`
    std::size_t placed = 0;
    for (const Share& share : shares) {
      due += share.share / total(shares) * static_cast<double>(count);
      const auto end = static_cast<std::size_t>(std::lround(due));
      const std::size_t shorter = prefixes_.size();
      while (placed < end && add(share, shorter)) ++placed;
      placed = end;
    }
    return std::move(prefixes_);
  }

 private:
  static double total(std::span<const Share> shares) {
    double sum = 0;
    for (const Share& share : shares) sum += share.share;
    return sum;
  }

  /// Adds one prefix; the first `shorter` are those that may cover it. False if no room was found in many tries.
  bool add(const Share& share, std::size_t shorter) {
    const bool nested = shorter > 0 && random_() % 100 < static_cast<unsigned>(share.nested);
    for (int tries = 0; tries < 1000; ++tries) {
      const Prefix parent = nested ? cover(share.length, shorter) : allocated_[random_() % allocated_.size()];
      const std::uint64_t bits = (parent.bits | (random_() & ~mask64(parent.length))) & mask64(share.length);
      if (!nested && covered(bits, share.length)) continue;
      if (!known_[share.length].insert(bits).second) continue;
      prefixes_.push_back({bits, share.length});
      return true;
    }
    return false;
  }

  /// A prefix up to 8 bits shorter, as nearly all real ones are; any shorter one where there is none of those.
  const Prefix& cover(std::uint32_t length, std::size_t shorter) {
    const std::span all(prefixes_.data(), shorter);
    const std::uint32_t shortest = length > 8 ? length - 8 : 0;
    auto first = static_cast<std::size_t>(std::ranges::lower_bound(all, shortest, {}, &Prefix::length) - all.begin());
    if (first == shorter) first = 0;
    return all[first + random_() % (shorter - first)];
  }

  bool covered(std::uint64_t bits, std::uint32_t length) const {
    while (length-- > 0)
      if (known_[length].contains(bits & mask64(length))) return true;
    return false;
  }

  std::span<const Prefix> allocated_;
  std::mt19937_64 random_;
  std::vector<Prefix> prefixes_;
  std::array<std::unordered_set<std::uint64_t>, 65> known_;
};

constexpr std::uint64_t top(std::uint64_t number, std::uint32_t length) { return number << (64 - length); }

/// IPv4 unicast, 1.0.0.0 to 223.255.255.255, without 10/8 and 127/8 (IANA IPv4 Special-Purpose Address Registry).
std::vector<Prefix> ipv4_unicast() {
  std::vector<Prefix> allocated;
  for (std::uint64_t net = 1; net < 224; ++net)
    if (net != 10 && net != 127) allocated.push_back({top(net, 8), 8});
  return allocated;
}

/// What the regional registries have: 2001::/16, 2400::/12, 2600::/12, 2800::/12, 2a00::/12 (IANA IPv6 Global Unicast
/// Address Assignments).
constexpr Prefix kIpv6Unicast[] = {
    {top(0x2001, 16), 16}, {top(0x240, 12), 12}, {top(0x260, 12), 12}, {top(0x280, 12), 12}, {top(0x2a0, 12), 12},
};

}  // namespace

std::vector<Route> synthetic_ipv4_routes(std::size_t count, std::int32_t ports, std::uint64_t seed) {
  const std::vector<Prefix> allocated = ipv4_unicast();
  std::vector<Route> routes;
  for (const Prefix& prefix : Generator(allocated, seed).generate(kIpv4, count)) {
    const std::uint64_t port = scale_hash(mix(prefix.bits | prefix.length, ~seed), static_cast<std::uint32_t>(ports));
    const auto gateway = static_cast<std::uint32_t>(0x0a000001 + (port << 8));  // 10.0.PORT.1
    routes.push_back(
        {static_cast<std::uint32_t>(prefix.bits >> 32), prefix.length, gateway, static_cast<std::int32_t>(port)});
  }
  return routes;
}

std::vector<Ipv6Prefix> synthetic_ipv6_prefixes(std::size_t count, std::uint64_t seed) {
  std::vector<Ipv6Prefix> prefixes;
  for (const Prefix& prefix : Generator(kIpv6Unicast, seed).generate(kIpv6, count))
    prefixes.push_back({prefix.bits, prefix.length});
  return prefixes;
}

}  // namespace packetmill::tables
