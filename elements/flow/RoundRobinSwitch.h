#pragma once

#include "runtime/element.h"

namespace packetmill {

/// RoundRobinSwitch: sends packets to its outputs in turn.
///
/// Ports:     1 push input, 1 or more push outputs.
/// Notes:     each core goes round on its own.
/// See also:  Switch, RoundRobinSched
struct RoundRobinSwitch {
  static constexpr ElementInfo info{.name = "RoundRobinSwitch", .ports = "1/1-", .processing = "h/h"};

  struct State {
    int next = 0;
  };

  static Output process(auto& context, In, auto&) {
    int& next = context.state().next;
    const int output = next;
    next = output + 1 < context.outputs() ? output + 1 : 0;
    return to(output);
  }
};

}  // namespace packetmill
