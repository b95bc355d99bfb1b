#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace packetmill::cli {

/// Turns signals into calls of ordinary code: they are blocked in every thread, and one thread waits for them. To be
/// made before any other thread, since these inherit what is blocked.
class Signals {
 public:
  Signals();
  /// The signals go back to what they do by default.
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// From now on, `on_signal` is called with each signal that comes. Where it returns false, the signal does what it
  /// does by default, which is to end the program.
  void deliver_to(std::function<bool(int signal)> on_signal);

 private:
  void wait();

  std::function<bool(int)> on_signal_;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace packetmill::cli
