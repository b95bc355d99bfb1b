#pragma once

#include "elements/ip/ip_header.h"

namespace packetmill {

/// FixIPSrc: writes its address as source into packets that ask for it, and computes their checksum anew.
///
/// Who must send from the outgoing interface's address before that interface is known (ICMPError: RFC 1812, 4.3.2.4)
/// sets the fix-source annotation; this element stands where the interface is known, and clears it.
///
/// Ports:     1 input, 1 output.
/// Needs:     the network header (CheckIPHeader).
/// Keywords:  IPADDR (mandatory; by place): the address.
/// Drops:     bad_ip_header: a packet that asks for it has no whole header.
/// See also:  ICMPError, IPOutputCombo
struct FixIPSrc {
  static constexpr ElementInfo info{.name = "FixIPSrc"};

  struct Parameters {
    IPv4Address address;
  };
  static constexpr auto keywords = describe(mandatory<&Parameters::address>("IPADDR"));
  static constexpr Reason bad_ip_header{0, "bad_ip_header"};
  static constexpr auto drops = describe(bad_ip_header);
  using Reads = Fields<NetworkHeader>;
  using Writes = Fields<FixIpSource>;

  static Output process(auto& context, In, auto& packet) {
    if (packet.template get<FixIpSource>() == 0) [[likely]]
      return to(0);
    IPv4Header* ip = whole_ip_header(packet);
    if (ip == nullptr) return drop(bad_ip_header);
    packet.template set<FixIpSource>(0);
    ip->source = context.parameters().address;
    set_header_checksum(*ip);
    return to(0);
  }
};

}  // namespace packetmill
