#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace packetmill {

inline constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;

/// A span of time.
struct Duration {
  int64_t nanoseconds = 0;

  static constexpr Duration seconds(int64_t n) { return {n * kNanosecondsPerSecond}; }
  static constexpr Duration milliseconds(int64_t n) { return {n * 1'000'000}; }
  static constexpr Duration microseconds(int64_t n) { return {n * 1'000}; }

  constexpr Duration& operator+=(Duration other) { return nanoseconds += other.nanoseconds, *this; }
  constexpr Duration& operator-=(Duration other) { return nanoseconds -= other.nanoseconds, *this; }
  friend constexpr Duration operator+(Duration a, Duration b) { return a += b; }
  friend constexpr Duration operator-(Duration a, Duration b) { return a -= b; }
  friend constexpr Duration operator*(Duration a, int64_t factor) { return {a.nanoseconds * factor}; }
  friend constexpr Duration operator/(Duration a, int64_t divisor) { return {a.nanoseconds / divisor}; }
  friend constexpr int64_t operator/(Duration a, Duration b) { return a.nanoseconds / b.nanoseconds; }
  friend constexpr auto operator<=>(Duration, Duration) = default;
};

/// A point in time: nanoseconds since the epoch (of whichever clock: real, simulated, or a trace's).
struct Timestamp {
  int64_t nanoseconds = 0;

  constexpr Timestamp& operator+=(Duration d) { return nanoseconds += d.nanoseconds, *this; }
  constexpr Timestamp& operator-=(Duration d) { return nanoseconds -= d.nanoseconds, *this; }
  friend constexpr Timestamp operator+(Timestamp t, Duration d) { return t += d; }
  friend constexpr Timestamp operator-(Timestamp t, Duration d) { return t -= d; }
  friend constexpr Duration operator-(Timestamp a, Timestamp b) { return {a.nanoseconds - b.nanoseconds}; }
  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;
};

std::string to_string(Duration duration);    ///< seconds with nine decimals: "1.000000000"
std::string to_string(Timestamp timestamp);  ///< likewise

}  // namespace packetmill
