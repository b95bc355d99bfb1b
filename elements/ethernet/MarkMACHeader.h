#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// MarkMACHeader: says where the MAC header begins.
///
/// Ports:     1 input, 1 output.
/// Sets:      the MAC header; with LENGTH the network header too.
/// Keywords:  OFFSET (default 0): where in the packet the MAC header begins. LENGTH (default 0): how long it is; 0: not
///            known. Each by place or by name.
/// Drops:     too_short: the packet ends before the header that is to be marked.
/// See also:  MarkIPHeader
struct MarkMACHeader {
  static constexpr ElementInfo info{.name = "MarkMACHeader"};

  struct Parameters {
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::offset>("OFFSET"), positional<&Parameters::length>("LENGTH"));
  static constexpr Reason too_short{0, "too_short"};
  static constexpr auto drops = describe(too_short);
  using Writes = Fields<MacHeader, NetworkHeader>;

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::read, .drops = true}; }

  static Output process(auto& context, In, auto& packet) {
    const auto [offset, length] = context.parameters();
    if (offset > packet.length() || length > packet.length() - offset) return drop(too_short);
    packet.template set<MacHeader>(packet.headroom() + offset);
    if (length != 0) packet.template set<NetworkHeader>(packet.headroom() + offset + length);
    return to(0);
  }
};

}  // namespace packetmill
