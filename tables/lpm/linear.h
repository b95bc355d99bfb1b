#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tables/lpm/route_table.h"

namespace packetmill::tables {

/// Routes in an array, longest first: the first match wins. Obvious, and for a handful of routes as good as any.
class Linear {
 public:
  [[nodiscard]] Cell find(std::uint32_t address) const noexcept {
    for (const Entry& entry : entries_)
      if ((address & entry.mask) == entry.address) return entry.cell;
    return {};
  }

  void paint(std::uint32_t address, std::uint32_t length, Cell cell) {
    // Equal prefixes are adjacent in this order, so that there is one place for each.
    const auto at = std::partition_point(entries_.begin(), entries_.end(), [&](const Entry& entry) {
      return entry.cell.length() > length || (entry.cell.length() == length && entry.address < address);
    });
    const bool here = at != entries_.end() && at->cell.length() == length && at->address == address;
    const bool added = !cell.empty() && cell.length() == length;
    if (here && added)
      at->cell = cell;
    else if (added)
      entries_.insert(at, {mask_of(length), address, cell});
    else if (here)
      entries_.erase(at);  // what covers the prefix has its own place in the array
  }

  void clear() { entries_.clear(); }

 private:
  struct Entry {
    std::uint32_t mask;
    std::uint32_t address;
    Cell cell;
  };
  std::vector<Entry> entries_;
};

/// For StaticIPLookup and LinearIPLookup. A lookup takes time in proportion to the number of routes.
using LinearTable = RouteTable<Linear>;

}  // namespace packetmill::tables
