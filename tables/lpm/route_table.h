#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tables/lpm/next_hops.h"
#include "tables/lpm/route.h"
#include "tables/lpm/route_set.h"

namespace packetmill::tables {

/// A lookup structure: which cell wins for an address.
///
/// `paint(address, length, cell)` is its only change, and serves adding, replacing and removing alike: every address
/// in the prefix whose winner is no longer than `length` gets `cell`. For an added or replaced route that is the
/// route's own cell (`cell.length() == length`, not empty); for a removed one, which must have been painted before, it
/// is the cell of the longest route that still covers the prefix, or an empty one.
template <typename T>
concept LookupStructure = requires(T structure, const T& constant, std::uint32_t number, Cell cell) {
  { constant.find(number) } noexcept -> std::same_as<Cell>;
  structure.paint(number, number, cell);
  structure.clear();
};

/// An IPv4 routing table with longest-prefix match. Addresses are in host byte order.
///
/// It is changed in place by the control plane, while no core is within a burst; lookups in between need no lock and
/// allocate nothing. What lookup() returned is valid until the next change.
template <LookupStructure Structure>
class RouteTable {
 public:
  /// The next hop of the longest prefix that holds `address`; null if none does.
  [[nodiscard]] const NextHop* lookup(std::uint32_t address) const noexcept {
    const std::uint32_t number = structure_.find(address).next_hop();
    return number == 0 ? nullptr : &next_hops_[number];
  }

  /// Starts to load what lookup() will read first, where the structure can tell.
  void prefetch(std::uint32_t address) const noexcept {
    if constexpr (requires { structure_.prefetch(address); }) structure_.prefetch(address);
  }

  /// Another number after every change.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }

  /// False, and nothing changes, if the prefix has a route already or there are 2^24 - 1 other next hops.
  [[nodiscard]] bool add(const Route& route) { return !find(route.address, route.mask_length) && set(route); }

  /// Adds the route, or replaces the one that the prefix has. False, and nothing changes, if there are 2^24 - 1 other
  /// next hops.
  [[nodiscard]] bool set(const Route& route) {
    const std::uint32_t address = route.address & mask_of(route.mask_length);
    const std::uint32_t number = next_hops_.acquire({route.gateway, route.port});
    if (number == 0) return false;
    ++version_;
    const Cell cell(route.mask_length, number), old = routes_.find(address, route.mask_length);
    routes_.put(address, cell);
    structure_.paint(address, route.mask_length, cell);
    if (!old.empty()) next_hops_.release(old.next_hop());
    return true;
  }

  /// Removes the route of exactly this prefix. False, and nothing changes, if there is none, or if a gateway or port is
  /// given and the route has another.
  [[nodiscard]] bool remove(std::uint32_t address, std::uint32_t mask_length,
                            std::optional<std::uint32_t> gateway = std::nullopt,
                            std::optional<std::int32_t> port = std::nullopt) {
    address &= mask_of(mask_length);
    const Cell old = routes_.find(address, mask_length);
    if (old.empty()) return false;
    const NextHop hop = next_hops_[old.next_hop()];
    if (gateway.value_or(hop.gateway) != hop.gateway || port.value_or(hop.port) != hop.port) return false;
    ++version_;
    routes_.remove(address, mask_length);
    structure_.paint(address, mask_length, routes_.covering(address, mask_length));
    next_hops_.release(old.next_hop());
    return true;
  }

  /// The route of exactly this prefix.
  [[nodiscard]] std::optional<Route> find(std::uint32_t address, std::uint32_t mask_length) const {
    address &= mask_of(mask_length);
    const Cell cell = routes_.find(address, mask_length);
    if (cell.empty()) return std::nullopt;
    return route_of({address, cell});
  }

  /// All routes in the order of addition, but a new route takes the place that the last removed one has left.
  [[nodiscard]] std::vector<Route> routes() const {
    std::vector<Route> all;
    all.reserve(size());
    for (const RouteSet::Entry& entry : routes_.entries())
      if (!entry.cell.empty()) all.push_back(route_of(entry));
    return all;
  }

  [[nodiscard]] std::size_t size() const { return routes_.size(); }

  void clear() {
    ++version_;
    routes_.clear();
    next_hops_.clear();
    structure_.clear();
  }

  /// The structure itself, for measuring it.
  [[nodiscard]] const Structure& structure() const { return structure_; }

 private:
  [[nodiscard]] Route route_of(const RouteSet::Entry& entry) const {
    const NextHop& hop = next_hops_[entry.cell.next_hop()];
    return {entry.address, entry.cell.length(), hop.gateway, hop.port};
  }

  Structure structure_;
  NextHops next_hops_;
  RouteSet routes_;
  std::uint64_t version_ = 0;
};

}  // namespace packetmill::tables
