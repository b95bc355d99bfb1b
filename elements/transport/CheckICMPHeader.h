#pragma once

#include "elements/ip/header_check.h"
#include "elements/transport/segment.h"

namespace packetmill {

/// CheckICMPHeader: checks the ICMP messages of IPv4 packets (RFC 792): length, which depends on the type, and
/// checksum.
///
/// Ports:     1 input, 1-2 outputs. Output 0: good packets. Output 1: bad packets; dropped where it is not connected.
/// Needs:     the network header (CheckIPHeader, MarkIPHeader).
/// Keywords:  VERBOSE (default false): a message for every bad packet, not only for the first.
///            DETAILS (default false): whether there is a drop_details handler.
/// Handlers:  count (read): good packets. drops (read): bad packets. drop_details (read): bad packets by reason.
/// Drops:     not_icmp, bad_packet_length, bad_icmp_checksum
/// See also:  CheckIPHeader, CheckTCPHeader, CheckUDPHeader, MarkIPHeader
struct CheckICMPHeader {
  static constexpr ElementInfo info{.name = "CheckICMPHeader", .ports = "1/1-2", .processing = "a/ah"};

  using Parameters = HeaderCheckParameters;
  static constexpr auto keywords =
      describe(keyword<&Parameters::verbose>("VERBOSE"), keyword<&Parameters::details>("DETAILS"));
  static constexpr Reason not_icmp{0, "not_icmp"}, bad_length{1, "bad_packet_length"},
      bad_checksum{2, "bad_icmp_checksum"};
  static constexpr auto drops = describe(not_icmp, bad_length, bad_checksum);
  static constexpr std::string_view subject = "ICMP";
  static constexpr std::array<std::string_view, 3> texts{"not ICMP", "bad packet length", "bad ICMP checksum"};
  using State = HeaderCheckState<3>;
  static constexpr auto handlers = header_check_handlers<CheckICMPHeader>();
  using Reads = Fields<NetworkHeader>;
  static constexpr bool keeps_bytes = true;

  static Output process(auto& context, In, auto& packet) {
    const Segment segment = segment_of(packet);
    if (segment.ip == nullptr || segment.ip->protocol != kIcmp.number) [[unlikely]]
      return refuse<CheckICMPHeader>(context, not_icmp);
    const auto* icmp = segment.header<IcmpHeader>();
    if (icmp == nullptr || segment.length < least_length(icmp->type)) [[unlikely]]
      return refuse<CheckICMPHeader>(context, bad_length);
    if (fold(ones_sum(icmp, segment.length)) != 0xffff) [[unlikely]]
      return refuse<CheckICMPHeader>(context, bad_checksum);
    ++context.state().count;
    return to(0);
  }

 private:
  /// INTERPRETATION: an error quotes at least an IPv4 header. The 64 bits behind it (RFC 792) may be missing where the
  /// datagram that caused it was shorter.
  static constexpr std::uint32_t least_length(std::uint8_t type) {
    switch (type) {
      case kIcmpUnreachable:
      case kIcmpSourceQuench:
      case kIcmpRedirect:
      case kIcmpTimeExceeded:
      case kIcmpParameterProblem:
        return sizeof(IcmpHeader) + sizeof(IPv4Header);
      case kIcmpTimestamp:
      case kIcmpTimestampReply:
        return sizeof(IcmpHeader) + 12;
      default:
        return sizeof(IcmpHeader);
    }
  }
};

}  // namespace packetmill
