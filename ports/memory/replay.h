#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/packet.h"

/// A port that is nothing but memory, for measuring: frames of a trace in a ring, given out again and again. What the
/// network function did to them is put right between two replays, and neither that nor looking at what came out is timed.
namespace packetmill::memory {

class Replay {
 public:
  static constexpr std::uint32_t kFrames = 4096;  ///< of the ring
  static constexpr std::uint32_t kHeadroom = 128;
  static constexpr std::uint32_t kBuffer = kHeadroom + 2048 + 128;

  /// The trace's first kFrames frames, from the front again where it has fewer, each at most 2048 bytes. Null, and the
  /// reason in `wrong`, where there are none.
  static std::unique_ptr<Replay> open(const std::string& trace, std::string& wrong);

  /// Where all rings of a router say how long they took between their turns, so that none counts another's pauses.
  void share(std::uint64_t& pauses) { pauses_ = &pauses; }

  struct Frame {
    Replay* replay = nullptr;
    std::uint8_t* buffer = nullptr;
    std::uint32_t length = 0;
  };

  /// Up to `most` frames that have not been given out in this replay; how many, from `first` on.
  std::uint32_t take(std::uint32_t most, Frame*& first) {
    const std::uint32_t count = std::min(most, kFrames - next_);
    first = frames_.data() + next_;
    next_ += count;
    outstanding_ += count;
    return count;
  }
  /// As Packet::Release: a frame that was dropped.
  static void give_back(void* frame) { --static_cast<Frame*>(frame)->replay->outstanding_; }

  /// A frame that has been sent; false where more come out than there is room for.
  bool send(const std::uint8_t* data, std::uint32_t length) {
    if (sent_ == outputs_.size()) return false;
    outputs_[sent_++] = {data, length};
    return true;
  }
  /// The same for one whose buffer is not the ring's: copied.
  bool send_copy(const std::uint8_t* data, std::uint32_t length);

  [[nodiscard]] bool exhausted() const { return next_ == kFrames; }
  /// Whether every frame has come back; those that stay in stores never do.
  [[nodiscard]] bool complete() const { return outstanding_ == 0; }

  /// Ends a replay, with the counts that its drop reasons have by now, and begins the next.
  void turn(const std::string& drops);
  void start();

  [[nodiscard]] std::size_t replays() const { return cycles_.size(); }
  /// TSC cycles per frame of each replay.
  [[nodiscard]] const std::vector<double>& cycles() const { return cycles_; }
  /// Of what came out in a replay, whatever the order, and of its drops; the first replay may differ (addresses are
  /// learned).
  [[nodiscard]] std::uint64_t digest() const;
  /// Replays whose outputs or drops were not those of the second.
  [[nodiscard]] std::uint64_t mismatches() const { return mismatches_; }

 private:
  struct alignas(64) Cell {
    std::uint8_t room[sizeof(Packet)];  ///< for a packet's own metadata
    std::uint8_t buffer[kBuffer];
  };
  struct Output {
    const std::uint8_t* data;
    std::uint32_t length;
  };
  void restore();

  std::vector<std::vector<std::uint8_t>> pristine_;  ///< the trace's frames
  std::unique_ptr<Cell[]> memory_;
  std::vector<Frame> frames_;
  std::vector<Output> outputs_;
  std::vector<std::vector<std::uint8_t>> copies_;
  std::size_t sent_ = 0;
  std::uint32_t next_ = 0;
  std::uint32_t outstanding_ = 0;
  std::uint64_t started_ = 0;
  std::uint64_t own_pauses_ = 0;
  std::uint64_t* pauses_ = &own_pauses_;  ///< cycles that rings took between their turns
  std::uint64_t pauses_before_ = 0;
  std::vector<double> cycles_;
  std::uint64_t reference_ = 0;  ///< of what is sent
  std::uint64_t mismatches_ = 0;
  std::map<std::string, std::uint64_t> drops_;            ///< by now
  std::map<std::string, std::uint64_t> reference_drops_;  ///< in one replay
};

/// The ports of a router by name, so that what sends finds what receives.
struct Ports {
  std::map<std::string, std::unique_ptr<Replay>, std::less<>> replays;
  std::uint64_t pauses = 0;
};

}  // namespace packetmill::memory
