#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tables/hash.h"
#include "tables/huge_pages.h"
#include "tables/tags.h"

namespace packetmill::tables {

/// An exact-match table from keys of `KeyBytes` bytes to values, both within the buckets.
///
/// A bucket is one cache line (several only where a single entry does not fit into one): a tag for each slot, the
/// number of keys that went past it because it was full, keys, values. A key lies in its home bucket or, where that was
/// full, in the next with room; a lookup ends at the first bucket that nothing went past. So most lookups, hits and
/// misses, read one line, entries never move, and an erased one leaves no tombstone.
///
/// Holds `capacity` entries, always: memory is allocated once, with room to spare. Written in place by one thread while
/// no other reads.
template <std::size_t KeyBytes, typename Value>
class ExactTable {
  static_assert(KeyBytes > 0 && std::is_trivially_copyable_v<Value>);

 public:
  using Key = std::array<std::uint8_t, KeyBytes>;

  /// What a lookup knows before it reads the table.
  struct Ticket {
    std::uint64_t hash;
    std::uint32_t bucket;
  };

  /// `seed`: random where the keys come from the network, so that nobody can choose keys that collide.
  explicit ExactTable(std::size_t capacity, std::uint64_t seed = 0)
      : buckets_(std::max<std::size_t>(1, (capacity * 100 + kSlots * kLoad - 1) / (kSlots * kLoad))),
        capacity_(capacity),
        seed_(seed) {}

  /// Starts to load the key's home bucket.
  [[nodiscard]] Ticket prefetch(const Key& key) const noexcept {
    const Ticket ticket = ticket_of(key);
    __builtin_prefetch(&buckets_[ticket.bucket]);
    return ticket;
  }

  /// The key's value; null if it is not there. Valid until the key is erased. `ticket` is the key's own.
  [[nodiscard]] const Value* find(const Key& key, Ticket ticket) const noexcept {
    const Place place = locate(key, ticket);
    return place.slot == kSlots ? nullptr : &buckets_[place.bucket].values[place.slot];
  }
  [[nodiscard]] Value* find(const Key& key, Ticket ticket) noexcept {
    return const_cast<Value*>(std::as_const(*this).find(key, ticket));
  }
  [[nodiscard]] const Value* find(const Key& key) const noexcept { return find(key, ticket_of(key)); }
  [[nodiscard]] Value* find(const Key& key) noexcept { return find(key, ticket_of(key)); }

  /// False, and nothing changes, if the key is there already or the table is full.
  [[nodiscard]] bool insert(const Key& key, const Value& value) {
    const Ticket ticket = ticket_of(key);
    if (size_ == capacity_ || locate(key, ticket).slot != kSlots) return false;
    std::uint32_t at = ticket.bucket;
    for (; free_slots(buckets_[at]) == 0; at = next(at))
      if (buckets_[at].passed != kMany) ++buckets_[at].passed;
    Bucket& bucket = buckets_[at];
    const int slot = std::countr_zero(free_slots(bucket));
    bucket.tags[slot] = tag_of(ticket.hash);
    bucket.keys[slot] = key;
    bucket.values[slot] = value;
    ++size_;
    return true;
  }

  /// False if the key is not there.
  bool erase(const Key& key) {
    const Ticket ticket = ticket_of(key);
    const Place place = locate(key, ticket);
    if (place.slot == kSlots) return false;
    buckets_[place.bucket].tags[place.slot] = 0;
    for (std::uint32_t at = ticket.bucket; at != place.bucket; at = next(at))
      if (buckets_[at].passed != kMany) --buckets_[at].passed;
    --size_;
    return true;
  }

  void clear() {
    std::ranges::fill(buckets_, Bucket{});
    size_ = 0;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::size_t kLine = 64;

  template <std::size_t Slots>
  struct alignas(kLine) BucketOf {
    std::uint8_t tags[Slots];
    std::uint8_t passed;  // keys that went past this bucket; from kMany on it is no longer known how many
    Key keys[Slots];
    Value values[Slots];
  };

  /// As many as one line holds, and at most 15: tags are compared sixteen bytes at a time.
  template <std::size_t Slots = 15>
  static constexpr std::size_t slots() {
    if constexpr (Slots > 1 && sizeof(BucketOf<Slots>) > kLine)
      return slots<Slots - 1>();
    else
      return Slots;
  }

  static constexpr std::size_t kSlots = slots();
  static constexpr std::size_t kLoad = kSlots >= 8 ? 80 : kSlots >= 4 ? 65 : 50;  // %; small buckets overflow sooner
  static constexpr std::uint8_t kMany = 255;
  static constexpr std::uint32_t kSlotMask = (1u << kSlots) - 1;

  using Bucket = BucketOf<kSlots>;
  static_assert(sizeof(Bucket) == kLine || kSlots == 1);

  struct Place {
    std::uint32_t bucket;
    std::size_t slot;  // kSlots: nowhere
  };

  [[nodiscard]] Ticket ticket_of(const Key& key) const noexcept {
    const std::uint64_t hash = hash_bytes<KeyBytes>(key.data(), seed_);
    return {hash, scale_hash(hash, static_cast<std::uint32_t>(buckets_.size()))};
  }

  [[nodiscard]] std::uint32_t next(std::uint32_t bucket) const noexcept {
    return bucket + 1 == buckets_.size() ? 0 : bucket + 1;
  }

  static std::uint32_t free_slots(const Bucket& bucket) noexcept { return match_tags(bucket.tags, 0) & kSlotMask; }

  [[nodiscard]] Place locate(const Key& key, Ticket ticket) const noexcept {
    std::uint32_t at = ticket.bucket;
    do {
      const Bucket& bucket = buckets_[at];
      std::uint32_t matches = match_tags(bucket.tags, tag_of(ticket.hash)) & kSlotMask;
      for (; matches != 0; matches &= matches - 1) {
        const auto slot = static_cast<std::size_t>(std::countr_zero(matches));
        if (bucket.keys[slot] == key) [[likely]]
          return {at, slot};
      }
      if (bucket.passed == 0) [[likely]]
        break;
      at = next(at);
    } while (at != ticket.bucket);
    return {at, kSlots};
  }

  std::vector<Bucket, HugePageAllocator<Bucket>> buckets_;
  std::size_t capacity_;
  std::uint64_t seed_;
  std::size_t size_ = 0;
};

}  // namespace packetmill::tables
