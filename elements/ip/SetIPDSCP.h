#pragma once

#include "runtime/checksum.h"
#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// A differentiated services code point: 0 to 63.
struct Dscp {
  static constexpr std::string_view kTypeName = "DSCP";
  std::uint8_t value = 0;
};
inline ParseError parse(std::string_view text, Dscp& out, const Names& = kNoNames) {
  std::uint8_t value = 0;
  if (auto wrong = parse(text, value)) return wrong;
  if (value > 63) return "out of range, bound 63";
  out.value = value;
  return std::nullopt;
}
inline std::string to_string(Dscp dscp) { return std::to_string(dscp.value); }

/// SetIPDSCP: sets the differentiated services code point of IPv4 packets (RFC 2474) and patches the header checksum.
///
/// Ports:     1 input, 1 output.
/// Needs:     the network header (CheckIPHeader, MarkIPHeader).
/// Arguments: SetIPDSCP(DSCP): 0 to 63.
/// Handlers:  dscp (read/write). changed (read): packets that had another one.
/// Drops:     no_ip_header.
/// See also:  SetIPChecksum
struct SetIPDSCP {
  static constexpr ElementInfo info{.name = "SetIPDSCP", .ports = "1/1", .processing = "a/a"};

  struct Control {
    Dscp dscp;
  };
  struct State {
    std::uint64_t changed = 0;
  };
  static constexpr auto keywords = describe(mandatory<&Control::dscp>("DSCP"));
  static constexpr auto handlers =
      describe(read("dscp", &Control::dscp), write("dscp", &Control::dscp), read("changed", &State::changed));
  static constexpr Reason no_ip_header{0, "no_ip_header"};
  static constexpr auto drops = describe(no_ip_header);
  using Reads = Fields<NetworkHeader>;

  static Output process(auto& context, In, auto& packet) {
    auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    if (ip == nullptr) return drop(no_ip_header);
    const std::uint8_t before = ip->tos;
    ip->tos = static_cast<std::uint8_t>(context.control().dscp.value << 2U | (before & 3U));  // ECN stays: RFC 3168
    if (ip->tos != before) ++context.state().changed;
    // The type of service is the low byte of its 16-bit word.
    ip->checksum =
        update_checksum(ip->checksum, swap_network(std::uint16_t{before}), swap_network(std::uint16_t{ip->tos}));
    return to(0);
  }
};

}  // namespace packetmill
