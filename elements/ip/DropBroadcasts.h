#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// Whether the frame was sent to several receivers on its link: a router forwards no such packets (RFC 1812, 5.3.4).
inline bool is_link_broadcast(PacketKind kind) {
  return kind == PacketKind::broadcast || kind == PacketKind::multicast;
}

/// DropBroadcasts: drops packets that came in as link-level broadcasts or multicasts.
///
/// Ports:     1 input, 1-2 outputs. Output 1: broadcasts and multicasts; dropped where it is not connected.
/// Needs:     the packet's kind (FromDevice, HostEtherFilter).
/// Handlers:  drops (read): broadcasts and multicasts.
/// Drops:     link_broadcast
/// See also:  HostEtherFilter, IPOutputCombo
struct DropBroadcasts {
  static constexpr ElementInfo info{.name = "DropBroadcasts", .ports = "1/1-2", .processing = "a/ah"};

  struct State {
    std::uint64_t broadcasts = 0;
  };
  static constexpr auto handlers = describe(read("drops", &State::broadcasts));
  static constexpr Reason link_broadcast{0, "link_broadcast"};
  static constexpr auto drops = describe(link_broadcast);
  using Reads = Fields<Kind>;

  static Effects effects(const auto&, int) { return {.drops = true, .observable = true}; }

  static Output process(auto& context, In, auto& packet) {
    if (!is_link_broadcast(packet.template get<Kind>())) [[likely]]
      return to(0);
    ++context.state().broadcasts;
    return context.connected(1) ? to(1) : drop(link_broadcast);
  }
};

}  // namespace packetmill
