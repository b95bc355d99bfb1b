#pragma once

#include "runtime/element.h"

namespace packetmill {

/// StripToNetworkHeader: lets packets begin at their network header: removes what precedes it, or puts the header back
/// where it was stripped.
///
/// Ports:     1 input, 1 output.
/// Needs:     the network header (CheckIPHeader, MarkIPHeader).
/// Drops:     no_network_header: none is marked, or it lies behind the packet's end.
/// See also:  Strip
struct StripToNetworkHeader {
  static constexpr ElementInfo info{.name = "StripToNetworkHeader"};

  using Reads = Fields<NetworkHeader>;
  static constexpr Reason no_network_header{0, "no_network_header"};
  static constexpr auto drops = describe(no_network_header);

  static Output process(auto&, In, auto& packet) {
    const std::uint32_t position = packet.template get<NetworkHeader>();
    const std::uint32_t begin = packet.headroom();
    if (position == 0 || position > begin + packet.length()) return drop(no_network_header);
    if (position >= begin)
      packet.pull(position - begin);
    else if (!packet.push(begin - position))  // cannot fail: a position lies within the buffer
      return drop(no_network_header);
    return to(0);
  }
};

}  // namespace packetmill
