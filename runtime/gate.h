#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace packetmill {

/// Keeps the control plane and the cores apart: a handler runs while every core stands between two bursts. So Control
/// needs no copies and no locks, a write takes effect at each core's next burst, and what a read handler sees is whole.
/// A core pays one relaxed load per burst.
class Gate {
 public:
  /// A core calls enter() before its first burst, pass() between bursts and leave() after its last.
  void enter();
  void leave();
  void pass() {
    if (closed_.load(std::memory_order_relaxed)) [[unlikely]]
      wait();
  }

  /// Runs `function` while all cores wait. May be called by a core (from a task or timer, between bursts), by any other
  /// thread, and from within `function`.
  template <class F>
  decltype(auto) exclusive(F&& function) {
    const Closed closed(*this);
    return function();
  }

 private:
  class Closed {
   public:
    explicit Closed(Gate& gate) : gate_(gate) { gate_.close(); }
    ~Closed() { gate_.open(); }
    Closed(const Closed&) = delete;
    Closed& operator=(const Closed&) = delete;

   private:
    Gate& gate_;
  };
  void close();
  void open();
  void wait();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> closed_{false};
  bool taken_ = false;  ///< somebody runs exclusively
  int waiting_ = 0;     ///< how many want to
  int running_ = 0;     ///< cores that are in a burst
};

}  // namespace packetmill
