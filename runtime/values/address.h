#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <string>

namespace packetmill {

/// Exchanges host and network byte order (the same operation both ways).
constexpr uint16_t swap_network(uint16_t value) {
  return std::endian::native == std::endian::little ? __builtin_bswap16(value) : value;
}
constexpr uint32_t swap_network(uint32_t value) {
  return std::endian::native == std::endian::little ? __builtin_bswap32(value) : value;
}

/// Packed, so that protocol headers may hold it at any offset.
struct [[gnu::packed]] IPv4Address {
  uint32_t network = 0;  ///< network byte order, as it lies in a packet

  static constexpr IPv4Address from_host(uint32_t host) { return {swap_network(host)}; }
  [[nodiscard]] constexpr uint32_t host() const { return swap_network(network); }

  friend constexpr bool operator==(IPv4Address, IPv4Address) = default;
  friend constexpr auto operator<=>(IPv4Address a, IPv4Address b) { return a.host() <=> b.host(); }
};

/// An address with a mask, both kept as they were written: the address may have bits outside of the mask, and the mask
/// may have holes.
struct IPv4Prefix {
  IPv4Address address;
  IPv4Address mask;

  static constexpr IPv4Address mask_of_length(int length) {
    return IPv4Address::from_host(length == 0 ? 0 : ~uint32_t{0} << (32 - length));
  }
  /// The number of leading one bits, or -1 where the mask is not contiguous.
  [[nodiscard]] constexpr int length() const {
    const int ones = std::countl_one(mask.host());
    return mask == mask_of_length(ones) ? ones : -1;
  }
  [[nodiscard]] constexpr bool contains(IPv4Address other) const {
    return ((other.network ^ address.network) & mask.network) == 0;
  }
  [[nodiscard]] constexpr IPv4Address broadcast() const { return {address.network | ~mask.network}; }

  friend constexpr bool operator==(IPv4Prefix, IPv4Prefix) = default;
};

struct IPv6Address {
  std::array<uint8_t, 16> bytes{};  ///< in network order

  friend constexpr auto operator<=>(const IPv6Address&, const IPv6Address&) = default;
};

struct IPv6Prefix {
  IPv6Address address;  ///< as written: may have bits past `length`
  uint8_t length = 0;   ///< 0 to 128

  [[nodiscard]] constexpr bool contains(const IPv6Address& other) const {
    for (int bit = 0; bit < length; bit += 8) {
      const int rest = length - bit;
      const int mask = rest >= 8 ? 0xff : 0xff00 >> rest & 0xff;
      if (((other.bytes[bit / 8] ^ address.bytes[bit / 8]) & mask) != 0) return false;
    }
    return true;
  }

  friend constexpr bool operator==(const IPv6Prefix&, const IPv6Prefix&) = default;
};

struct EthernetAddress {
  std::array<uint8_t, 6> bytes{};

  static constexpr EthernetAddress broadcast() { return {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}; }
  /// IEEE 802.3, 3.2.3: the lowest bit of the first byte marks a group address; the broadcast address is one.
  [[nodiscard]] constexpr bool is_group() const { return (bytes[0] & 1) != 0; }

  friend constexpr auto operator<=>(const EthernetAddress&, const EthernetAddress&) = default;
};

std::string to_string(IPv4Address address);             ///< "18.26.4.9"
std::string to_string(IPv4Prefix prefix);               ///< "18.26.4.0/24"; a mask with holes: "18.26.4.0/255.0.255.0"
std::string to_string(const IPv6Address& address);      ///< "2001:db8::1" (RFC 5952)
std::string to_string(const IPv6Prefix& prefix);        ///< "2001:db8::/32"
std::string to_string(const EthernetAddress& address);  ///< "00-50-BA-85-84-A9", as Click prints it

}  // namespace packetmill
