#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "runtime/values/time.h"

namespace packetmill {

/// An exponentially weighted moving average of things per second.
///
/// INTERPRETATION: Click's documentation names neither period nor weight. Here each millisecond counts 1/16, so that
/// the average follows a change within some 50 ms.
class Rate {
 public:
  void add(Timestamp now, std::uint64_t n) {
    if (now >= end_) [[unlikely]] {
      average_ = average_at(now);
      end_ = Timestamp{(now.nanoseconds / kPeriod + 1) * kPeriod};
      current_ = 0;
    }
    current_ += n;
  }
  /// As of `now`: the period that is under way does not count yet.
  [[nodiscard]] double per_second(Timestamp now) const {
    return average_at(now) * (static_cast<double>(kNanosecondsPerSecond) / kPeriod);
  }

 private:
  static constexpr std::int64_t kPeriod = 1'000'000;
  static constexpr double kWeight = 1.0 / 16;

  /// Per period: the one that `current_` counts is over, and perhaps others in which nothing came.
  [[nodiscard]] double average_at(Timestamp now) const {
    if (now < end_ || end_.nanoseconds == 0) return average_;
    const double average = average_ + (static_cast<double>(current_) - average_) * kWeight;
    const auto idle = (now.nanoseconds - end_.nanoseconds) / kPeriod;
    return average * std::pow(1 - kWeight, static_cast<double>(idle));
  }

  double average_ = 0;
  std::uint64_t current_ = 0;
  Timestamp end_{};  ///< of the period that is under way
};

/// Three decimals at most: "1000", "33.333".
inline std::string decimal(double value) { return fmt::format("{}", std::round(value * 1000) / 1000); }

}  // namespace packetmill
