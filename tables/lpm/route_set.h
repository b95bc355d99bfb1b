#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tables/lpm/route.h"

namespace packetmill::tables {

/// The routes that a table holds, whatever structure serves its lookups: a hash map from prefix to next hop, 8 bytes a
/// route and about 6 of index. It answers what the control plane asks: is this prefix here, and what is left when it
/// goes? Prefixes are given with the bits past the mask zero.
class RouteSet {
 public:
  struct Entry {
    std::uint32_t address = 0;
    Cell cell;  ///< mask length and next hop's number; empty: a place that a removed route has left
  };

  /// The route of exactly this prefix; empty if there is none.
  [[nodiscard]] Cell find(std::uint32_t address, std::uint32_t length) const;

  /// The longest route that covers this prefix and is shorter; empty if there is none.
  [[nodiscard]] Cell covering(std::uint32_t address, std::uint32_t length) const;

  /// Adds the route, or gives it another next hop if the prefix is there. `cell` is not empty.
  void put(std::uint32_t address, Cell cell);

  /// Removes a route that is there.
  void remove(std::uint32_t address, std::uint32_t length);

  /// In the order of addition, but a new route takes the place that the last removed one has left.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  [[nodiscard]] std::size_t size() const { return entries_.size() - free_.size(); }

  void clear() { *this = RouteSet(); }

 private:
  static constexpr std::uint32_t kEmpty = ~std::uint32_t{0};

  [[nodiscard]] std::size_t home(std::uint32_t address, std::uint32_t length) const;
  [[nodiscard]] std::size_t place(std::uint32_t address, std::uint32_t length) const;
  void grow();

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;                            // indices of entries that were removed
  std::vector<std::uint32_t> index_ = std::vector(8, kEmpty);  // open addressing; the size is a power of two
  std::array<std::uint32_t, 33> count_{};                      // routes by mask length: covering() skips empty lengths
};

}  // namespace packetmill::tables
