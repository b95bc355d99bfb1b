#pragma once

#include "runtime/headers.h"

namespace packetmill {

/// RFC 826, for Ethernet and IPv4: a whole frame.
struct [[gnu::packed]] ArpFrame {
  EthernetHeader ethernet;
  ArpPacket arp;
};

/// `sender` of a message is who speaks, `target` whom the message asks about (query) or answers (reply).
inline ArpFrame make_arp(std::uint16_t operation, EthernetAddress sender, IPv4Address sender_ip, EthernetAddress target,
                         IPv4Address target_ip, EthernetAddress destination) {
  constexpr std::uint16_t kEthernetHardware = 1;
  return {{destination, sender, swap_network(kEthernetArp)},
          {swap_network(kEthernetHardware), swap_network(kEthernetIPv4), sizeof(EthernetAddress), sizeof(IPv4Address),
           swap_network(operation), sender, sender_ip, target, target_ip}};
}

/// Whether a frame is such a message at all: RFC 826's "Packet Reception" asks before it looks at the addresses.
inline bool is_arp(const ArpFrame& frame, std::uint16_t operation) {
  const ArpFrame expected = make_arp(operation, {}, {}, {}, {}, {});
  return frame.ethernet.type == expected.ethernet.type && frame.arp.hardware_type == expected.arp.hardware_type &&
         frame.arp.protocol_type == expected.arp.protocol_type &&
         frame.arp.hardware_length == expected.arp.hardware_length &&
         frame.arp.protocol_length == expected.arp.protocol_length && frame.arp.operation == expected.arp.operation;
}

}  // namespace packetmill
