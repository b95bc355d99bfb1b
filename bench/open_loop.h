#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/histogram.h"
#include "bench/schedule.h"
#include "ports/dpdk/port.h"

namespace packetmill::bench {

/// What became of the frames of one run. Times are in cycles of the time-stamp counter.
struct OpenLoopResult {
  std::uint64_t offered = 0;    ///< frames whose time to leave came
  std::uint64_t refused = 0;    ///< of those: the port had no room when they were to leave
  std::uint64_t delivered = 0;  ///< of those: came back. What was neither refused nor delivered was lost on the way
  std::uint64_t cycles = 0;     ///< from the start until the last frame came back
  Histogram latency;            ///< from when a frame was *to* leave until it was seen to be back
  Histogram lateness;           ///< from when a frame was to leave until the generator came to send it
};

/// Sends frames when their time comes, whether or not earlier ones are back, and measures how long each takes to come
/// back by the same port. A frame carries the time at which it was to leave, so that a generator that is late, or a
/// network function that holds it up, cannot hide what it does to the frames that follow.
///
/// The thread that runs it has the port's queue 0 for itself, both ways. It never blocks: what the port does not take is
/// counted and given up.
class OpenLoop {
 public:
  /// `port` is started; frames of 60 bytes (see Traffic) go to it one after the other, round and round. Whoever handles
  /// them may change their heads and their places, but not their last 16 bytes.
  OpenLoop(dpdk::Port& port, std::uint64_t seed);

  /// Sends single frames until one comes back: false if none of three does, if the port takes none for three seconds, or
  /// if stop() came.
  [[nodiscard]] bool wait_for_answer();

  /// Offers frames for `duration` cycles, and waits until all are back, or nothing more comes for a second.
  [[nodiscard]] OpenLoopResult run(const Schedule& schedule, std::uint64_t duration);

  /// Ends what is running, from any thread.
  void stop() { stopped_ = true; }

 private:
  [[nodiscard]] std::uint64_t send_due(const Schedule& schedule, std::uint64_t start, std::uint64_t duration,
                                       OpenLoopResult& result);
  unsigned receive(std::uint64_t start, OpenLoopResult& result);
  void drain(std::uint64_t start, OpenLoopResult& result);

  dpdk::Port& port_;
  std::vector<std::uint8_t> frames_;  ///< kFrames of them, one behind the other
  std::uint64_t run_ = 0;             ///< a frame that comes back too late does not belong to the next run
  std::atomic<bool> stopped_{false};
};

}  // namespace packetmill::bench
