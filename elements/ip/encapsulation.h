#pragma once

#include <string>

#include "elements/ip/ip_header.h"

/// What IPEncap and UDPIPEncap have in common.
namespace packetmill {

/// The DST argument: an address, or DST_ANNO: each packet's destination annotation.
struct EncapsulationTarget {
  static constexpr std::string_view kTypeName = "IPv4 address or DST_ANNO";
  IPv4Address address;
  bool annotation = false;

  friend ParseError parse(std::string_view text, EncapsulationTarget& out, const Names& names) {
    if (text == "DST_ANNO") return out = {IPv4Address{}, true}, ParseError{};
    IPv4Address address;
    if (ParseError wrong = packetmill::parse(text, address, names)) return wrong;
    out = {address, false};
    return {};
  }
  friend std::string to_string(const EncapsulationTarget& target) {
    return target.annotation ? "DST_ANNO" : to_string(target.address);
  }
};

/// How many packets a core has encapsulated, from which their identifications come.
struct EncapsulationCount {
  std::uint64_t packets = 0;

  /// 0, 1, 2, ... on one core; no two cores give the same one soon (RFC 6864, 4.1).
  std::uint16_t next_identification(const auto& context) {
    return static_cast<std::uint16_t>(packets++ * static_cast<unsigned>(context.cores()) +
                                      static_cast<unsigned>(context.core()));
  }
};

/// Where the packet goes; its destination annotation becomes the same.
IPv4Address resolve(const EncapsulationTarget& target, auto& packet) {
  if (target.annotation) return packet.template get<DestinationAddress>();
  packet.template set<DestinationAddress>(target.address);
  return target.address;
}

/// Writes an IPv4 header over the packet's first 20 bytes and marks it. `header` has everything but its version,
/// lengths and checksum.
IPv4Header& write_ip_header(auto& packet, IPv4Header header) {
  header.version_and_length = 0x45;
  header.total_length = swap_network(static_cast<std::uint16_t>(packet.length()));
  header.checksum = 0;
  header.checksum = internet_checksum(&header, sizeof(header));
  std::memcpy(packet.data(), &header, sizeof(header));
  packet.template set<NetworkHeader>(packet.headroom());
  packet.template set<TransportHeader>(packet.headroom() + static_cast<std::uint32_t>(sizeof(header)));
  return *reinterpret_cast<IPv4Header*>(packet.data());
}

}  // namespace packetmill
