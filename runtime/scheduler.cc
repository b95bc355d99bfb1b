#include "runtime/scheduler.h"

#include <x86intrin.h>

#include <algorithm>
#include <chrono>

namespace packetmill {
namespace {

/// Turns between two looks at timers and at what other cores have woken.
constexpr int kTurns = 128;

/// INTERPRETATION: while tasks are busy, simulated time moves by this many nanoseconds a round of turns, so that a
/// source without end and a DriverManager that waits a second can stand in one configuration.
constexpr std::int64_t kSimulatedRound = 1000;

}  // namespace

void Task::set_tickets(int tickets) {
  tickets_ = std::clamp(tickets, 1, static_cast<int>(kStride1));
  stride_ = kStride1 / static_cast<std::uint64_t>(tickets_);
}

void Task::wake() {
  // The exchange makes sure that of several wakers one puts the task into the queue.
  if (asleep_.exchange(false, std::memory_order_seq_cst)) home_->wake(*this);
}

void Scheduler::wake(Task& task) {
  const std::lock_guard lock(mutex_);
  woken_.push_back(&task);
  has_woken_.store(true, std::memory_order_release);
  wakeup_.notify_one();
}

void Scheduler::look_again() {
  if (!idle_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  has_woken_.store(true, std::memory_order_release);
  wakeup_.notify_one();
}

void Scheduler::stop() {
  const std::lock_guard lock(mutex_);
  stopped_.store(true, std::memory_order_relaxed);
  wakeup_.notify_one();
}

void Scheduler::collect_woken() {
  if (!has_woken_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex_);
  for (Task* task : woken_) {
    if (task->queued_) continue;
    task->pass_ = std::max(task->pass_, pass_);
    enqueue(*task);
  }
  woken_.clear();
  has_woken_.store(false, std::memory_order_release);
}

void Scheduler::enqueue(Task& task) {
  task.queued_ = true;
  task.order_ = ++order_;
  queue_.push_back(&task);
  std::push_heap(queue_.begin(), queue_.end(), [](const Task* a, const Task* b) {
    return a->pass_ != b->pass_ ? a->pass_ > b->pass_ : a->order_ > b->order_;
  });
}

bool Scheduler::run_tasks() {
  bool worked = false;
  std::uint64_t before = __rdtsc();
  for (int turn = 0; turn < kTurns && !queue_.empty() && !stopped(); ++turn) {
    gate_.pass();
    std::pop_heap(queue_.begin(), queue_.end(), [](const Task* a, const Task* b) {
      return a->pass_ != b->pass_ ? a->pass_ > b->pass_ : a->order_ > b->order_;
    });
    Task& task = *queue_.back();
    queue_.pop_back();
    task.queued_ = false;
    if (task.asleep()) continue;

    now_is_fresh_ = false;
    pass_ = task.pass_;
    const bool busy = task.run_(task.owner_, task.index_);
    task.pass_ += task.stride_;
    if (!task.asleep() && !task.queued_) enqueue(task);

    const std::uint64_t after = __rdtsc();
    if (busy) {
      worked = true;
      busy_cycles_ += after - before;
    }
    before = after;
    collect_woken();
  }
  return worked;
}

bool Scheduler::run_timers() {
  bool fired = false;
  now_is_fresh_ = false;
  // A timer that is set again for now or earlier waits for the next round: it must not keep the tasks from their turns.
  const Timestamp now = this->now();
  const std::uint64_t last = order_;
  while (!timers_.empty() && (*timers_.begin())->expiry_ <= now && (*timers_.begin())->order_ <= last && !stopped()) {
    Timer* timer = *timers_.begin();
    timer->clear();
    timer->fire_(timer->owner_);
    fired = true;
  }
  return fired;
}

bool Scheduler::wait_for_work(std::optional<Timestamp> until) {
  if (clock_.simulated()) {
    const bool nothing = timers_.empty() || (until && (*timers_.begin())->expiry_ > *until);
    if (nothing && until) clock_.advance(*until);
    if (!nothing) clock_.advance((*timers_.begin())->expiry_);
    return !nothing;
  }
  // While this core is not in a burst handlers may set its timers, so it looks at them only before and after; whoever
  // sets one then wakes it (Timer::set).
  std::optional<std::int64_t> wait;
  if (!timers_.empty()) wait = (*timers_.begin())->expiry_.nanoseconds - clock_.now().nanoseconds;
  if (wait && *wait <= 0) return true;
  idle_.store(true, std::memory_order_relaxed);
  gate_.leave();
  {
    std::unique_lock lock(mutex_);
    const auto ready = [&] { return stopped() || has_woken_.load(std::memory_order_relaxed); };
    if (wait)
      wakeup_.wait_for(lock, std::chrono::nanoseconds(*wait), ready);
    else
      wakeup_.wait(lock, ready);
  }
  gate_.enter();
  idle_.store(false, std::memory_order_relaxed);
  return true;
}

void Scheduler::run(std::optional<Timestamp> until) {
  gate_.enter();
  run_timers();  // what is due before the first packet (a Script's first instructions) comes before it
  while (!stopped()) {
    gate_.pass();
    collect_woken();
    const bool had_tasks = !queue_.empty();
    // Tasks that never rest get one more round at `until`, where the clock stands still.
    const bool last_round = had_tasks && until && clock_.now() >= *until;
    run_tasks();
    if (stopped()) break;
    if (clock_.simulated() && had_tasks) {
      const Timestamp next{clock_.now().nanoseconds + kSimulatedRound};
      clock_.advance(until ? std::min(next, *until) : next);
    }
    run_timers();
    collect_woken();
    if (queue_.empty() && !stopped() && !wait_for_work(until)) break;
    if (last_round) break;
  }
  gate_.leave();
}

void Timer::set(Timestamp expiry) {
  clear();
  expiry_ = expiry;
  order_ = ++home_->order_;
  home_->timers_.insert(this);
  scheduled_ = true;
  home_->look_again();
}

void Timer::clear() {
  if (!scheduled_) return;
  home_->timers_.erase(this);
  scheduled_ = false;
}

}  // namespace packetmill
