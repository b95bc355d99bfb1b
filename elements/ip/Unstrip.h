#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// Unstrip: adds bytes to the front of packets. They are the bytes that Strip has removed, where it has; otherwise
/// their content is unspecified.
///
/// Ports:     1 input, 1 output.
/// Keywords:  LENGTH (mandatory; by place): how many bytes.
/// Drops:     no_room: the packet's buffer is too small.
/// Example:   Strip(14) -> ... -> Unstrip(14)
/// See also:  Strip, EtherEncap, IPEncap
struct Unstrip {
  static constexpr ElementInfo info{.name = "Unstrip"};

  struct Parameters {
    std::uint32_t length = 0;
  };
  static constexpr auto keywords = describe(mandatory<&Parameters::length>("LENGTH"));
  static constexpr Reason no_room{0, "no_room"};
  static constexpr auto drops = describe(no_room);

  static Effects effects(const auto& parameters, int) {
    if (parameters.length == 0) return {};
    return {.frame = Effects::Frame::written, .drops = true, .front = -std::int64_t{parameters.length}};
  }

  static Output process(auto& context, In, auto& packet) {
    return packet.push(context.parameters().length) ? to(0) : drop(no_room);
  }
};

}  // namespace packetmill
