#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tables/lpm/route.h"

namespace packetmill::tables {

/// The distinct next hops of a routing table, numbered from 1. A full Internet table has a million routes and a few
/// hundred next hops, so that lookup structures keep the number and the next hops stay in the nearest cache.
class NextHops {
 public:
  /// The number of `hop`, which is counted once more; 0 if there are Cell::kMaxNextHop others.
  std::uint32_t acquire(NextHop hop);

  /// Takes back one acquire().
  void release(std::uint32_t number);

  [[nodiscard]] const NextHop& operator[](std::uint32_t number) const noexcept { return hops_[number]; }

  void clear() { *this = NextHops(); }

 private:
  std::vector<NextHop> hops_{NextHop{}};  // number 0 is no next hop
  std::vector<std::uint32_t> uses_{0};
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace packetmill::tables
