#pragma once

#include <algorithm>

#include "runtime/element.h"

namespace packetmill {

/// Strip: removes bytes from the front of packets. Header positions stay, and what was stripped can be put back.
///
/// Ports:     1 input, 1 output.
/// Keywords:  LENGTH (mandatory; by place): how many bytes. A packet that is shorter becomes empty.
/// Example:   Strip(14) removes an Ethernet header.
/// See also:  Unstrip, StripToNetworkHeader, Truncate
struct Strip {
  static constexpr ElementInfo info{.name = "Strip"};

  struct Parameters {
    std::uint32_t length = 0;
  };
  static constexpr auto keywords = describe(mandatory<&Parameters::length>("LENGTH"));

  static Output process(auto& context, In, auto& packet) {
    packet.pull(std::min(context.parameters().length, packet.length()));
    return to(0);
  }
};

}  // namespace packetmill
