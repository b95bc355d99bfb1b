#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// Null: passes packets unchanged.
///
/// Ports:     1 input, 1 output (push or pull).
/// See also:  PushNull, PullNull
struct Null {
  static constexpr ElementInfo info{.name = "Null"};
  static Effects effects(const auto&, int) { return {}; }
  static Output process(auto&, In, auto&) { return to(0); }
};

}  // namespace packetmill
