#pragma once

#include <cstdint>

namespace packetmill::tables {

/// Where a packet goes next.
struct NextHop {
  std::uint32_t gateway = 0;  ///< IPv4 address in host byte order; 0: the destination is directly connected
  std::int32_t port = 0;      ///< output port
  bool operator==(const NextHop&) const = default;
};

/// One IPv4 route. Addresses are in host byte order: 10.0.0.1 is 0x0a000001.
struct Route {
  std::uint32_t address = 0;      ///< bits past the mask are ignored when a route goes in, and zero when it comes out
  std::uint32_t mask_length = 0;  ///< 0 .. 32
  std::uint32_t gateway = 0;      ///< 0: directly connected
  std::int32_t port = 0;
  bool operator==(const Route&) const = default;
};

/// The network mask of `length` (0 .. 32) leading ones.
constexpr std::uint32_t mask_of(std::uint32_t length) noexcept {
  return length == 0 ? 0 : ~std::uint32_t{0} << (32 - length);
}

/// What a lookup structure keeps for a stretch of addresses: which route wins there. The mask length is kept so that a
/// shorter prefix, added later, does not overwrite a longer one.
class Cell {
 public:
  static constexpr std::uint32_t kMaxNextHop = (1u << 24) - 1;

  constexpr Cell() = default;  ///< no route
  constexpr Cell(std::uint32_t length, std::uint32_t next_hop) : bits_(length << 24 | next_hop) {}

  /// A link to a lower level, for structures that have levels. `number` < 2^31.
  static constexpr Cell link(std::uint32_t number) { return Cell(kLink | number); }
  [[nodiscard]] constexpr bool is_link() const noexcept { return (bits_ & kLink) != 0; }
  [[nodiscard]] constexpr std::uint32_t linked() const noexcept { return bits_ & ~kLink; }

  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  [[nodiscard]] constexpr std::uint32_t length() const noexcept { return bits_ >> 24; }            ///< 0 where empty
  [[nodiscard]] constexpr std::uint32_t next_hop() const noexcept { return bits_ & kMaxNextHop; }  ///< 0: no route
  bool operator==(const Cell&) const = default;

 private:
  static constexpr std::uint32_t kLink = 1u << 31;
  explicit constexpr Cell(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = 0;
};

}  // namespace packetmill::tables
