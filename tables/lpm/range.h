#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tables/lpm/route_table.h"

namespace packetmill::tables {

/// Ranges of addresses with one winner each, sorted and found by binary search; as in DXR (Zec, Rizzo and Mikuc, "DXR:
/// Towards a Billion Routing Lookups per Second in Software", CCR 2012) an array of 2^16 chunks takes the search's
/// first sixteen steps. Neighbours with the same winner are one range, so that a full Internet table takes few bytes a
/// route and stays in cache. Updates work on the ranges in place: no second table.
class Range {
 public:
  [[nodiscard]] Cell find(std::uint32_t address) const noexcept {
    const Chunk& chunk = chunks_[address >> 16];
    std::size_t count = chunk.size();
    const Span* span = chunk.data();
    while (count > 1) {  // invariant: the span sought is among span[0 .. count)
      const std::size_t half = count / 2;
      span = span[half].first <= (address & 0xffff) ? span + half : span;
      count -= half;
    }
    return count == 0 ? Cell() : span->cell;
  }

  void prefetch(std::uint32_t address) const noexcept { __builtin_prefetch(&chunks_[address >> 16]); }

  void paint(std::uint32_t address, std::uint32_t length, Cell cell);

  void clear() { *this = Range(); }

  /// Bytes of the chunks and their ranges.
  [[nodiscard]] std::size_t memory() const;

 private:
  /// From `first` to the next span's, or to the chunk's end.
  struct Span {
    std::uint32_t first;  // the lower 16 bits of the address
    Cell cell;
  };
  using Chunk = std::vector<Span>;  // the first span begins at 0; a chunk without routes has no spans

  static void paint_chunk(Chunk& chunk, std::uint32_t first, std::uint32_t end, std::uint32_t length, Cell cell);

  std::vector<Chunk> chunks_ = std::vector<Chunk>(1u << 16);
};

/// For RangeIPLookup.
using RangeTable = RouteTable<Range>;

}  // namespace packetmill::tables
