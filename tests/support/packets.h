#pragma once

#include <string_view>

#include "runtime/headers.h"
#include "tests/support/element_test.h"

/// Frames for tests, made from what a test cares about; everything else has a plain default and is consistent: lengths
/// and checksums are right unless a test says otherwise.
namespace packetmill::testing {

inline IPv4Address ip(std::string_view text) {
  IPv4Address address;
  EXPECT_FALSE(parse(text, address)) << text;
  return address;
}
inline EthernetAddress ether(std::string_view text) {
  EthernetAddress address;
  EXPECT_FALSE(parse(text, address)) << text;
  return address;
}
/// "45 00 0014": hexadecimal digits, spaces ignored.
Bytes hex(std::string_view text);
/// `count` bytes 0, 1, 2, ...
Bytes counting(std::size_t count);

struct IPv4Options {
  std::string_view source = "10.0.0.1";
  std::string_view destination = "10.0.1.2";
  std::uint8_t ttl = 64;
  std::uint8_t tos = 0;
  std::uint16_t identification = 1;
  std::uint16_t fragment = 0;  ///< flags and offset, host byte order
  Bytes options = {};          ///< a multiple of four bytes
};
/// An IPv4 packet (no Ethernet header) around `payload`.
Bytes ipv4(std::uint8_t protocol, const Bytes& payload, const IPv4Options& options = {});
/// A UDP, TCP or ICMP message in an IPv4 packet.
Bytes udp(std::uint16_t source, std::uint16_t destination, const Bytes& data = counting(8),
          const IPv4Options& options = {});
Bytes tcp(std::uint16_t source, std::uint16_t destination, std::uint8_t flags = kTcpAck,
          const Bytes& data = counting(8), const IPv4Options& options = {});
Bytes icmp(std::uint8_t type, std::uint8_t code, std::uint32_t rest = 0, const Bytes& data = counting(8),
           const IPv4Options& options = {});
/// `payload` behind an Ethernet header.
Bytes ethernet(const Bytes& payload, std::uint16_t type = kEthernetIPv4,
               std::string_view destination = "00:00:00:00:00:02", std::string_view source = "00:00:00:00:00:01");
/// An ARP message behind an Ethernet header.
Bytes arp(std::uint16_t operation, std::string_view sender_ethernet, std::string_view sender_ip,
          std::string_view target_ethernet, std::string_view target_ip);

/// An IPv4 packet whose network and transport headers are set, as CheckIPHeader leaves it.
TestPacket marked(Bytes packet);

/// Whether header checksum, and the transport checksum where there is one, are right.
bool checksums_right(const Bytes& ipv4_packet);

}  // namespace packetmill::testing
