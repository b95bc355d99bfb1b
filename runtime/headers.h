#pragma once

#include <cstdint>

#include "runtime/values/address.h"

/// Protocol headers as they lie in a frame, packed, every multi-byte field in network byte order, and their arithmetic.
namespace packetmill {

struct [[gnu::packed]] EthernetHeader {
  EthernetAddress destination;
  EthernetAddress source;
  std::uint16_t type;
};
inline constexpr std::uint16_t kEthernetIPv4 = 0x0800;
inline constexpr std::uint16_t kEthernetArp = 0x0806;
inline constexpr std::uint16_t kEthernetVlan = 0x8100;
inline constexpr std::uint16_t kEthernetIPv6 = 0x86dd;

/// IEEE 802.1Q: follows the source address; the type that was there follows it.
struct [[gnu::packed]] VlanTag {
  std::uint16_t type;
  std::uint16_t tci;
};

/// RFC 826, for Ethernet and IPv4.
struct [[gnu::packed]] ArpPacket {
  std::uint16_t hardware_type;
  std::uint16_t protocol_type;
  std::uint8_t hardware_length;
  std::uint8_t protocol_length;
  std::uint16_t operation;
  EthernetAddress sender_ethernet;
  IPv4Address sender_ip;
  EthernetAddress target_ethernet;
  IPv4Address target_ip;
};
inline constexpr std::uint16_t kArpRequest = 1;
inline constexpr std::uint16_t kArpReply = 2;

/// RFC 791, 3.1.
struct [[gnu::packed]] IPv4Header {
  std::uint8_t version_and_length;
  std::uint8_t tos;
  std::uint16_t total_length;
  std::uint16_t identification;
  std::uint16_t fragment;  ///< flags and offset: see kDontFragment and its kind, after swap_network
  std::uint8_t ttl;
  std::uint8_t protocol;
  std::uint16_t checksum;
  IPv4Address source;
  IPv4Address destination;

  [[nodiscard]] unsigned version() const { return version_and_length >> 4U; }
  /// In bytes; 20 to 60 in a valid header.
  [[nodiscard]] unsigned header_length() const { return (version_and_length & 15U) * 4; }
  /// Whether this is not the first fragment of a datagram, so that no transport header follows.
  [[nodiscard]] bool later_fragment() const { return (fragment & swap_network(std::uint16_t{0x1fff})) != 0; }
};
inline constexpr std::uint16_t kReservedFragment = 0x8000;
inline constexpr std::uint16_t kDontFragment = 0x4000;
inline constexpr std::uint16_t kMoreFragments = 0x2000;
inline constexpr std::uint16_t kFragmentOffset = 0x1fff;

/// RFC 9293, 3.1.
struct [[gnu::packed]] TcpHeader {
  std::uint16_t source;
  std::uint16_t destination;
  std::uint32_t sequence;
  std::uint32_t acknowledgement;
  std::uint8_t offset_and_reserved;
  std::uint8_t flags;
  std::uint16_t window;
  std::uint16_t checksum;
  std::uint16_t urgent;

  [[nodiscard]] unsigned header_length() const { return (offset_and_reserved >> 4U) * 4; }
};
inline constexpr std::uint8_t kTcpFin = 0x01;
inline constexpr std::uint8_t kTcpSyn = 0x02;
inline constexpr std::uint8_t kTcpRst = 0x04;
inline constexpr std::uint8_t kTcpPsh = 0x08;
inline constexpr std::uint8_t kTcpAck = 0x10;
inline constexpr std::uint8_t kTcpUrg = 0x20;

/// RFC 768.
struct [[gnu::packed]] UdpHeader {
  std::uint16_t source;
  std::uint16_t destination;
  std::uint16_t length;
  std::uint16_t checksum;  ///< 0: none
};

/// RFC 792; the word after the checksum differs by type.
struct [[gnu::packed]] IcmpHeader {
  std::uint8_t type;
  std::uint8_t code;
  std::uint16_t checksum;
  std::uint32_t rest;
};
inline constexpr std::uint8_t kIcmpEchoReply = 0;
inline constexpr std::uint8_t kIcmpUnreachable = 3;
inline constexpr std::uint8_t kIcmpSourceQuench = 4;
inline constexpr std::uint8_t kIcmpRedirect = 5;
inline constexpr std::uint8_t kIcmpEcho = 8;
inline constexpr std::uint8_t kIcmpTimeExceeded = 11;
inline constexpr std::uint8_t kIcmpParameterProblem = 12;
inline constexpr std::uint8_t kIcmpTimestamp = 13;
inline constexpr std::uint8_t kIcmpTimestampReply = 14;
inline constexpr std::uint8_t kIcmpInfoRequest = 15;
inline constexpr std::uint8_t kIcmpInfoReply = 16;

/// 224.0.0.0/4 (RFC 5771).
constexpr bool is_multicast(IPv4Address address) {
  return (address.network & swap_network(0xf0000000U)) == swap_network(0xe0000000U);
}

}  // namespace packetmill
