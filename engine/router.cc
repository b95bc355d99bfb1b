#include "engine/router.h"

#include <thread>

namespace packetmill::engine {

void Router::run() {
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < cores_.size(); ++i) threads.emplace_back([this, i] { cores_[i]->scheduler.run(); });
  cores_[0]->scheduler.run();
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
  for (const auto& core : cores_) total += core->ledger;
  for (const auto& node : nodes_) total.held += node->held();
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
