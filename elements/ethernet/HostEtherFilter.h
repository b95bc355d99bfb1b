#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// HostEtherFilter: lets through what the network card of a host would, and marks whom each frame is for.
///
/// Ports:     1 input, 1-2 outputs. Output 0: frames for this host, broadcasts and multicasts. Output 1: the others;
///            dropped where it is not connected.
/// Sets:      the packet type annotation: host, broadcast, multicast or other host.
/// Arguments: ETHER (mandatory): the host's address. DROP_OWN (default false): whether frames that come from it are
///            filtered. DROP_OTHER (default true): whether frames for other hosts are. Each by place or by name.
/// Keywords:  OFFSET (default 0): where in the packet the Ethernet header begins.
/// Drops:     too_short: less than an Ethernet header at OFFSET.
/// See also:  DropBroadcasts, EtherRewrite
struct HostEtherFilter {
  static constexpr ElementInfo info{.name = "HostEtherFilter", .ports = "1/1-2", .processing = "a/ah"};

  struct Parameters {
    EthernetAddress address;
    bool drop_own = false;
    bool drop_other = true;
    std::uint16_t offset = 0;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::address>("ETHER"), positional<&Parameters::drop_own>("DROP_OWN"),
               positional<&Parameters::drop_other>("DROP_OTHER"), keyword<&Parameters::offset>("OFFSET"));
  static constexpr Reason too_short{0, "too_short"};
  static constexpr auto drops = describe(too_short);
  using Writes = Fields<Kind>;

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::read, .drops = true, .sets = true}; }
  static std::uint32_t least_length(const auto& parameters, int) { return parameters.offset + sizeof(EthernetHeader); }

  static Output process(auto& context, In, auto& packet) {
    const Parameters& parameters = context.parameters();
    const auto* ethernet = packet.template header<EthernetHeader>(parameters.offset);
    if (ethernet == nullptr) return drop(too_short);
    const PacketKind kind = kind_of(ethernet->destination, parameters.address);
    packet.template set<Kind>(kind);
    const bool own = ethernet->source == parameters.address;
    const bool other = kind == PacketKind::other_host;
    return to((parameters.drop_own && own) || (parameters.drop_other && other) ? 1 : 0);
  }

  static PacketKind kind_of(EthernetAddress destination, EthernetAddress host) {
    if (destination == EthernetAddress::broadcast()) return PacketKind::broadcast;
    if (destination.is_group()) return PacketKind::multicast;
    return destination == host ? PacketKind::host : PacketKind::other_host;
  }
};

}  // namespace packetmill
