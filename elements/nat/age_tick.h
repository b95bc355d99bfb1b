#pragma once

#include <cstdint>

#include "runtime/values/time.h"

namespace packetmill {

/// The unit in which flows age: 2^28 ns, about a quarter of a second. A busy flow moves within its age list once a
/// tick, not once a packet; timeouts are that exact.
inline std::uint64_t age_tick(Timestamp time) {
  return time.nanoseconds <= 0 ? 0 : static_cast<std::uint64_t>(time.nanoseconds) >> 28U;
}

}  // namespace packetmill
