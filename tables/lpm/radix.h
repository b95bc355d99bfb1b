#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tables/huge_pages.h"
#include "tables/lpm/route_table.h"

namespace packetmill::tables {

/// A trie of four levels of 8 bits each (Srinivasan and Varghese, "Fast Address Lookups Using Controlled Prefix
/// Expansion", 1999). A node has 256 slots; a slot holds the winner among the node's own prefixes, or a link to the
/// node below.
///
/// Leaves are not pushed: a prefix is painted in one node only, so that an update touches at most 256 slots, even the
/// default route's in a full table. What a slot with a link would have held lies beside, in `above_`, dense enough (4
/// bytes a node) to stay in cache, and off the critical path of the descent.
///
/// The three routes of a small router take a few lines of cache; a full Internet table (900,000 routes, 26,000 nodes)
/// 27 MB.
class Radix {
 public:
  [[nodiscard]] Cell find(std::uint32_t address) const noexcept {
    Cell best;
    std::uint32_t node = 0;
    for (int shift = 24;; shift -= 8) {  // ends at the fourth level, whose slots have no links
      const Cell slot = nodes_[node][(address >> shift) & 0xff];
      if (!slot.is_link()) return slot.empty() ? best : slot;
      node = slot.linked();
      const Cell above = above_[node];
      best = above.empty() ? best : above;
    }
  }

  void paint(std::uint32_t address, std::uint32_t length, Cell cell);

  void clear() { *this = Radix(); }

  /// Bytes of the nodes in use.
  [[nodiscard]] std::size_t memory() const { return (nodes_.size() - free_.size()) * (sizeof(Node) + sizeof(Cell)); }

 private:
  struct alignas(64) Node : std::array<Cell, 256> {};

  [[nodiscard]] std::uint32_t make_node(Cell above);
  void prune(std::uint32_t address, std::uint32_t level);

  std::vector<Node, HugePageAllocator<Node>> nodes_{Node{}};  // node 0 is the root
  std::vector<Cell> above_{Cell{}};                           // by node: what the slot that links to it would hold
  std::vector<std::uint32_t> free_;
};

/// For RadixIPLookup: the good default.
using RadixTable = RouteTable<Radix>;

}  // namespace packetmill::tables
