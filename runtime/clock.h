#pragma once

#include <atomic>

#include "runtime/values/time.h"

namespace packetmill {

/// Where `now` comes from: the machine's clock, or a simulated one that only the scheduler moves. Time is an input like
/// any other; elements read it through their context, once per burst.
class Clock {
 public:
  /// The machine's clock: time of day when the clock was made, steady from then on.
  Clock();
  /// A simulated clock that stands at `start`.
  explicit Clock(Timestamp start) : simulated_(true), time_(start.nanoseconds) {}

  [[nodiscard]] Timestamp now() const { return simulated_ ? Timestamp{time_.load(std::memory_order_relaxed)} : real(); }
  [[nodiscard]] bool simulated() const { return simulated_; }
  /// Moves simulated time to `to`; never backwards.
  void advance(Timestamp to) {
    if (to.nanoseconds > time_.load(std::memory_order_relaxed)) time_.store(to.nanoseconds, std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] Timestamp real() const;

  bool simulated_ = false;
  std::atomic<std::int64_t> time_{0};  ///< simulated: the time; real: time of day minus steady time, at the start
};

}  // namespace packetmill
