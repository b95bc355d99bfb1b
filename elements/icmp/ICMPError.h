#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "elements/icmp/icmp_names.h"
#include "elements/icmp/source_route.h"
#include "runtime/arguments/split.h"
#include "runtime/checksum.h"
#include "runtime/element.h"

namespace packetmill {

/// ICMPError: turns an IP packet into the ICMP error message (RFC 792) that tells its sender what went wrong.
///
/// Ports:     1 input, 1 output, which belongs in front of the route lookup.
/// Needs:     the network header; the packet type, ICMP parameter problem and destination annotations where they say
///            something.
/// Sets:      the destination annotation, the FixIPSrc annotation, network and transport headers.
/// Keywords:  SRC (mandatory): the message's IP source. TYPE (mandatory): 0-255, or unreachable, sourcequench,
///            redirect, timeexceeded, parameterproblem. CODE (default 0): 0-255, or for unreachable net, host,
///            protocol, port, needfrag; for redirect net, host; for timeexceeded transit, reassembly; for
///            parameterproblem erroratptr, missingopt, length. BADADDRS: addresses; packets from or to one of them are
///            not answered. MTU (default 576): the message is no longer. All these by place or by name. PMTU: the next
///            hop's MTU, which needfrag reports (RFC 1191). SET_FIX_ANNO, also USE_FIX_ANNO (default true): whether
///            FixIPSrc is to write the source.
/// Drops:     RFC 1812, 4.3.2.7, forbids an answer: icmp_error, bad_ip_header, not_unicast (IP destination),
///            link_broadcast, bad_source, later_fragment; bad_address (BADADDRS); source_routed (5.2.7.2: redirects);
///            no_headroom.
/// Example:   dt :: DecIPTTL;  dt[1] -> ICMPError(18.26.4.24, timeexceeded) -> ...
/// See also:  DecIPTTL, FixIPSrc, IPGWOptions, IPFragmenter
struct ICMPError {
  static constexpr ElementInfo info{.name = "ICMPError"};

  /// Addresses, separated by spaces.
  struct AddressWords {
    static constexpr std::string_view kTypeName = "IPv4 addresses";
    Text text;
  };
  friend ParseError parse(std::string_view text, AddressWords& out, const Names& names) {
    for (const std::string& word : split_words(text)) {
      IPv4Address address;
      if (ParseError wrong = parse(word, address, names)) return wrong;
    }
    out.text = keep_text(std::string(text));
    return std::nullopt;
  }

  struct Parameters {
    IPv4Address source;
    IcmpErrorType type;
    Text code_name = "0";
    AddressWords bad_words;
    std::uint32_t mtu = 576;
    std::uint16_t path_mtu = 0;
    bool fix_source = true;
    std::uint8_t code = 0;
    List<IPv4Address> bad_addresses;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::source>("SRC"), mandatory<&Parameters::type>("TYPE"),
               positional<&Parameters::code_name>("CODE"), positional<&Parameters::bad_words>("BADADDRS"),
               positional<&Parameters::mtu>("MTU"), keyword<&Parameters::path_mtu>("PMTU"),
               keyword<&Parameters::fix_source>("SET_FIX_ANNO"), keyword<&Parameters::fix_source>("USE_FIX_ANNO"));
  static constexpr Reason icmp_error{0, "icmp_error"};
  static constexpr Reason bad_ip_header{1, "bad_ip_header"};
  static constexpr Reason not_unicast{2, "not_unicast"};
  static constexpr Reason link_broadcast{3, "link_broadcast"};
  static constexpr Reason bad_source{4, "bad_source"};
  static constexpr Reason later_fragment{5, "later_fragment"};
  static constexpr Reason bad_address{6, "bad_address"};
  static constexpr Reason source_routed{7, "source_routed"};
  static constexpr Reason no_headroom{8, "no_headroom"};
  static constexpr auto drops = describe(icmp_error, bad_ip_header, not_unicast, link_broadcast, bad_source,
                                         later_fragment, bad_address, source_routed, no_headroom);
  using Reads = Fields<>;
  using Writes = Fields<MacHeader, NetworkHeader, TransportHeader, DestinationAddress, FixIpSource, PaintColor, Kind,
                        IcmpParameterProblem, ReceiveTime>;

  static constexpr std::uint32_t kLeastMtu = 68;  ///< RFC 791, 3.2; enough for all headers

  static void configure(Configuration& configuration, Parameters& parameters) {
    if (const auto code = find_icmp_code(parameters.code_name, parameters.type.number))
      parameters.code = *code;
    else
      configuration.error("CODE: invalid ICMP code", icmp_code_hint(parameters.code_name, parameters.type.number));
    if (parameters.mtu < kLeastMtu) configuration.error("MTU must be at least " + std::to_string(kLeastMtu));
    std::vector<IPv4Address> addresses;
    for (const std::string& word : split_words(parameters.bad_words.text))
      (void)parse(word, addresses.emplace_back(), configuration.names());  // which went well before
    parameters.bad_addresses = configuration.arena().keep(std::move(addresses));
  }

  static Output process(auto& context, In, auto& packet) {
    const Parameters& parameters = context.parameters();
    const auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    if (ip == nullptr) return drop(bad_ip_header);
    const std::uint32_t header_length = ip->header_length();
    const std::uint32_t total_length = swap_network(ip->total_length);
    const std::int64_t start = packet.template offset_of<NetworkHeader>();
    const std::int64_t here = packet.length() - start;
    if (header_length < sizeof(IPv4Header) || header_length > total_length || header_length > here)
      return drop(bad_ip_header);
    const auto quoted_length = static_cast<std::uint32_t>(std::min<std::int64_t>(total_length, here));
    if (const Reason* forbidden = why_not(parameters, packet.template get<Kind>(), *ip, header_length, quoted_length))
      return drop(*forbidden);
    const ReturnRoute route = return_route(*ip, header_length);
    if (route.source_routed && parameters.type.number == kIcmpRedirect) return drop(source_routed);

    const IcmpHeader icmp{parameters.type.number, parameters.code, 0, rest_of_header(parameters, packet)};
    const auto headers = static_cast<std::uint32_t>(sizeof(IPv4Header) + route.length + sizeof(IcmpHeader));
    // RFC 1812, 4.3.2.3: as much of the packet as fits.
    const std::uint32_t quote = std::min(quoted_length, parameters.mtu - headers);
    if (start >= 0)
      packet.pull(static_cast<std::uint32_t>(start));
    else if (!packet.push(static_cast<std::uint32_t>(-start)))  // back to a header that was stripped
      return drop(no_headroom);
    packet.take(packet.length() - quote);
    if (!packet.push(headers)) return drop(no_headroom);
    write_headers(parameters, packet, route, icmp);
    packet.template set<ReceiveTime>(context.now());
    return to(0);
  }

  /// RFC 1812, 4.3.2.7: packets that no ICMP error message answers. Null where one may.
  static const Reason* why_not(const Parameters& parameters, PacketKind kind, const IPv4Header& ip,
                               std::uint32_t header_length, std::uint32_t length) {
    if (ip.later_fragment()) return &later_fragment;
    if (ip.protocol == kIcmp.number) {
      const auto* type = reinterpret_cast<const std::uint8_t*>(&ip) + header_length;
      // INTERPRETATION: what is too short to say that it is no error message is taken for one.
      if (length == header_length || is_icmp_error(*type)) return &icmp_error;
    }
    if (is_multicast(ip.destination) || ip.destination.network == 0xffffffff) return &not_unicast;
    if (kind == PacketKind::broadcast || kind == PacketKind::multicast) return &link_broadcast;
    // RFC 1812, 5.3.7: 0/8 and 127/8 are no sources, nor are multicast, reserved and broadcast addresses, from 224 on.
    const std::uint32_t network = ip.source.host() >> 24U;
    if (network == 0 || network == 127 || network >= 224) return &bad_source;
    for (const IPv4Address bad : parameters.bad_addresses)
      if (ip.source == bad || ip.destination == bad) return &bad_address;
    return nullptr;
  }

  /// The word after the checksum, which differs by type and code; in network byte order.
  static std::uint32_t rest_of_header(const Parameters& parameters, auto& packet) {
    switch (parameters.type.number) {
      case kIcmpRedirect:
        return packet.template get<DestinationAddress>().network;
      case kIcmpParameterProblem: {
        constexpr std::uint8_t kErrorAtPointer = 0;
        const std::uint32_t pointer = packet.template get<IcmpParameterProblem>();
        return parameters.code == kErrorAtPointer ? swap_network(pointer << 24U) : 0;
      }
      case kIcmpUnreachable: {
        constexpr std::uint8_t kNeedFragmentation = 4;
        return parameters.code == kNeedFragmentation ? swap_network(std::uint32_t{parameters.path_mtu}) : 0;
      }
      default:
        return 0;
    }
  }

  static void write_headers(const Parameters& parameters, auto& packet, const ReturnRoute& route, IcmpHeader icmp) {
    const auto header_length = static_cast<std::uint32_t>(sizeof(IPv4Header) + route.length);
    // INTERPRETATION: the RFCs leave time-to-live and identification open; these are Click's. So is a type of service
    // of 0, where RFC 1812, 4.3.2.5, would rather have that of the packet.
    constexpr std::uint8_t kTimeToLive = 200;
    auto* ip = packet.template header<IPv4Header>();
    *ip = {.version_and_length = static_cast<std::uint8_t>(0x40 | header_length / 4),
           .tos = 0,
           .total_length = swap_network(static_cast<std::uint16_t>(packet.length())),
           .identification = 0,
           .fragment = 0,
           .ttl = kTimeToLive,
           .protocol = kIcmp.number,
           .checksum = 0,
           .source = parameters.source,
           .destination = route.first_hop};
    std::memcpy(ip + 1, route.option.data(), route.length);
    ip->checksum = internet_checksum(ip, header_length);
    auto* message = packet.template header<IcmpHeader>(header_length);
    *message = icmp;
    message->checksum = internet_checksum(message, packet.length() - header_length);

    // The message is a new packet: it takes nothing over from the one that it quotes.
    packet.template set<MacHeader>(0);
    packet.template set<NetworkHeader>(packet.headroom());
    packet.template set<TransportHeader>(packet.headroom() + header_length);
    packet.template set<DestinationAddress>(route.first_hop);
    packet.template set<FixIpSource>(parameters.fix_source ? 1 : 0);
    packet.template set<PaintColor>(0);
    packet.template set<Kind>(PacketKind::host);
    packet.template set<IcmpParameterProblem>(0);
  }
};

}  // namespace packetmill
