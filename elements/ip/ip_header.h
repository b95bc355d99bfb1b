#pragma once

#include "runtime/checksum.h"
#include "runtime/element.h"

namespace packetmill {

/// The IPv4 header at the packet's network header with all of its options; null where it is not marked, its length is
/// less than 20, or the packet ends before it does.
IPv4Header* whole_ip_header(auto& packet) {
  auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
  if (ip == nullptr) return nullptr;
  const unsigned length = ip->header_length();
  const std::uint32_t end = packet.headroom() + packet.length();
  return length >= sizeof(IPv4Header) && packet.template get<NetworkHeader>() + length <= end ? ip : nullptr;
}

/// Computes the checksum of a whole header anew.
inline void set_header_checksum(IPv4Header& ip) {
  ip.checksum = 0;
  ip.checksum = internet_checksum(&ip, ip.header_length());
}

/// One hop less, and the checksum patched (RFC 1624, equation 3). The TTL is the high byte of its 16-bit word.
inline void decrement_ttl(IPv4Header& ip) {
  --ip.ttl;
  ip.checksum = update_checksum(ip.checksum, swap_network(std::uint16_t{0x0100}), 0);
}

}  // namespace packetmill
