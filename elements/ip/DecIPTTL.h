#pragma once

#include "elements/ip/ip_header.h"
#include "runtime/effects.h"

namespace packetmill {

/// DecIPTTL: decrements the IPv4 time-to-live and patches the header checksum (RFC 1624, equation 3).
///
/// Ports:     1 input, 1-2 outputs. Output 0: live packets. Output 1: expired packets (TTL 0 or 1), unchanged; dropped
///            where it is not connected.
/// Needs:     the network header (CheckIPHeader, MarkIPHeader).
/// Keywords:  MULTICAST (default true): false lets packets to a multicast address pass unchanged.
///            ACTIVE (default true): false lets all packets pass unchanged.
///            CALC_CHECKSUM (default true): false leaves the checksum as it is, for a device that computes it.
/// Handlers:  drops (read): expired packets. active (read/write).
/// See also:  IPGWOptions, IPOutputCombo, ICMPError
struct DecIPTTL {
  static constexpr ElementInfo info{.name = "DecIPTTL", .ports = "1/1-2", .processing = "a/ah"};

  struct Parameters {
    bool multicast = true;
    bool calc_checksum = true;
  };
  struct Control {
    bool active = true;
  };
  struct State {
    std::uint64_t expired = 0;
  };
  static constexpr auto keywords =
      describe(keyword<&Parameters::multicast>("MULTICAST"), keyword<&Control::active>("ACTIVE"),
               keyword<&Parameters::calc_checksum>("CALC_CHECKSUM"));
  static constexpr auto handlers =
      describe(read("drops", &State::expired), read("active", &Control::active), write("active", &Control::active));
  static constexpr Reason no_ip_header{0, "no_ip_header"};
  static constexpr auto drops = describe(no_ip_header);
  using Reads = Fields<NetworkHeader>;

  static Effects effects(const auto&, int) {
    return {.frame = Effects::Frame::written, .drops = true, .observable = true};
  }

  static Output process(auto& context, In, auto& packet) {
    auto* ip = packet.template header_at<IPv4Header, NetworkHeader>();
    if (ip == nullptr) return drop(no_ip_header);
    if (!context.control().active) return to(0);
    if (!context.parameters().multicast && is_multicast(ip->destination)) return to(0);
    if (ip->ttl <= 1) {
      ++context.state().expired;
      return to(1);
    }
    if (context.parameters().calc_checksum)
      decrement_ttl(*ip);
    else
      --ip->ttl;
    return to(0);
  }
};

}  // namespace packetmill
