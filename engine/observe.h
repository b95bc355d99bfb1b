#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "runtime/element.h"

/// What a milled program keeps of its own running (the plan's `observe`), as VPP's `show runtime` and `show trace` have
/// it: the handlers `runtime` and `trace` show it.
namespace packetmill::engine {

class Node;

enum class Observe { none, counters, cycles, sampled };

/// Of one element on one core.
struct alignas(64) Observed {
  std::uint64_t packets = 0;  ///< that it has processed
  std::uint64_t cycles = 0;   ///< TSC cycles in its own code; in a fused loop with those of the packets that it emits
};

/// The ways of some packets of one core: of every kEvery-th that sets out.
class Trace {
 public:
  static constexpr std::uint32_t kEvery = 1024;
  static constexpr std::size_t kKept = 16;     ///< the last ones
  static constexpr std::size_t kLongest = 48;  ///< elements of one way; what follows is left away

  struct Step {
    const Node* node = nullptr;
    Output output{};
  };
  struct Way {
    std::array<Step, kLongest> steps;
    std::size_t count = 0;
  };

  /// Whether the packet that sets out now is one of them.
  [[gnu::always_inline]] bool begin(const void* packet) {
    if (following_ || --countdown_ != 0) [[likely]]
      return false;
    countdown_ = kEvery;
    following_ = true;
    followed_ = packet;
    ways_[next_ % kKept].count = 0;
    return true;
  }
  void end() {
    following_ = false;
    ++next_;
  }
  [[nodiscard]] bool follows(const void* packet) const { return following_ && followed_ == packet; }
  void step(const Node& node, Output output) {
    Way& way = ways_[next_ % kKept];
    if (way.count < kLongest) way.steps[way.count++] = {&node, output};
  }

  /// One line a way, the oldest first: "frames[2] > paint > ... > output sent".
  [[nodiscard]] std::string text() const;

 private:
  std::array<Way, kKept> ways_{};
  bool following_ = false;
  const void* followed_ = nullptr;
  std::uint32_t countdown_ = 1;
  std::uint64_t next_ = 0;  ///< ways that have ended
};

}  // namespace packetmill::engine
