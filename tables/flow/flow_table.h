#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tables/hash.h"
#include "tables/huge_pages.h"
#include "tables/tags.h"

namespace packetmill::tables {

/// One direction of a TCP or UDP conversation over IPv4. The table only compares, so that any byte order will do,
/// always the same; the packet's own needs no swap.
struct FlowKey {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint8_t protocol = 0;
  bool operator==(const FlowKey&) const = default;
};

/// The flows of a NAT or flow manager: found by key, numbered 0 .. capacity-1, aged.
///
/// All memory is allocated at the start, at most 64 bytes a direction, everything included:
///
///     flow, 32 bytes + value:  last use 8, addresses 8, ports 4, protocol 1, age list 1, unused 2, links 4 + 4, Value
///     index, 7.6 bytes:        buckets of one line: 12 tags, how many flows went past because it was full, 12 flow
///     numbers;
///                              70 % full when all flows are in use
///
/// A flow keeps its number while it lives. Times are in the caller's unit and never decrease; a flow changes its place
/// in its age list at most once a tick, so that a coarse unit makes touch() cheap. An age list is for flows of the same
/// timeout (TCP, UDP, closing), least recently used first.
///
/// Not thread-safe, not even for reading beside a writer: one core owns a table (an element's `per_core` or `pinned`
/// state).
template <typename Value, std::size_t AgeLists = 1>
class FlowTable {
  static_assert(std::is_trivially_copyable_v<Value> && AgeLists >= 1 && AgeLists < 256);

 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// What a lookup knows before it reads the table.
  struct Ticket {
    std::uint64_t hash;
    std::uint32_t bucket;
  };

  /// `capacity` < 2^32 - 1 flows. `seed`: a random one keeps others from choosing flows that collide.
  explicit FlowTable(std::uint32_t capacity, std::uint64_t seed = 0)
      : flows_(capacity),
        buckets_(std::max<std::size_t>(1, (std::size_t{capacity} * 100 + kSlots * kLoad - 1) / (kSlots * kLoad))),
        seed_(seed) {
    for (std::uint32_t i = 0; i < capacity; ++i) flows_[i].next = i + 1 < capacity ? i + 1 : kNone;
    free_ = capacity > 0 ? 0 : kNone;
  }

  /// Starts to load the key's home bucket.
  [[nodiscard]] Ticket prefetch(const FlowKey& key) const noexcept {
    const Ticket ticket = ticket_of(key);
    __builtin_prefetch(&buckets_[ticket.bucket]);
    return ticket;
  }

  /// The flow's number, or kNone. `ticket` is the key's own.
  [[nodiscard]] std::uint32_t find(const FlowKey& key, Ticket ticket) const noexcept {
    std::uint32_t at = ticket.bucket;
    do {
      const Bucket& bucket = buckets_[at];
      std::uint32_t matches = match_tags(bucket.tags, tag_of(ticket.hash)) & kSlotMask;
      for (; matches != 0; matches &= matches - 1) {
        const std::uint32_t flow = bucket.flows[std::countr_zero(matches)];
        if (flows_[flow].key() == key) [[likely]]
          return flow;
      }
      if (bucket.passed == 0) [[likely]]
        break;
      at = next(at);
    } while (at != ticket.bucket);
    return kNone;
  }
  [[nodiscard]] std::uint32_t find(const FlowKey& key) const noexcept { return find(key, ticket_of(key)); }

  /// Adds a flow with a value of zeros, used `now`. `key` must not be there; `ticket` is its own. kNone, and nothing
  /// changes, if the table is full.
  [[nodiscard]] std::uint32_t insert(const FlowKey& key, Ticket ticket, std::uint64_t now, std::uint8_t age_list = 0) {
    if (free_ == kNone) return kNone;
    const std::uint32_t number = free_;
    Flow& flow = flows_[number];
    free_ = flow.next;
    flow = {now,          key.source, key.destination, key.source_port, key.destination_port,
            key.protocol, age_list,   kNone,           kNone,           Value{}};
    append(number);

    std::uint32_t at = ticket.bucket;
    for (; free_slots(buckets_[at]) == 0; at = next(at)) ++buckets_[at].passed;
    Bucket& bucket = buckets_[at];
    const int slot = std::countr_zero(free_slots(bucket));
    bucket.tags[slot] = tag_of(ticket.hash);
    bucket.flows[slot] = number;
    ++size_;
    return number;
  }

  /// Removes a flow that is there. Its number is the next that insert() gives.
  void erase(std::uint32_t number) {
    Flow& flow = flows_[number];
    const Ticket ticket = ticket_of(flow.key());
    for (std::uint32_t at = ticket.bucket;; at = next(at)) {
      Bucket& bucket = buckets_[at];
      std::uint32_t matches = match_tags(bucket.tags, tag_of(ticket.hash)) & kSlotMask;
      while (matches != 0 && bucket.flows[std::countr_zero(matches)] != number) matches &= matches - 1;
      if (matches != 0) {
        bucket.tags[std::countr_zero(matches)] = 0;
        break;
      }
      --bucket.passed;
    }
    unlink(number);
    flow.next = free_;
    free_ = number;
    --size_;
  }

  [[nodiscard]] Value& value(std::uint32_t number) noexcept { return flows_[number].value; }
  [[nodiscard]] const Value& value(std::uint32_t number) const noexcept { return flows_[number].value; }
  [[nodiscard]] FlowKey key(std::uint32_t number) const noexcept { return flows_[number].key(); }
  [[nodiscard]] std::uint64_t last_use(std::uint32_t number) const noexcept { return flows_[number].time; }
  [[nodiscard]] std::uint8_t age_list(std::uint32_t number) const noexcept { return flows_[number].age_list; }

  /// Notes that a flow was used: it becomes the youngest of its age list.
  void touch(std::uint32_t number, std::uint64_t now) noexcept { touch(number, now, flows_[number].age_list); }

  /// The same, and moves it to another age list.
  void touch(std::uint32_t number, std::uint64_t now, std::uint8_t age_list) noexcept {
    Flow& flow = flows_[number];
    if (flow.time == now && flow.age_list == age_list) return;
    unlink(number);
    flow.time = now;
    flow.age_list = age_list;
    append(number);
  }

  /// Removes the flows of an age list that were last used before `time`, oldest first, each after `callback(number)`.
  /// The callback may erase other flows (the opposite direction), but neither this one nor insert any.
  template <typename Callback>
  void expire(std::uint8_t age_list, std::uint64_t time, Callback&& callback) {
    for (std::uint32_t oldest; (oldest = lists_[age_list].oldest) != kNone && flows_[oldest].time < time;) {
      callback(oldest);
      erase(oldest);
    }
  }

  /// The flow of an age list that was used least recently, or kNone.
  [[nodiscard]] std::uint32_t oldest(std::uint8_t age_list) const noexcept { return lists_[age_list].oldest; }

  /// Calls `callback(number)` for the flows of an age list, oldest first.
  template <typename Callback>
  void for_each(std::uint8_t age_list, Callback&& callback) const {
    for (std::uint32_t at = lists_[age_list].oldest; at != kNone; at = flows_[at].next) callback(at);
  }

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint32_t capacity() const noexcept { return static_cast<std::uint32_t>(flows_.size()); }

 private:
  struct Flow {
    std::uint64_t time;
    std::uint32_t source;
    std::uint32_t destination;
    std::uint16_t source_port;
    std::uint16_t destination_port;
    std::uint8_t protocol;
    std::uint8_t age_list;
    std::uint32_t previous;  // older
    std::uint32_t next;      // younger; of a free flow, the next free one
    Value value;

    [[nodiscard]] FlowKey key() const noexcept {
      return {source, destination, source_port, destination_port, protocol};
    }
  };
  static_assert(offsetof(Flow, value) == 32);

  static constexpr std::size_t kSlots = 12;
  static constexpr std::size_t kLoad = 70;  // %
  static constexpr std::uint32_t kSlotMask = (1u << kSlots) - 1;

  struct alignas(64) Bucket {
    std::uint8_t tags[kSlots];
    std::uint32_t passed;
    std::uint32_t flows[kSlots];
  };
  static_assert(sizeof(Bucket) == 64);
  static_assert(sizeof(Flow) * kSlots * kLoad + sizeof(Bucket) * 100 <= 64 * kSlots * kLoad,
                "a direction takes at most 64 bytes: Value has at most 24");

  struct List {
    std::uint32_t oldest = kNone;
    std::uint32_t youngest = kNone;
  };

  [[nodiscard]] Ticket ticket_of(const FlowKey& key) const noexcept {
    static_assert(offsetof(FlowKey, protocol) == 12, "thirteen bytes without a gap");
    const std::uint64_t hash = hash_bytes<13>(&key, seed_);
    return {hash, scale_hash(hash, static_cast<std::uint32_t>(buckets_.size()))};
  }

  [[nodiscard]] std::uint32_t next(std::uint32_t bucket) const noexcept {
    return bucket + 1 == buckets_.size() ? 0 : bucket + 1;
  }

  static std::uint32_t free_slots(const Bucket& bucket) noexcept { return match_tags(bucket.tags, 0) & kSlotMask; }

  void append(std::uint32_t number) noexcept {
    Flow& flow = flows_[number];
    List& list = lists_[flow.age_list];
    flow.previous = list.youngest;
    flow.next = kNone;
    (list.youngest == kNone ? list.oldest : flows_[list.youngest].next) = number;
    list.youngest = number;
  }

  void unlink(std::uint32_t number) noexcept {
    const Flow& flow = flows_[number];
    List& list = lists_[flow.age_list];
    (flow.previous == kNone ? list.oldest : flows_[flow.previous].next) = flow.next;
    (flow.next == kNone ? list.youngest : flows_[flow.next].previous) = flow.previous;
  }

  std::vector<Flow, HugePageAllocator<Flow>> flows_;
  std::vector<Bucket, HugePageAllocator<Bucket>> buckets_;
  std::array<List, AgeLists> lists_;
  std::uint64_t seed_;
  std::uint32_t free_ = kNone;
  std::uint32_t size_ = 0;
};

}  // namespace packetmill::tables
