#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// Idle: does nothing, at any number of ports; for ports that nothing else is connected to.
///
/// Ports:     any number of inputs and outputs (push or pull). Packets that are pushed into it are dropped; it never
///            pulls one, and gives none.
/// Drops:     discarded.
/// See also:  Discard, Null
struct Idle {
  static constexpr ElementInfo info{.name = "Idle", .ports = "-/-", .flow = "x/y"};
  static constexpr Reason discarded{0, "discarded"};
  static constexpr auto drops = describe(discarded);

  static Effects effects(const auto&, int) { return {.drops = true}; }

  static Output process(auto&, In, auto&) { return drop(discarded); }
  static auto pull(auto& context, int) { return decltype(context.generate(0))(); }
  static bool ready(const auto&) { return false; }
};

}  // namespace packetmill
