#pragma once

#include "runtime/element.h"

namespace packetmill {

/// Truncate: cuts packets down to a length.
///
/// Ports:     1 input, 1 output.
/// Keywords:  LENGTH (mandatory; by place): how many bytes a packet keeps at most.
///            EXTRA_LENGTH (default true): whether the bytes cut off are added to the extra-length annotation.
/// See also:  Strip
struct Truncate {
  static constexpr ElementInfo info{.name = "Truncate"};

  struct Parameters {
    std::uint32_t length = 0;
    bool extra_length = true;
  };
  static constexpr auto keywords =
      describe(mandatory<&Parameters::length>("LENGTH"), keyword<&Parameters::extra_length>("EXTRA_LENGTH"));
  using Writes = Fields<ExtraLength>;

  static Output process(auto& context, In, auto& packet) {
    const auto& parameters = context.parameters();
    if (packet.length() <= parameters.length) return to(0);
    const std::uint32_t surplus = packet.length() - parameters.length;
    packet.take(surplus);
    if (parameters.extra_length) packet.template set<ExtraLength>(packet.template get<ExtraLength>() + surplus);
    return to(0);
  }
};

}  // namespace packetmill
