#pragma once

#include "runtime/element.h"

namespace packetmill {

/// RoundRobinSched: pulls from its inputs in turn.
///
/// Ports:     any number of pull inputs, 1 pull output. Each pull begins with the input after the one that gave the
///            last packet, and asks one after the other until one gives a packet.
/// See also:  Queue, PrioSched, RoundRobinSwitch
struct RoundRobinSched {
  static constexpr ElementInfo info{.name = "RoundRobinSched", .ports = "-/1", .processing = "l/l"};
  static constexpr bool keeps_bytes = true;

  struct State {
    int next = 0;
  };

  static auto pull(auto& context, int) {
    int& next = context.state().next;
    decltype(context.pull(0)) packet;
    for (int tries = context.inputs(); tries > 0 && !packet; --tries) {
      packet = context.pull(next);
      next = next + 1 < context.inputs() ? next + 1 : 0;
    }
    return packet;
  }
};

}  // namespace packetmill
