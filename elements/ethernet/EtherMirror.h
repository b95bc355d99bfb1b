#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// EtherMirror: swaps the Ethernet source and destination addresses.
///
/// Ports:     1 input, 1 output.
/// Drops:     too_short: less than an Ethernet header.
/// See also:  EtherRewrite
struct EtherMirror {
  static constexpr ElementInfo info{.name = "EtherMirror"};
  static constexpr Reason too_short{0, "too_short"};
  static constexpr auto drops = describe(too_short);

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::written, .drops = true}; }
  static std::uint32_t least_length(const auto&, int) { return sizeof(EthernetHeader); }

  static Output process(auto&, In, auto& packet) {
    auto* ethernet = packet.template header<EthernetHeader>();
    if (ethernet == nullptr) return drop(too_short);
    const EthernetAddress source = ethernet->source;
    ethernet->source = ethernet->destination;
    ethernet->destination = source;
    return to(0);
  }
};

}  // namespace packetmill
