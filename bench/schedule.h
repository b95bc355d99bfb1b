#pragma once

#include <cstdint>
#include <vector>

namespace packetmill::bench {

enum class Arrivals : std::uint8_t { poisson, constant };

/// When the frames of an open loop are to leave, drawn before the first one does: a generator that computed it in between
/// would be late by that.
class Schedule {
 public:
  /// Frames `gap` cycles apart, in the mean: exactly so over every kPeriod frames, so that all seeds offer the same rate.
  /// The gaps of Poisson arrivals are exponential, and come again after kPeriod of them. A gap of 0: all at once.
  Schedule(Arrivals arrivals, double gap, std::uint64_t seed);

  [[nodiscard]] bool all_at_once() const { return period_ == 0; }
  /// Of frame `i`, in cycles after the start.
  [[nodiscard]] std::uint64_t departure(std::uint64_t i) const {
    const std::uint64_t periods = i / kPeriod;
    return static_cast<std::uint64_t>(static_cast<double>(periods) * period_) + departures_[i % kPeriod];
  }

  static constexpr std::uint64_t kPeriod = 65536;

 private:
  double period_;                          ///< cycles of kPeriod frames
  std::vector<std::uint64_t> departures_;  ///< of the first kPeriod frames
};

}  // namespace packetmill::bench
