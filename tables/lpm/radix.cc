#include "tables/lpm/radix.h"

#include <algorithm>

namespace packetmill::tables {

namespace {

constexpr std::uint32_t slot_of(std::uint32_t address, std::uint32_t level) {
  return (address >> (24 - 8 * level)) & 0xff;
}

}  // namespace

std::uint32_t Radix::make_node(Cell above) {
  if (free_.empty()) {
    nodes_.emplace_back();
    above_.push_back(above);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const std::uint32_t node = free_.back();
  free_.pop_back();
  above_[node] = above;
  return node;
}

void Radix::paint(std::uint32_t address, std::uint32_t length, Cell cell) {
  // Level 0 holds the lengths 0 to 8, level 1 the lengths 9 to 16, and so on.
  const std::uint32_t level = length == 0 ? 0 : (length - 1) / 8;
  if (cell.length() <= 8 * level && level > 0) cell = {};  // it is painted in a node above, and found there
  std::uint32_t node = 0;
  for (std::uint32_t depth = 0; depth < level; ++depth) {
    Cell slot = nodes_[node][slot_of(address, depth)];
    if (!slot.is_link()) {
      slot = Cell::link(make_node(slot));
      nodes_[node][slot_of(address, depth)] = slot;
    }
    node = slot.linked();
  }
  const std::uint32_t first = slot_of(address, level), count = 1u << (8 * (level + 1) - length);
  for (std::uint32_t i = first; i < first + count; ++i) {
    Cell& slot = nodes_[node][i].is_link() ? above_[nodes_[node][i].linked()] : nodes_[node][i];
    if (slot.length() <= length) slot = cell;
  }
  if (cell.empty()) prune(address, level);
}

/// Frees the nodes on the way to `address`, from `level` upwards, that a removal has left without prefix and link.
void Radix::prune(std::uint32_t address, std::uint32_t level) {
  std::array<std::uint32_t, 4> path{};  // the node at each level; 0 at level 0
  for (std::uint32_t depth = 0; depth < level; ++depth)
    path[depth + 1] = nodes_[path[depth]][slot_of(address, depth)].linked();
  for (; level > 0; --level) {
    const std::uint32_t node = path[level];
    if (!std::ranges::all_of(nodes_[node], &Cell::empty)) return;
    nodes_[path[level - 1]][slot_of(address, level - 1)] = above_[node];
    free_.push_back(node);
  }
}

}  // namespace packetmill::tables
