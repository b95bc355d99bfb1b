#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "runtime/clock.h"
#include "runtime/gate.h"

namespace packetmill {

class Scheduler;

/// Something that a core runs when its turn comes: a source, an Unqueue, a device's receive queue. Turns follow stride
/// scheduling (Waldspurger and Weihl, 1995): a task with twice the tickets runs twice as often.
class Task {
 public:
  /// Runs the task once; true where it did some work.
  using Run = bool (*)(void* owner, int index);

  Task(Run run, void* owner, int index) : run_(run), owner_(owner), index_(index) {}
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// Makes the task run again; from any core. Waking a task that is awake does nothing.
  void wake();
  /// From the task itself, or from a handler: no more turns until somebody wakes it.
  void sleep() { asleep_.store(true, std::memory_order_seq_cst); }
  [[nodiscard]] bool asleep() const { return asleep_.load(std::memory_order_seq_cst); }

  void set_tickets(int tickets);
  [[nodiscard]] int tickets() const { return tickets_; }
  void set_home(Scheduler* home) { home_ = home; }
  [[nodiscard]] Scheduler* home() const { return home_; }

 private:
  friend class Scheduler;
  static constexpr std::uint64_t kStride1 = 1U << 16U;

  Run run_;
  void* owner_;
  int index_;
  int tickets_ = 1024;
  std::uint64_t stride_ = kStride1 / 1024;
  std::uint64_t pass_ = 0;
  std::uint64_t order_ = 0;  ///< tasks of the same pass run in the order in which they queued
  Scheduler* home_ = nullptr;
  std::atomic<bool> asleep_{true};
  bool queued_ = false;  ///< in its home's run queue; touched by the home core only, or under the gate
};

/// Calls back at a time. Belongs to one core, which alone sets and clears it, but for handlers (under the gate).
class Timer {
 public:
  using Fire = void (*)(void* owner);
  Timer(Fire fire, void* owner) : fire_(fire), owner_(owner) {}
  ~Timer() { clear(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void set(Timestamp expiry);
  void clear();
  [[nodiscard]] bool scheduled() const { return scheduled_; }
  [[nodiscard]] Timestamp expiry() const { return expiry_; }
  void set_home(Scheduler* home) { home_ = home; }

 private:
  friend class Scheduler;
  Fire fire_;
  void* owner_;
  Scheduler* home_ = nullptr;
  Timestamp expiry_{};
  std::uint64_t order_ = 0;  ///< timers of the same time fire in the order in which they were set
  bool scheduled_ = false;
};

/// One core's turns: tasks by stride, timers by time, and the clock.
class Scheduler {
 public:
  Scheduler(Clock& clock, Gate& gate) : clock_(clock), gate_(gate) {}

  /// Runs until stop() is called; under simulated time also until nothing can ever happen again, or the clock is to
  /// pass `until`, where it then stands.
  void run(std::optional<Timestamp> until = std::nullopt);
  /// Ends run() after the turn that is under way; from any thread.
  void stop();
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// The time that this burst goes by: the clock is read at the first call of a turn.
  [[nodiscard]] Timestamp now() {
    if (!now_is_fresh_) {
      now_ = clock_.now();
      now_is_fresh_ = true;
    }
    return now_;
  }

  /// TSC cycles spent in turns that did work, for cycles per packet.
  [[nodiscard]] std::uint64_t busy_cycles() const { return busy_cycles_; }

 private:
  friend class Task;
  friend class Timer;

  struct Earlier {
    bool operator()(const Timer* a, const Timer* b) const {
      return a->expiry_ != b->expiry_ ? a->expiry_ < b->expiry_ : a->order_ < b->order_;
    }
  };

  void wake(Task& task);
  bool run_tasks();
  bool run_timers();
  bool wait_for_work(std::optional<Timestamp> until);
  void collect_woken();
  void look_again();
  void enqueue(Task& task);

  Clock& clock_;
  Gate& gate_;
  Timestamp now_{};
  bool now_is_fresh_ = false;
  std::vector<Task*> queue_;  ///< heap by pass
  std::uint64_t pass_ = 0;    ///< the pass of the task that ran last: where a woken task joins
  std::set<Timer*, Earlier> timers_;
  std::uint64_t order_ = 0;
  std::uint64_t busy_cycles_ = 0;

  std::mutex mutex_;  ///< guards woken_ and the idle wait
  std::condition_variable wakeup_;
  std::vector<Task*> woken_;
  std::atomic<bool> has_woken_{false};
  std::atomic<bool> idle_{false};  ///< in the idle wait, out of the gate
  std::atomic<bool> stopped_{false};
};

}  // namespace packetmill
