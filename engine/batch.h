#pragma once

#include "runtime/packet.h"

/// Packets on their way from one element to the next, by the two ways of holding them together. Whoever is handed a
/// batch owns its packets. Both have the same functions; the plan chooses (`batches`).
namespace packetmill::engine {

/// The most packets that one call hands on.
inline constexpr int kMaxBatch = 256;

/// A vector of packets, as VPP and BESS have it.
struct Batch {
  // NOLINTNEXTLINE(modernize-use-equals-default): not even Batch{} may clear the array; `count` says what is there
  Batch() {}

  void add(Packet* packet) { packets[count++] = packet; }
  void clear() { count = 0; }
  /// Keeps the packets of which `keeps(packet)` says so, in their order. It is inlined: the loop of every packet of a
  /// vector plan.
  [[gnu::always_inline]] void sift(auto keeps) {
    int kept = 0;
    const int all = count;
    for (int i = 0; i < all; ++i) {
      Packet* packet = packets[i];
      bool stays = false;
      [[clang::always_inline]] stays = keeps(packet);
      if (stays) packets[kept++] = packet;
    }
    count = kept;
  }
  using Iterator = Packet* const*;
  [[nodiscard]] Iterator begin() const { return packets; }
  static Packet* next(Iterator& at) { return *at++; }
  [[nodiscard]] const Packet* front() const { return packets[0]; }

  int count = 0;
  Packet* packets[kMaxBatch];
};

/// A list of packets through themselves, as FastClick has it: nothing is copied when a batch is split, and the next
/// packet is known only when the one before has been read.
struct LinkedBatch {
  void add(Packet* packet) {
    (count++ == 0 ? head : tail->next) = packet;
    tail = packet;
  }
  void clear() { count = 0; }
  [[gnu::always_inline]] void sift(auto keeps) {
    LinkedBatch kept;
    Packet* packet = head;
    for (int left = count; left > 0; --left) {
      Packet* following = packet->next;
      bool stays = false;
      [[clang::always_inline]] stays = keeps(packet);
      if (stays) kept.add(packet);
      packet = following;
    }
    *this = kept;
  }
  using Iterator = Packet*;
  [[nodiscard]] Iterator begin() const { return head; }
  static Packet* next(Iterator& at) { return std::exchange(at, at->next); }
  [[nodiscard]] const Packet* front() const { return head; }

  int count = 0;
  Packet* head = nullptr;
  Packet* tail = nullptr;
};

}  // namespace packetmill::engine
