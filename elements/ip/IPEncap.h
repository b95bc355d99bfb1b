#pragma once

#include "elements/ip/encapsulation.h"

namespace packetmill {

/// IPEncap: puts an IPv4 header in front of packets (RFC 2003, where they are IPv4 packets themselves).
///
/// Ports:     1 input, 1 output.
/// Keywords:  PROTO, SRC, DST (mandatory; by place): protocol, source and destination. DST may be DST_ANNO: each
///            packet's destination annotation. Otherwise the annotation is set to DST.
///            TTL (default 250).
///            DSCP (default 0; up to 63), ECT (default false; true: ECN bits 1; 2: ECN bits 2), CE (default false;
///            true: ECN bits 3); or TOS (default 0), which is all of them. DF (default false): whether to set the
///            don't-fragment bit.
/// Handlers:  src, dst (read/write).
/// Drops:     no_room: the packet's buffer is too small. too_long: the datagram would exceed 65535 bytes.
/// Example:   IPEncap(ipip, 18.26.4.24, 140.247.60.147)
/// See also:  UDPIPEncap, Strip
struct IPEncap {
  static constexpr ElementInfo info{.name = "IPEncap"};

  struct Ect {
    static constexpr std::string_view kTypeName = "bool or 2";
    std::uint8_t bits = 0;
    friend ParseError parse(std::string_view text, Ect& out, const Names& names) {
      bool capable = false;
      if (text == "2") return out.bits = 2, ParseError{};
      if (ParseError wrong = packetmill::parse(text, capable, names)) return wrong;
      out.bits = capable ? 1 : 0;
      return {};
    }
  };
  struct Parameters {
    IPProtocol protocol;
    std::uint8_t ttl = 250;
    std::uint8_t dscp = 0;
    Ect ect;
    bool congestion = false;
    std::optional<std::uint8_t> tos;  ///< set by configure where the configuration does not
    bool dont_fragment = false;
  };
  struct Control {
    IPv4Address source;
    EncapsulationTarget destination;
  };
  using State = EncapsulationCount;
  static constexpr auto keywords = describe(
      mandatory<&Parameters::protocol>("PROTO"), mandatory<&Control::source>("SRC"),
      mandatory<&Control::destination>("DST"), keyword<&Parameters::ttl>("TTL"), keyword<&Parameters::dscp>("DSCP"),
      keyword<&Parameters::ect>("ECT"), keyword<&Parameters::congestion>("CE"), keyword<&Parameters::tos>("TOS"),
      keyword<&Parameters::dont_fragment>("DF"));
  static void configure(Configuration& configuration, Parameters& parameters) {
    const unsigned bits = parameters.congestion ? 3U : parameters.ect.bits;
    if (parameters.dscp > 63) configuration.error("DSCP: out of range, bound 63");
    if (!parameters.tos)
      parameters.tos = static_cast<std::uint8_t>((parameters.dscp << 2U) | bits);
    else if (parameters.dscp != 0 || bits != 0)
      configuration.error("give either TOS, or DSCP, ECT and CE");
  }
  static constexpr auto handlers = describe(read("src", &Control::source), write("src", &Control::source),
                                            read("dst", &Control::destination), write("dst", &Control::destination));
  static constexpr Reason no_room{0, "no_room"}, too_long{1, "too_long"};
  static constexpr auto drops = describe(no_room, too_long);
  using Writes = Fields<NetworkHeader, TransportHeader, DestinationAddress>;

  static Output process(auto& context, In, auto& packet) {
    const auto& parameters = context.parameters();
    const auto& control = context.control();
    if (packet.length() + sizeof(IPv4Header) > 65535) return drop(too_long);
    if (!packet.push(sizeof(IPv4Header))) return drop(no_room);
    IPv4Header ip{};
    ip.tos = parameters.tos.value_or(0);
    ip.identification = swap_network(context.state().next_identification(context));
    ip.fragment = parameters.dont_fragment ? swap_network(kDontFragment) : std::uint16_t{0};
    ip.ttl = parameters.ttl;
    ip.protocol = parameters.protocol.number;
    ip.source = control.source;
    ip.destination = resolve(control.destination, packet);
    write_ip_header(packet, ip);
    return to(0);
  }
};

}  // namespace packetmill
