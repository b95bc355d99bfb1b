#pragma once

#include <atomic>
#include <vector>

#include "runtime/scheduler.h"

namespace packetmill {

/// Wakes tasks that had nothing to do: those that pull from a store when it is no longer empty, those that push into it
/// when it is no longer full. One per store and direction; listeners are known before the run starts.
class Notifier {
 public:
  void add(Task* task) { listeners_.push_back(task); }
  [[nodiscard]] bool empty() const { return listeners_.empty(); }

  /// A listener is about to sleep. It must look once more at the store after this, and before it does.
  void expect() { expected_.store(true, std::memory_order_seq_cst); }

  /// The store has changed: one relaxed load where nobody sleeps.
  void notify() {
    if (expected_.load(std::memory_order_seq_cst)) [[unlikely]] {
      expected_.store(false, std::memory_order_seq_cst);
      for (Task* task : listeners_) task->wake();
    }
  }

 private:
  std::vector<Task*> listeners_;
  std::atomic<bool> expected_{false};
};

}  // namespace packetmill
