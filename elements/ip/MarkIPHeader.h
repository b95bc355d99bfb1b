#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"
#include "runtime/headers.h"

namespace packetmill {

/// MarkIPHeader: notes where the IPv4 header and what follows it begin, without checking either.
///
/// Ports:     1 input, 1 output.
/// Keywords:  OFFSET (default 0; may be given by place): where in the packet the header begins.
/// See also:  CheckIPHeader, CheckIPHeader2
struct MarkIPHeader {
  static constexpr ElementInfo info{.name = "MarkIPHeader"};

  struct Parameters {
    std::uint32_t offset = 0;
  };
  static constexpr auto keywords = describe(positional<&Parameters::offset>("OFFSET"));
  using Writes = Fields<NetworkHeader, TransportHeader>;

  static Effects effects(const auto&, int) { return {.frame = Effects::Frame::read}; }

  static Output process(auto& context, In, auto& packet) {
    const std::uint32_t offset = context.parameters().offset;
    // INTERPRETATION: a packet that has not even the header's first byte, which gives its length, gets no marks.
    const auto* version_and_length = packet.template header<std::uint8_t>(offset);
    if (version_and_length == nullptr) return to(0);
    const std::uint32_t position = packet.headroom() + offset;
    packet.template set<NetworkHeader>(position);
    packet.template set<TransportHeader>(position + (*version_and_length & 15U) * 4);
    return to(0);
  }
};

}  // namespace packetmill
