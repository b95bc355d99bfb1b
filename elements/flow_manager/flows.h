#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <new>
#include <optional>
#include <vector>

#include "elements/nat/age_tick.h"
#include "runtime/headers.h"
#include "tables/flow/flow_table.h"

/// What a flow manager keeps on one core: the flows, and for each a block of bytes in which the elements behind it have
/// their own few (FastClick's flow control block). The block lies in the cache line of the flow that the manager has
/// just looked up, so that all of them together cost one memory access a packet.
namespace packetmill {

class Flows {
 public:
  /// How long a flow may be silent.
  struct Timeouts {
    Duration plain, opening, established, closing;
  };

  /// Bytes of the block that one element rents: T, which starts as zeros with every new flow.
  template <class T>
  struct Slot {
    std::uint32_t offset = 0;
  };

  static constexpr std::uint32_t kBlockBytes = 24;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Block {
    alignas(8) std::array<std::byte, kBlockBytes> bytes;
  };
  using Table = tables::FlowTable<Block, 4>;

  void open(std::uint32_t capacity, std::uint64_t seed, const Timeouts& timeouts) {
    table_.emplace(capacity, seed);
    limits_ = {timeouts.plain, timeouts.opening, timeouts.established, timeouts.closing};
  }

  /// Room for a T in every flow's block; nothing where the block is full. `release(flow)` is called before a flow that
  /// has ended is forgotten.
  template <class T, class Release>
  [[nodiscard]] std::optional<Slot<T>> rent(Release release) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);
    const auto offset = static_cast<std::uint32_t>((rented_ + alignof(T) - 1) / alignof(T) * alignof(T));
    if (offset + sizeof(T) > kBlockBytes) return std::nullopt;
    rented_ = offset + static_cast<std::uint32_t>(sizeof(T));
    releases_.emplace_back([this, offset, release](std::uint32_t flow) {
      release(*std::launder(reinterpret_cast<T*>(bytes(flow, offset))));
    });
    return Slot<T>{offset};
  }

  template <class T>
  [[nodiscard]] T& at(std::uint32_t flow, Slot<T> slot) {
    return *std::launder(reinterpret_cast<T*>(bytes(flow, slot.offset)));
  }

  /// Whether a packet's FlowIndex is that of a flow here.
  [[nodiscard]] bool contains(std::uint32_t index) const { return index - 1 < table_->capacity(); }

  /// Starts to load what is known of the flow.
  [[nodiscard]] Table::Ticket prefetch(const tables::FlowKey& key) const { return table_->prefetch(key); }

  /// The number of the flow, a new one where it is not known; kNone where there is no room for a new one. `tcp_flags`:
  /// of a TCP packet, otherwise nothing.
  [[nodiscard]] std::uint32_t find_or_insert(const tables::FlowKey& key, Table::Ticket ticket,
                                             std::optional<std::uint8_t> tcp_flags, Timestamp now) {
    const std::uint64_t tick = age_tick(now);
    if (tick != last_tick_) [[unlikely]]
      expire(now);
    std::uint32_t flow = table_->find(key, ticket);
    if (flow == Table::kNone) [[unlikely]] {
      flow = table_->insert(key, ticket, tick, tcp_flags ? opening : plain);
      if (flow == Table::kNone) return kNone;
      ++started_;
    }
    if (tcp_flags)
      table_->touch(flow, tick, next_age(static_cast<Age>(table_->age_list(flow)), *tcp_flags));
    else
      table_->touch(flow, tick);
    return flow;
  }

  /// Forgets the flows that were silent for too long.
  void expire(Timestamp now) {
    last_tick_ = age_tick(now);
    for (std::uint8_t age = 0; age < limits_.size(); ++age)
      table_->expire(age, age_tick(now - limits_[age]), [&](std::uint32_t flow) {
        for (const auto& release : releases_) release(flow);
      });
  }

  [[nodiscard]] std::uint32_t size() const { return table_->size(); }
  [[nodiscard]] std::uint32_t capacity() const { return table_->capacity(); }
  [[nodiscard]] std::uint64_t started() const { return started_; }

 private:
  /// INTERPRETATION: FastClick gives all flows one timeout. Without a configured one, RFC 4787 (REQ-5) and RFC 5382
  /// (REQ-5) ask for different ones, so that TCP flows have an age list for each phase that one direction can show.
  enum Age : std::uint8_t { plain, opening, established, closing };

  static Age next_age(Age age, std::uint8_t tcp_flags) {
    if ((tcp_flags & (kTcpFin | kTcpRst)) != 0) return closing;
    if ((tcp_flags & kTcpSyn) != 0) return opening;
    return age == opening ? established : age;
  }

  [[nodiscard]] std::byte* bytes(std::uint32_t flow, std::uint32_t offset) {
    return table_->value(flow).bytes.data() + offset;
  }

  std::optional<Table> table_;
  std::array<Duration, 4> limits_{};
  std::uint64_t last_tick_ = 0;
  std::uint64_t started_ = 0;
  std::uint32_t rented_ = 0;
  std::vector<std::function<void(std::uint32_t)>> releases_;
};

}  // namespace packetmill
