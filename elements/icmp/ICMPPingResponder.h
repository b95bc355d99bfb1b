#pragma once

#include "runtime/checksum.h"
#include "runtime/element.h"

namespace packetmill {

/// ICMPPingResponder: answers ICMP echo requests (RFC 792).
///
/// Ports:     1 input, 1-2 outputs. Output 0: replies. Output 1: all other IP packets, unchanged; dropped where it is
///            not connected.
/// Needs:     the network header.
/// Sets:      of a reply, the destination annotation; its paint is 0, its time is now.
/// Drops:     no_ip_header.
/// See also:  ICMPError
struct ICMPPingResponder {
  static constexpr ElementInfo info{.name = "ICMPPingResponder", .ports = "1/1-2", .processing = "a/ah"};
  static constexpr Reason no_ip_header{0, "no_ip_header"};
  static constexpr auto drops = describe(no_ip_header);
  using Reads = Fields<NetworkHeader>;
  using Writes = Fields<DestinationAddress, PaintColor, Kind, ReceiveTime>;

  static Output process(auto& context, In, auto& packet) {
    auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    if (ip == nullptr) return drop(no_ip_header);
    const std::int64_t message = packet.template offset_of<NetworkHeader>() + ip->header_length();
    const bool whole = message + static_cast<std::int64_t>(sizeof(IcmpHeader)) <= packet.length();
    if (ip->protocol != kIcmp.number || ip->header_length() < sizeof(IPv4Header) || !whole) return to(1);
    constexpr std::uint16_t kPartial = kMoreFragments | kFragmentOffset;
    // A fragment has nothing to answer. INTERPRETATION: nor have requests to everybody (RFC 1122, 3.2.2.6, allows it).
    if ((ip->fragment & swap_network(kPartial)) != 0) return to(1);
    if (is_multicast(ip->destination) || ip->destination.network == 0xffffffff) return to(1);
    auto* icmp = reinterpret_cast<IcmpHeader*>(reinterpret_cast<std::uint8_t*>(ip) + ip->header_length());
    if (icmp->type != kIcmpEcho) return to(1);

    icmp->type = kIcmpEchoReply;  // the high byte of its 16-bit word
    icmp->checksum = update_checksum(icmp->checksum, swap_network(std::uint16_t{kIcmpEcho << 8}), 0);
    const IPv4Address requester = ip->source;
    ip->source = ip->destination;
    ip->destination = requester;
    constexpr std::uint8_t kTimeToLive = 255;
    ip->ttl = kTimeToLive;
    ip->checksum = 0;
    ip->checksum = internet_checksum(ip, ip->header_length());
    packet.template set<DestinationAddress>(requester);
    packet.template set<PaintColor>(0);
    packet.template set<Kind>(PacketKind::host);
    packet.template set<ReceiveTime>(context.now());
    return to(0);
  }
};

}  // namespace packetmill
