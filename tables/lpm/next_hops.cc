#include "tables/lpm/next_hops.h"

namespace packetmill::tables {

namespace {

std::uint64_t key_of(NextHop hop) { return std::uint64_t{hop.gateway} << 32 | static_cast<std::uint32_t>(hop.port); }

}  // namespace

std::uint32_t NextHops::acquire(NextHop hop) {
  if (const auto known = numbers_.find(key_of(hop)); known != numbers_.end()) {
    ++uses_[known->second];
    return known->second;
  }
  std::uint32_t number = 0;
  if (!free_.empty()) {
    number = free_.back();
    free_.pop_back();
    hops_[number] = hop;
    uses_[number] = 1;
  } else {
    if (hops_.size() > Cell::kMaxNextHop) return 0;
    number = static_cast<std::uint32_t>(hops_.size());
    hops_.push_back(hop);
    uses_.push_back(1);
  }
  numbers_.emplace(key_of(hop), number);
  return number;
}

void NextHops::release(std::uint32_t number) {
  if (--uses_[number] != 0) return;
  numbers_.erase(key_of(hops_[number]));
  free_.push_back(number);
}

}  // namespace packetmill::tables
