#pragma once

#include "elements/ip/encapsulation.h"

namespace packetmill {

/// UDPIPEncap: puts UDP and IPv4 headers in front of packets.
///
/// Ports:     1 input, 1 output.
/// Keywords:  SRC, SPORT, DST, DPORT (mandatory; by place): addresses and ports. DST may be DST_ANNO: each packet's
///            destination annotation. Otherwise the annotation is set to DST.
///            CHECKSUM (default true; may be given by place): whether to compute the UDP checksum.
/// Handlers:  src, sport, dst, dport (read/write).
/// Drops:     no_room: the packet's buffer is too small. too_long: the datagram would exceed 65535 bytes.
/// Example:   UDPIPEncap(1.0.0.1, 1234, 2.0.0.2, 1234)
/// See also:  IPEncap, Strip
struct UDPIPEncap {
  static constexpr ElementInfo info{.name = "UDPIPEncap"};

  struct Parameters {
    bool checksum = true;
  };
  struct Control {
    IPv4Address source;
    UdpPort source_port;
    EncapsulationTarget destination;
    UdpPort destination_port;
  };
  using State = EncapsulationCount;
  static constexpr auto keywords =
      describe(mandatory<&Control::source>("SRC"), mandatory<&Control::source_port>("SPORT"),
               mandatory<&Control::destination>("DST"), mandatory<&Control::destination_port>("DPORT"),
               positional<&Parameters::checksum>("CHECKSUM"));
  static constexpr auto handlers = describe(
      read("src", &Control::source), write("src", &Control::source),
      read("sport", [](const auto& element) { return element.control().source_port.number; }),
      write("sport", &Control::source_port), read("dst", &Control::destination), write("dst", &Control::destination),
      read("dport", [](const auto& element) { return element.control().destination_port.number; }),
      write("dport", &Control::destination_port));
  static constexpr Reason no_room{0, "no_room"}, too_long{1, "too_long"};
  static constexpr auto drops = describe(no_room, too_long);
  using Writes = Fields<NetworkHeader, TransportHeader, DestinationAddress>;

  static Output process(auto& context, In, auto& packet) {
    constexpr std::uint32_t headers = sizeof(IPv4Header) + sizeof(UdpHeader);
    const auto& control = context.control();
    if (packet.length() + headers > 65535) return drop(too_long);
    if (!packet.push(headers)) return drop(no_room);
    IPv4Header header{};
    header.identification = swap_network(context.state().next_identification(context));
    header.ttl = 250;
    header.protocol = kUdp.number;
    header.source = control.source;
    header.destination = resolve(control.destination, packet);
    const IPv4Header& ip = write_ip_header(packet, header);

    const std::uint32_t length = packet.length() - static_cast<std::uint32_t>(sizeof(IPv4Header));
    auto* udp = packet.template header<UdpHeader>(sizeof(IPv4Header));
    *udp = {swap_network(control.source_port.number), swap_network(control.destination_port.number),
            swap_network(static_cast<std::uint16_t>(length)), 0};
    if (context.parameters().checksum) {
      const std::uint16_t checksum = internet_checksum(udp, length, pseudo_header_sum(ip, kUdp.number, length));
      udp->checksum = checksum == 0 ? 0xffff : checksum;  // RFC 768: zero means "none"
    }
    return to(0);
  }
};

}  // namespace packetmill
