#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "runtime/values/time.h"

namespace packetmill {

/// Lets something happen `rate` times a second, in bursts of at most `capacity`. It begins with one token. Exact: no
/// token is lost to rounding, whatever the times at which it is asked.
class TokenBucket {
 public:
  /// Whether there is a token. `rate` and `capacity` may differ from call to call.
  [[nodiscard]] bool ready(Timestamp now, std::uint32_t rate, std::uint32_t capacity) {
    const std::uint64_t full = capacity * kToken;
    const auto elapsed =
        started_ ? static_cast<std::uint64_t>(std::max<std::int64_t>((now - last_).nanoseconds, 0)) : 0;
    started_ = true;
    last_ = now;
    level_ = std::min(level_, full);
    if (rate > 0) level_ = elapsed > (full - level_) / rate ? full : level_ + elapsed * rate;
    return level_ >= kToken;
  }
  /// Takes the token that there is.
  void spend() { level_ -= kToken; }
  /// When the next token is there, if none is now; with a rate of zero: never.
  [[nodiscard]] Timestamp next(std::uint32_t rate) const {
    if (rate == 0) return Timestamp{std::numeric_limits<std::int64_t>::max()};
    return last_ + Duration{static_cast<std::int64_t>((kToken - level_ + rate - 1) / rate)};
  }

 private:
  /// Levels are in billionths of a token: a rate of r adds r of them each nanosecond.
  static constexpr std::uint64_t kToken = 1'000'000'000;
  std::uint64_t level_ = kToken;
  Timestamp last_{};
  bool started_ = false;
};

}  // namespace packetmill
