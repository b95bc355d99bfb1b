#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "elements/nat/rewrite.h"

namespace packetmill {

/// The ports of a translator's address: which are free, and whose the others are. Every core gives out ports of its own
/// (FastClick's division of 1024 to 65530 into as many ranges as cores), the longest unused first; any core may ask
/// whose a port is.
class NatPorts {
 public:
  static constexpr std::uint16_t kFirst = 1024;
  static constexpr std::uint16_t kLast = 65530;

  void open(int cores) {
    owners_ = std::make_unique<std::array<Owner, 65536>>();
    free_ = std::vector<Free>(static_cast<std::size_t>(cores));
    for (unsigned port = kFirst; port <= kLast; ++port)
      free_[static_cast<std::size_t>(port) % free_.size()].ports.push_back(
          swap_network(static_cast<std::uint16_t>(port)));
    for (Free& free : free_) free.count = free.ports.size();
  }

  /// A port for `flow`, as it lies in a packet; 0 where the core has none left.
  [[nodiscard]] std::uint16_t take(int core, const FlowKey& flow) {
    Free& free = free_[static_cast<std::size_t>(core)];
    if (free.count == 0) return 0;
    const std::uint16_t port = free.ports[free.first];
    free.first = free.first + 1 == free.ports.size() ? 0 : free.first + 1;
    --free.count;
    Owner& owner = (*owners_)[port];
    owner.inside.store(std::uint64_t{flow.source} << 16U | flow.source_port, std::memory_order_relaxed);
    owner.outside.store(outside(flow.destination, flow.destination_port, flow.protocol), std::memory_order_release);
    return port;
  }

  /// `core` is the one that took it.
  void give_back(int core, std::uint16_t port) {
    (*owners_)[port].outside.store(0, std::memory_order_relaxed);
    Free& free = free_[static_cast<std::size_t>(core)];
    free.ports[(free.first + free.count) % free.ports.size()] = port;
    ++free.count;
  }

  /// The flow that `answer`, a packet to the translator's address, belongs to, as it is to be inside.
  [[nodiscard]] std::optional<FlowKey> inside_of(const FlowKey& answer) const {
    const Owner& owner = (*owners_)[answer.destination_port];
    if (owner.outside.load(std::memory_order_acquire) != outside(answer.source, answer.source_port, answer.protocol))
      return std::nullopt;
    const std::uint64_t inside = owner.inside.load(std::memory_order_relaxed);
    return FlowKey{answer.source, static_cast<std::uint32_t>(inside >> 16U), answer.source_port,
                   static_cast<std::uint16_t>(inside), answer.protocol};
  }

  [[nodiscard]] std::size_t available() const {
    std::size_t sum = 0;
    for (const Free& free : free_) sum += free.count;
    return sum;
  }

 private:
  struct Owner {
    std::atomic<std::uint64_t> inside;
    std::atomic<std::uint64_t> outside;  ///< 0: the port is free
  };
  struct alignas(64) Free {
    std::vector<std::uint16_t> ports;  ///< a ring
    std::size_t first = 0;
    std::size_t count = 0;
  };

  static std::uint64_t outside(std::uint32_t address, std::uint16_t port, std::uint8_t protocol) {
    return std::uint64_t{address} << 32U | std::uint64_t{port} << 16U | protocol;
  }

  std::unique_ptr<std::array<Owner, 65536>> owners_;  ///< by port as it lies in a packet
  std::vector<Free> free_;                            ///< by core
};

}  // namespace packetmill
