#pragma once

#include "elements/ip/header_check.h"
#include "elements/transport/segment.h"

namespace packetmill {

/// CheckUDPHeader: checks the UDP headers of IPv4 packets (RFC 768): length and, where there is one, checksum.
///
/// Ports:     1 input, 1-2 outputs. Output 0: good packets. Output 1: bad packets; dropped where it is not connected.
/// Needs:     the network header (CheckIPHeader, MarkIPHeader).
/// Keywords:  VERBOSE (default false): a message for every bad packet, not only for the first.
///            DETAILS (default false): whether there is a drop_details handler.
///            CHECKSUM (default true): whether to check the checksum.
/// Handlers:  count (read): good packets. drops (read): bad packets. drop_details (read): bad packets by reason.
/// Drops:     not_udp, bad_packet_length, bad_udp_checksum
/// See also:  CheckIPHeader, CheckTCPHeader, CheckICMPHeader, MarkIPHeader
struct CheckUDPHeader {
  static constexpr ElementInfo info{.name = "CheckUDPHeader", .ports = "1/1-2", .processing = "a/ah"};

  using Parameters = HeaderCheckParameters;
  static constexpr auto keywords =
      describe(keyword<&Parameters::verbose>("VERBOSE"), keyword<&Parameters::details>("DETAILS"),
               keyword<&Parameters::checksum>("CHECKSUM"));
  static constexpr Reason not_udp{0, "not_udp"}, bad_length{1, "bad_packet_length"},
      bad_checksum{2, "bad_udp_checksum"};
  static constexpr auto drops = describe(not_udp, bad_length, bad_checksum);
  static constexpr std::string_view subject = "UDP";
  static constexpr std::array<std::string_view, 3> texts{"not UDP", "bad packet length", "bad UDP checksum"};
  using State = HeaderCheckState<3>;
  static constexpr auto handlers = header_check_handlers<CheckUDPHeader>();
  using Reads = Fields<NetworkHeader, CheckedSegment>;
  static constexpr bool keeps_bytes = true;

  static Output process(auto& context, In, auto& packet) {
    const Segment segment = segment_of(packet);
    if (segment.ip == nullptr || segment.ip->protocol != kUdp.number) [[unlikely]]
      return refuse<CheckUDPHeader>(context, not_udp);
    const auto* udp = segment.header<UdpHeader>();
    if (udp == nullptr) [[unlikely]]
      return refuse<CheckUDPHeader>(context, bad_length);
    // A datagram may be shorter than what carries it; what is behind it is not covered by its checksum.
    const std::uint32_t length = swap_network(udp->length);
    if (length < sizeof(UdpHeader) || length > segment.length) [[unlikely]]
      return refuse<CheckUDPHeader>(context, bad_length);
    if (context.parameters().checksum && udp->checksum != 0 &&
        !(length == segment.length && found_right(context, packet)) && !segment.checksum_right(length)) [[unlikely]]
      return refuse<CheckUDPHeader>(context, bad_checksum);
    ++context.state().count;
    return to(0);
  }
};

}  // namespace packetmill
