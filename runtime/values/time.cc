#include "runtime/values/time.h"

#include <fmt/format.h>

namespace packetmill {

std::string to_string(Duration duration) {
  // The magnitude as unsigned, because the least int64_t has no positive counterpart.
  const auto bits = static_cast<uint64_t>(duration.nanoseconds);
  const uint64_t magnitude = duration.nanoseconds < 0 ? -bits : bits;
  return fmt::format("{}{}.{:09}", duration.nanoseconds < 0 ? "-" : "", magnitude / kNanosecondsPerSecond,
                     magnitude % kNanosecondsPerSecond);
}

std::string to_string(Timestamp timestamp) { return to_string(Duration{timestamp.nanoseconds}); }

}  // namespace packetmill
