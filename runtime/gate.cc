#include "runtime/gate.h"

namespace packetmill {
namespace {

// Which gate this thread is a core of, and which one it holds closed, how often. A thread drives one router at a time.
thread_local const Gate* core_of = nullptr;
thread_local const Gate* holder_of = nullptr;
thread_local int depth = 0;

}  // namespace

void Gate::enter() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !taken_; });
  ++running_;
  core_of = this;
}

void Gate::leave() {
  const std::lock_guard lock(mutex_);
  --running_;
  core_of = nullptr;
  changed_.notify_all();
}

void Gate::wait() {
  std::unique_lock lock(mutex_);
  --running_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return !taken_ && waiting_ == 0; });
  ++running_;
}

void Gate::close() {
  if (holder_of == this) {
    ++depth;
    return;
  }
  std::unique_lock lock(mutex_);
  const bool core = core_of == this;
  ++waiting_;
  closed_.store(true, std::memory_order_relaxed);
  if (core) --running_;  // a core that asks stands between its own bursts
  changed_.notify_all();
  changed_.wait(lock, [&] { return !taken_ && running_ == 0; });
  taken_ = true;
  --waiting_;
  holder_of = this;
  depth = 1;
}

void Gate::open() {
  if (--depth > 0) return;
  holder_of = nullptr;
  const std::lock_guard lock(mutex_);
  taken_ = false;
  if (core_of == this) ++running_;
  if (waiting_ == 0) closed_.store(false, std::memory_order_relaxed);
  changed_.notify_all();
}

}  // namespace packetmill
