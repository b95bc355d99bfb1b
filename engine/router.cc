#include "engine/router.h"

#include <pthread.h>
#include <sched.h>

#include <thread>

namespace packetmill::engine {
namespace {

/// Keeps the calling thread on one CPU: the `index`-th of those that the process may use.
void pin_to_cpu(int index) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  index %= CPU_COUNT(&allowed);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || index-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  }
}

}  // namespace

void Router::run() {
  std::vector<std::thread> threads;
  const auto run_core = [this](std::size_t i) {
    if (options_.pin) pin_to_cpu(static_cast<int>(i));
    cores_[i]->scheduler.run();
  };
  for (std::size_t i = 1; i < cores_.size(); ++i) threads.emplace_back(run_core, i);
  run_core(0);
  for (auto& core : cores_) core->scheduler.stop();
  for (auto& thread : threads) thread.join();
}

void Router::run_for(Duration span) { cores_[0]->scheduler.run(clock_->now() + span); }

void Router::request_stop() {
  ++stop_requests_;
  if (on_stop_request_)
    on_stop_request_();
  else
    finish(0);
}

bool Router::signal(int number) {
  const auto [first, last] = on_signal_.equal_range(number);
  for (auto handler = first; handler != last; ++handler) handler->second();
  return first != last;
}

bool Router::take_stop_request() {
  int pending = stop_requests_.load();
  while (pending > 0)
    if (stop_requests_.compare_exchange_weak(pending, pending - 1)) return true;
  return false;
}

void Router::finish(int exit_status) {
  exit_status_ = exit_status;
  for (auto& core : cores_) core->scheduler.stop();
}

Ledger Router::ledger() {
  Ledger total;
  for (const auto& node : nodes_) total += node->ledger();
  return total;
}

std::vector<Router::Drop> Router::drops() {
  std::vector<Drop> result;
  for (const auto& node : nodes_)
    for (const DropCount& drop : node->drops())
      if (drop.count > 0) result.push_back({node->name, std::string(drop.reason), drop.count});
  return result;
}

std::uint64_t Router::busy_cycles() const {
  std::uint64_t total = 0;
  for (const auto& core : cores_) total += core->scheduler.busy_cycles();
  return total;
}

}  // namespace packetmill::engine
