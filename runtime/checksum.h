#pragma once

#include <cstdint>
#include <cstring>

#include "runtime/headers.h"

/// The Internet checksum (RFC 1071) and its incremental update (RFC 1624). Checksums and words are taken as they lie in
/// memory: one's complement addition does not mind the byte order as long as it is the same one everywhere.
namespace packetmill {

/// One's complement sum of any amount of bytes, not yet folded; an odd last byte counts as if a zero byte followed.
/// `sum` is a sum to go on from.
inline std::uint64_t ones_sum(const void* data, std::size_t length, std::uint64_t sum = 0) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  for (; length >= 4; bytes += 4, length -= 4) {
    std::uint32_t word;
    std::memcpy(&word, bytes, 4);
    sum += word;
  }
  if (length >= 2) {
    std::uint16_t word;
    std::memcpy(&word, bytes, 2);
    sum += word;
    bytes += 2;
    length -= 2;
  }
  if (length == 1) {
    std::uint16_t word = 0;
    std::memcpy(&word, bytes, 1);
    sum += word;
  }
  return sum;
}

/// Folds a sum to 16 bits: 0xffff where a checksum over data that contains it is right.
inline std::uint16_t fold(std::uint64_t sum) {
  sum = (sum & 0xffffffffU) + (sum >> 32U);
  sum = (sum & 0xffffU) + (sum >> 16U);
  sum = (sum & 0xffffU) + (sum >> 16U);
  sum = (sum & 0xffffU) + (sum >> 16U);
  return static_cast<std::uint16_t>(sum);
}

/// The checksum of `length` bytes in which the checksum field is zero.
inline std::uint16_t internet_checksum(const void* data, std::size_t length, std::uint64_t sum = 0) {
  return static_cast<std::uint16_t>(~fold(ones_sum(data, length, sum)));
}

/// RFC 1624, equation 3: HC' = ~(~HC + ~m + m'), where the 16-bit word `before` becomes `after`.
inline std::uint16_t update_checksum(std::uint16_t checksum, std::uint16_t before, std::uint16_t after) {
  return static_cast<std::uint16_t>(
      ~fold(std::uint64_t{static_cast<std::uint16_t>(~checksum)} + static_cast<std::uint16_t>(~before) + after));
}
/// The same for a 32-bit field.
inline std::uint16_t update_checksum32(std::uint16_t checksum, std::uint32_t before, std::uint32_t after) {
  return static_cast<std::uint16_t>(
      ~fold(std::uint64_t{static_cast<std::uint16_t>(~checksum)} + static_cast<std::uint32_t>(~before) + after));
}

/// The sum of the pseudo-header of RFC 9293, 3.1, and RFC 768. `protocol` is 6 or 17, `length` that of header and data.
inline std::uint64_t pseudo_header_sum(const IPv4Header& ip, std::uint8_t protocol, std::uint32_t length) {
  return std::uint64_t{ip.source.network} + ip.destination.network + swap_network(std::uint16_t{protocol}) +
         swap_network(static_cast<std::uint16_t>(length));
}

/// Whether the NIC has found right what `Checked` (CheckedHeader, CheckedSegment) stands for, of the IPv4 header at `position`
/// in the packet's buffer, and that is what it has looked at: right before it is IPv4's Ethertype.
template <class Checked>
bool nic_found(const auto& packet, std::uint32_t position) {
  if (position == 0 || packet.template get<Checked>() != position) return false;
  std::uint16_t type = 0;
  std::memcpy(&type, packet.buffer() + position - sizeof(type), sizeof(type));
  return type == swap_network(kEthernetIPv4);
}

}  // namespace packetmill
