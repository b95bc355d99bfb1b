#pragma once

#include <optional>

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// SetTimestamp: sets the packets' time.
///
/// Ports:     1 input, 1 output.
/// Keywords:  TIMESTAMP (default: when the packet arrives here): the time. FIRST (default false): sets the packet's
///            "first timestamp" annotation instead.
/// See also:  DelayUnqueue
struct SetTimestamp {
  static constexpr ElementInfo info{.name = "SetTimestamp"};

  struct Parameters {
    std::optional<Timestamp> timestamp;
    bool first = false;
  };
  static constexpr auto keywords =
      describe(positional<&Parameters::timestamp>("TIMESTAMP"), keyword<&Parameters::first>("FIRST"));
  using Writes = Fields<ReceiveTime, FirstTimestamp>;

  template <class Field>
  static bool touches(const Parameters& parameters) {
    return std::is_same_v<Field, FirstTimestamp> == parameters.first;
  }
  static Effects effects(const auto&, int) { return {.sets = true}; }

  static Output process(auto& context, In, auto& packet) {
    const Parameters& parameters = context.parameters();
    const Timestamp time = parameters.timestamp ? *parameters.timestamp : context.now();
    if (parameters.first)
      packet.template set<FirstTimestamp>(time);
    else
      packet.template set<ReceiveTime>(time);
    return to(0);
  }
};

}  // namespace packetmill
