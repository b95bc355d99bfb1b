#include "tables/lpm/range.h"

#include <algorithm>

namespace packetmill::tables {

void Range::paint(std::uint32_t address, std::uint32_t length, Cell cell) {
  if (length > 16) {
    const std::uint32_t first = address & 0xffff;
    return paint_chunk(chunks_[address >> 16], first, first + (1u << (32 - length)), length, cell);
  }
  const std::uint32_t chunk = address >> 16;
  for (std::uint32_t i = chunk; i < chunk + (1u << (16 - length)); ++i)
    paint_chunk(chunks_[i], 0, 1u << 16, length, cell);
}

/// Paints [first, end) of a chunk: splits the spans at both ends, paints those between, and joins equal neighbours.
void Range::paint_chunk(Chunk& chunk, std::uint32_t first, std::uint32_t end, std::uint32_t length, Cell cell) {
  if (chunk.empty()) chunk.push_back({0, Cell()});
  const auto split = [&](std::uint32_t where) {
    const auto next = std::ranges::lower_bound(chunk, where, {}, &Span::first);
    if (where == 1u << 16 || (next != chunk.end() && next->first == where)) return next - chunk.begin();
    return chunk.insert(next, {where, std::prev(next)->cell}) - chunk.begin();
  };
  const auto begin = split(first), stop = split(end);
  for (auto i = begin; i < stop; ++i)
    if (chunk[i].cell.length() <= length) chunk[i].cell = cell;

  // Only spans from the one before the painted stretch to the one after it can have become equal.
  const auto from = chunk.begin() + std::max<std::ptrdiff_t>(begin - 1, 0);
  const auto to = stop < std::ssize(chunk) ? chunk.begin() + stop + 1 : chunk.end();
  chunk.erase(std::unique(from, to, [](const Span& a, const Span& b) { return a.cell == b.cell; }), to);
  if (chunk.size() == 1 && chunk[0].cell.empty()) chunk = {};
}

std::size_t Range::memory() const {
  std::size_t bytes = chunks_.size() * sizeof(Chunk);
  for (const Chunk& chunk : chunks_) bytes += chunk.capacity() * sizeof(Span);
  return bytes;
}

}  // namespace packetmill::tables
