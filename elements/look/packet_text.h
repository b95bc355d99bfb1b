#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/headers.h"
#include "runtime/values/parse.h"

/// Packets as text for people: what Print, IPPrint and ARPPrint have in common.
namespace packetmill {

/// How a packet's bytes are shown: the argument NONE, HEX or ASCII, in capitals or not.
struct DataStyle {
  static constexpr std::string_view kTypeName = "NONE, HEX or ASCII";
  enum Style : std::uint8_t { none, hex, ascii } style = none;
};
ParseError parse(std::string_view text, DataStyle& out, const Names& names = kNoNames);

/// "00112233 44556677" or "GET /ind ex.html.": groups of four and of eight bytes; what is not ASCII is a dot.
std::string data_text(DataStyle style, const std::uint8_t* data, std::size_t length);

/// What IPPrint says of the packet whose IPv4 header is at `ip`, with `available` bytes from there on, of a packet of
/// `packet_length` bytes: addresses, ports, and what matters of TCP, UDP or ICMP, much as tcpdump put it:
///   "10.0.0.1.80 > 10.0.0.2.1234: S 5:6(1,40,40) win 4096". `network_order`: of ICMP identifiers.
std::string ip_text(const IPv4Header& ip, std::uint32_t available, std::uint32_t packet_length, bool network_order);

/// "arp who-has 10.0.0.2 tell 10.0.0.1".
std::string arp_text(const ArpPacket& arp);

/// Where the packet's payload begins, in bytes from `ip`: behind the transport header, where there is one; at most
/// `available`.
std::uint32_t payload_offset(const IPv4Header& ip, std::uint32_t available);

}  // namespace packetmill
