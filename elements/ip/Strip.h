#pragma once

#include <algorithm>
#include <limits>

#include "runtime/effects.h"
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
  static constexpr bool keeps_bytes = true;

  struct Parameters {
    std::uint32_t length = 0;
  };
  static constexpr auto keywords = describe(mandatory<&Parameters::length>("LENGTH"));

  static Effects effects(const auto& parameters, int) {
    if (parameters.length == 0) return {};
    return {.frame = Effects::Frame::written, .front = parameters.length};
  }
  static std::optional<std::string> after_strip(const auto& parameters, std::string_view, std::int64_t bytes) {
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();  // no packet is longer
    return std::to_string(std::min(parameters.length + bytes, most));
  }

  static Output process(auto& context, In, auto& packet) {
    packet.pull(std::min(context.parameters().length, packet.length()));
    return to(0);
  }
};

}  // namespace packetmill
