#pragma once

#include "runtime/effects.h"
#include "runtime/element.h"

namespace packetmill {

/// PushNull: passes packets unchanged, by push only.
///
/// Ports:     1 push input, 1 push output.
/// See also:  Null, PullNull
struct PushNull {
  static constexpr ElementInfo info{.name = "PushNull", .processing = "h/h"};
  static Effects effects(const auto&, int) { return {}; }
  static Output process(auto&, In, auto&) { return to(0); }
};

}  // namespace packetmill
