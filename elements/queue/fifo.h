#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/element.h"

namespace packetmill {

/// A first-in-first-out store of packets: what Queue and its kind keep. Any number of cores may put and take; where
/// there is only one, no lock is touched.
///
/// Size is read under the lock too: a task that is about to sleep looks at it after it has said so
/// (runtime/notifier.h), and the lock orders that look with the put that would have to wake it.
template <class P>
class Fifo {
 public:
  /// Once, before packets come.
  void prepare(std::size_t capacity, bool several_cores) {
    ring_.resize(capacity);
    several_cores_ = several_cores;
  }

  /// To be held around full(), put() and take().
  [[nodiscard]] std::unique_lock<std::mutex> lock() const {
    return several_cores_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }
  [[nodiscard]] bool full() const { return count_ == ring_.size(); }
  /// Not into a full store.
  void put(Owned<P> packet) {
    ring_[wrap(head_ + count_)] = packet.release();
    highwater = std::max(highwater, ++count_);
  }
  /// Null where there is none.
  [[nodiscard]] Owned<P> take() {
    if (count_ == 0) return {};
    Owned<P> packet(ring_[head_]);
    head_ = wrap(head_ + 1);
    --count_;
    return packet;
  }

  [[nodiscard]] std::size_t size() const {
    const auto guard = lock();
    return count_;
  }
  /// Takes the newest packets out until `capacity` are left, giving each to `refuse`. Between bursts only.
  template <class F>
  void set_capacity(std::size_t capacity, F refuse) {
    std::vector<P*> ring(capacity);
    std::size_t kept = 0;
    while (Owned<P> packet = take()) {
      if (kept < capacity)
        ring[kept++] = packet.release();
      else
        refuse(std::move(packet));
    }
    ring_ = std::move(ring);
    head_ = 0;
    count_ = kept;
  }

  std::size_t highwater = 0;    ///< the most packets that there have been at once
  std::uint64_t overflows = 0;  ///< packets that found the store full

 private:
  [[nodiscard]] std::size_t wrap(std::size_t index) const {
    return index >= ring_.size() ? index - ring_.size() : index;
  }

  std::vector<P*> ring_;
  std::size_t head_ = 0;
  std::size_t count_ = 0;
  bool several_cores_ = false;
  mutable std::mutex mutex_;
};

/// What Queue and SimpleQueue have in common: all but their names and the full note.
struct FifoElement {
  struct Control {
    std::uint32_t capacity = 1000;
  };
  static constexpr auto keywords = describe(positional<&Control::capacity>("CAPACITY"));

  template <class P>
  using State = Fifo<P>;
  static constexpr Scope scope = Scope::shared;

  static constexpr Reason overflow{0, "overflow"};
  static constexpr Reason flushed{1, "flushed"};
  static constexpr auto drops = describe(overflow, flushed);

  /// Beyond this it is a slip of the hand, not a queue: 16 million packets need 40 GB.
  static constexpr std::uint32_t kMostPackets = 1U << 24U;
  static Refusal out_of_range(std::uint32_t capacity) {
    if (capacity <= kMostPackets) return {};
    return "CAPACITY: out of range, bound " + std::to_string(kMostPackets);
  }

  static constexpr auto handlers = describe(
      read("length", [](const auto& element) { return element.state().size(); }),
      read("highwater_length", [](const auto& element) { return element.state().highwater; }),
      read("capacity", &Control::capacity),
      write("capacity",
            [](auto& element, std::string_view text) -> Refusal {
              std::uint32_t capacity = 0;
              if (auto wrong = parse(text, capacity)) return wrong;
              if (auto wrong = out_of_range(capacity)) return wrong;
              const std::uint32_t before = std::exchange(element.control().capacity, capacity);
              if (capacity > before) element.reserve(capacity - before);
              element.state().set_capacity(capacity, [&](auto packet) { element.drop(std::move(packet), flushed); });
              element.wake();
              return {};
            }),
      read("drops", [](const auto& element) { return element.state().overflows; }),
      write("reset_counts",
            [](auto& element, std::string_view) -> Refusal {
              element.state().highwater = element.state().size();
              element.state().overflows = 0;
              return {};
            }),
      write("reset", [](auto& element, std::string_view) -> Refusal {
        while (auto packet = element.state().take()) element.drop(std::move(packet), flushed);
        element.wake();
        return {};
      }));

  static Refusal check(auto& element) { return out_of_range(element.control().capacity); }
  static Refusal initialize(auto& element) {
    element.state().prepare(element.control().capacity, element.cores() > 1);
    return {};
  }

  static auto pull(auto& context, int) {
    const auto guard = context.state().lock();
    return context.state().take();
  }

  static std::size_t size(const auto& state) { return state.size(); }
  static std::size_t capacity(const auto& element) { return element.control().capacity; }
  static auto drain(auto& state) { return state.take(); }

 protected:
  static Output store(auto& context, auto& packet, std::string_view class_name) {
    auto& fifo = context.state();
    auto guard = fifo.lock();
    if (!fifo.full()) [[likely]] {
      fifo.put(context.hold(packet));
      return held();
    }
    const bool first = fifo.overflows++ == 0;
    guard = {};
    if (first && context.control().capacity > 0)
      context.message(std::string(context.name()) + " :: " + std::string(class_name) + ": overflow");
    return context.connected(1) ? to(1) : drop(overflow);
  }
};

}  // namespace packetmill
