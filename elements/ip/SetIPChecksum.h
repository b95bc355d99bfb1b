#pragma once

#include "elements/ip/ip_header.h"
#include "runtime/effects.h"

namespace packetmill {

/// SetIPChecksum: computes the IPv4 header checksum and writes it. Elements that change a header (DecIPTTL, IPRewriter)
/// keep its checksum right themselves.
///
/// Ports:     1 input, 1 output.
/// Needs:     the network header (MarkIPHeader).
/// Drops:     bad_ip_header: none is marked, or it is not whole.
/// See also:  CheckIPHeader, MarkIPHeader
struct SetIPChecksum {
  static constexpr ElementInfo info{.name = "SetIPChecksum"};

  static constexpr Reason bad_ip_header{0, "bad_ip_header"};
  static constexpr auto drops = describe(bad_ip_header);
  using Reads = Fields<NetworkHeader>;

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::written, .drops = true}; }

  static Output process(auto&, In, auto& packet) {
    IPv4Header* ip = whole_ip_header(packet);
    if (ip == nullptr) return drop(bad_ip_header);
    set_header_checksum(*ip);
    return to(0);
  }
};

}  // namespace packetmill
