#include "tables/lpm/dir24_8.h"

#include <algorithm>

namespace packetmill::tables {

namespace {

void paint_cells(Cell* first, std::uint32_t count, std::uint32_t length, Cell cell) {
  for (Cell* slot = first; slot != first + count; ++slot)
    if (slot->length() <= length) *slot = cell;
}

}  // namespace

void Dir24_8::paint(std::uint32_t address, std::uint32_t length, Cell cell) {
  if (length > 24) return paint_group(address, length, cell);
  Cell* slot = &first_[address >> 8];
  for (const Cell* end = slot + (1u << (24 - length)); slot != end; ++slot) {
    if (slot->is_link())
      paint_cells(groups_[slot->linked()].data(), 256, length, cell);
    else if (slot->length() <= length)
      *slot = cell;
  }
}

/// A prefix longer than /24: within one group, made when the first such prefix comes and freed when the last goes.
void Dir24_8::paint_group(std::uint32_t address, std::uint32_t length, Cell cell) {
  Cell& slot = first_[address >> 8];
  if (!slot.is_link()) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(groups_.size()));
      groups_.emplace_back();
    }
    groups_[free_.back()].fill(slot);
    slot = Cell::link(free_.back());
    free_.pop_back();
  }
  Group& group = groups_[slot.linked()];
  paint_cells(&group[address & 0xff], 1u << (32 - length), length, cell);
  if (std::ranges::all_of(group, [](Cell each) { return each.length() <= 24; })) {
    free_.push_back(slot.linked());
    slot = group[0];  // without longer prefixes one winner holds the whole /24
  }
}

}  // namespace packetmill::tables
