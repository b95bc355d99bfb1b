#pragma once

#include "runtime/element.h"

namespace packetmill {

/// PrioSched: pulls from its inputs in strict priority.
///
/// Ports:     any number of pull inputs, 1 pull output. Each pull asks input 0 first, then input 1, and so on, until
///            one gives a packet.
/// See also:  Queue, RoundRobinSched
struct PrioSched {
  static constexpr ElementInfo info{.name = "PrioSched", .ports = "-/1", .processing = "l/l"};
  static constexpr bool keeps_bytes = true;

  static auto pull(auto& context, int) {
    decltype(context.pull(0)) packet;
    for (int input = 0; input < context.inputs() && !packet; ++input) packet = context.pull(input);
    return packet;
  }
};

}  // namespace packetmill
