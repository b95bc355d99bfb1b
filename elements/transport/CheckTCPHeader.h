#pragma once

#include "elements/ip/header_check.h"
#include "elements/transport/segment.h"

namespace packetmill {

/// CheckTCPHeader: checks the TCP headers of IPv4 packets (RFC 9293, 3.1): header length and checksum.
///
/// Ports:     1 input, 1-2 outputs. Output 0: good packets. Output 1: bad packets; dropped where it is not connected.
/// Needs:     the network header (CheckIPHeader, MarkIPHeader).
/// Keywords:  VERBOSE (default false): a message for every bad packet, not only for the first.
///            DETAILS (default false): whether there is a drop_details handler.
///            CHECKSUM (default true): whether to check the checksum.
/// Handlers:  count (read): good packets. drops (read): bad packets. drop_details (read): bad packets by reason.
/// Drops:     not_tcp, bad_packet_length, bad_tcp_checksum
/// See also:  CheckIPHeader, CheckUDPHeader, CheckICMPHeader, MarkIPHeader
struct CheckTCPHeader {
  static constexpr ElementInfo info{.name = "CheckTCPHeader", .ports = "1/1-2", .processing = "a/ah"};

  using Parameters = HeaderCheckParameters;
  static constexpr auto keywords =
      describe(keyword<&Parameters::verbose>("VERBOSE"), keyword<&Parameters::details>("DETAILS"),
               keyword<&Parameters::checksum>("CHECKSUM"));
  static constexpr Reason not_tcp{0, "not_tcp"}, bad_length{1, "bad_packet_length"},
      bad_checksum{2, "bad_tcp_checksum"};
  static constexpr auto drops = describe(not_tcp, bad_length, bad_checksum);
  static constexpr std::string_view subject = "TCP";
  static constexpr std::array<std::string_view, 3> texts{"not TCP", "bad packet length", "bad TCP checksum"};
  using State = HeaderCheckState<3>;
  static constexpr auto handlers = header_check_handlers<CheckTCPHeader>();
  using Reads = Fields<NetworkHeader, CheckedSegment>;
  static constexpr bool keeps_bytes = true;

  static Output process(auto& context, In, auto& packet) {
    const Segment segment = segment_of(packet);
    if (segment.ip == nullptr || segment.ip->protocol != kTcp.number) [[unlikely]]
      return refuse<CheckTCPHeader>(context, not_tcp);
    const auto* tcp = segment.header<TcpHeader>();
    if (tcp == nullptr || tcp->header_length() < sizeof(TcpHeader) || tcp->header_length() > segment.length)
        [[unlikely]]
      return refuse<CheckTCPHeader>(context, bad_length);
    if (context.parameters().checksum && !found_right(context, packet) && !segment.checksum_right(segment.length))
        [[unlikely]]
      return refuse<CheckTCPHeader>(context, bad_checksum);
    ++context.state().count;
    return to(0);
  }
};

}  // namespace packetmill
