#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// PullNull: passes packets unchanged, by pull only.
///
/// Ports:     1 pull input, 1 pull output.
/// See also:  Null, PushNull
struct PullNull {
  static constexpr ElementInfo info{.name = "PullNull", .processing = "l/l"};
  static Effects effects(const auto&, int) { return {}; }
  static Output process(auto&, In, auto&) { return to(0); }
};

}  // namespace packetmill
