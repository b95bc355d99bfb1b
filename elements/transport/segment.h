#pragma once

#include "runtime/checksum.h"
#include "runtime/element.h"

namespace packetmill {

/// What an IPv4 packet carries, as its header says.
struct Segment {
  const IPv4Header* ip = nullptr;  ///< null: no network header is marked
  const std::uint8_t* data = nullptr;
  std::uint32_t length = 0;  ///< 0 where header or total length are wrong, or the packet ends before

  template <class T>
  [[nodiscard]] const T* header() const {
    return length < sizeof(T) ? nullptr : reinterpret_cast<const T*>(data);
  }
  /// Whether the checksum over `length` bytes and the pseudo-header is right.
  [[nodiscard]] bool checksum_right(std::uint32_t length) const {
    return fold(ones_sum(data, length, pseudo_header_sum(*ip, ip->protocol, length))) == 0xffff;
  }
};

/// The segment at the packet's network header.
/// The NIC has summed up the segment behind the network header, as far as the IP header says that it goes.
bool found_right(const auto& context, const auto& packet) {
  if constexpr (std::remove_cvref_t<decltype(context)>::trusts_nic)
    return nic_found<CheckedSegment>(packet, packet.template get<NetworkHeader>());
  else
    return false;
}

Segment segment_of(const auto& packet) {
  const auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
  if (ip == nullptr) return {};
  const std::uint32_t header_length = ip->header_length();
  const std::uint32_t total_length = swap_network(ip->total_length);
  const std::uint32_t available = packet.headroom() + packet.length() - packet.template get<NetworkHeader>();
  if (header_length < sizeof(IPv4Header) || total_length < header_length || total_length > available) return {.ip = ip};
  return {ip, reinterpret_cast<const std::uint8_t*>(ip) + header_length, total_length - header_length};
}

}  // namespace packetmill
