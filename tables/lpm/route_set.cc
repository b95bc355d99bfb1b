#include "tables/lpm/route_set.h"

#include "tables/hash.h"

namespace packetmill::tables {

std::size_t RouteSet::home(std::uint32_t address, std::uint32_t length) const {
  const std::uint64_t prefix = std::uint64_t{address} << 8 | length;
  return hash_bytes<sizeof prefix>(&prefix, 0) & (index_.size() - 1);
}

/// Where in the index the prefix is, or would go.
std::size_t RouteSet::place(std::uint32_t address, std::uint32_t length) const {
  std::size_t at = home(address, length);
  while (index_[at] != kEmpty) {
    const Entry& entry = entries_[index_[at]];
    if (entry.address == address && entry.cell.length() == length) break;
    at = (at + 1) & (index_.size() - 1);
  }
  return at;
}

Cell RouteSet::find(std::uint32_t address, std::uint32_t length) const {
  const std::uint32_t number = index_[place(address, length)];
  return number == kEmpty ? Cell() : entries_[number].cell;
}

Cell RouteSet::covering(std::uint32_t address, std::uint32_t length) const {
  while (length-- > 0) {
    if (count_[length] == 0) continue;
    if (const Cell cell = find(address & mask_of(length), length); !cell.empty()) return cell;
  }
  return {};
}

void RouteSet::put(std::uint32_t address, Cell cell) {
  std::size_t at = place(address, cell.length());
  if (index_[at] != kEmpty) {
    entries_[index_[at]].cell = cell;
    return;
  }
  if ((size() + 1) * 4 > index_.size() * 3) {
    grow();
    at = place(address, cell.length());
  }
  if (free_.empty()) {
    index_[at] = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back({address, cell});
  } else {
    index_[at] = free_.back();
    free_.pop_back();
    entries_[index_[at]] = {address, cell};
  }
  ++count_[cell.length()];
}

void RouteSet::remove(std::uint32_t address, std::uint32_t length) {
  std::size_t hole = place(address, length);
  free_.push_back(index_[hole]);
  entries_[index_[hole]] = {};
  --count_[length];
  // Close the gap (Knuth, TAOCP vol. 3, algorithm 6.4R): an entry moves back unless its home lies after the hole.
  const std::size_t mask = index_.size() - 1;
  for (std::size_t at = (hole + 1) & mask; index_[at] != kEmpty; at = (at + 1) & mask) {
    const Entry& entry = entries_[index_[at]];
    const std::size_t distance = (at - home(entry.address, entry.cell.length())) & mask;
    if (distance < ((at - hole) & mask)) continue;
    index_[hole] = index_[at];
    hole = at;
  }
  index_[hole] = kEmpty;
}

void RouteSet::grow() {
  index_.assign(index_.size() * 2, kEmpty);
  for (std::uint32_t number = 0; number < entries_.size(); ++number) {
    const Entry& entry = entries_[number];
    if (!entry.cell.empty()) index_[place(entry.address, entry.cell.length())] = number;
  }
}

}  // namespace packetmill::tables
