#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// EtherRewrite: writes the Ethernet source and destination addresses; the type stays. For links with one next hop.
///
/// Ports:     1 input, 1 output.
/// Arguments: SRC, DST (mandatory, by place or by name).
/// Handlers:  src, dst (read/write).
/// Drops:     too_short: less than an Ethernet header.
/// Example:   EtherRewrite(1:1:1:1:1:1, 2:2:2:2:2:2)
/// See also:  EtherEncap, EtherMirror, ARPQuerier
struct EtherRewrite {
  static constexpr ElementInfo info{.name = "EtherRewrite"};

  struct Control {  // as in a frame, so that it is copied at once
    EthernetAddress destination;
    EthernetAddress source;
  };
  static constexpr auto keywords =
      describe(mandatory<&Control::source>("SRC"), mandatory<&Control::destination>("DST"));
  static constexpr auto handlers = describe(read("src", &Control::source), write("src", &Control::source),
                                            read("dst", &Control::destination), write("dst", &Control::destination));
  static constexpr Reason too_short{0, "too_short"};
  static constexpr auto drops = describe(too_short);

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::written, .drops = true}; }
  static std::uint32_t least_length(const auto&, int) { return sizeof(EthernetHeader); }

  static Output process(auto& context, In, auto& packet) {
    auto* ethernet = packet.template header<EthernetHeader>();
    if (ethernet == nullptr) return drop(too_short);
    ethernet->destination = context.control().destination;
    ethernet->source = context.control().source;
    return to(0);
  }
};

}  // namespace packetmill
