#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tables/huge_pages.h"
#include "tables/lpm/route_table.h"

namespace packetmill::tables {

/// DIR-24-8-BASIC (Gupta, Lin and McKeown, "Routing Lookups in Hardware at Memory Access Speeds", INFOCOM 1998): one
/// slot for every /24, and for those that hold longer prefixes a link to a group of 256. One memory access for most
/// addresses, two at worst; 64 MiB of memory, however few the routes. Painting a /24 is one write, painting a short
/// prefix many: the default route rewrites the table (some ten milliseconds).
class Dir24_8 {
 public:
  [[nodiscard]] Cell find(std::uint32_t address) const noexcept {
    const Cell cell = first_[address >> 8];
    return cell.is_link() ? groups_[cell.linked()][address & 0xff] : cell;
  }

  void prefetch(std::uint32_t address) const noexcept { __builtin_prefetch(&first_[address >> 8]); }

  void paint(std::uint32_t address, std::uint32_t length, Cell cell);

  void clear() { *this = Dir24_8(); }

 private:
  using Group = std::array<Cell, 256>;

  void paint_group(std::uint32_t address, std::uint32_t length, Cell cell);

  std::vector<Cell, HugePageAllocator<Cell>> first_ = decltype(first_)(1u << 24);  // by the upper 24 bits
  std::vector<Group, HugePageAllocator<Group>> groups_;
  std::vector<std::uint32_t> free_;
};

/// For DirectIPLookup.
using Dir24_8Table = RouteTable<Dir24_8>;

}  // namespace packetmill::tables
