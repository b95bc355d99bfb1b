#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/packet.h"

namespace packetmill {

/// Every frame that a port or element makes has this much room in front: nine Ethernet headers, or an IPv4 header with
/// all its options, a VLAN tag and more.
inline constexpr std::uint32_t kHeadroom = 128;
inline constexpr std::uint32_t kTailroom = 128;
/// Frames up to this length lie in the pool's own buffers; longer ones (jumbo frames, 64 KiB test packets) in buffers
/// of their own.
inline constexpr std::uint32_t kStandardFrame = 2048;

/// The packets of a run: as many as the plan says (bursts, what stores hold at most, the clone reserve), so that
/// running out is a drop with its reason and never an allocation failure. Cores keep a cache each and share this depot.
class PacketDepot {
 public:
  explicit PacketDepot(std::size_t limit) : limit_(limit) {}
  ~PacketDepot();
  PacketDepot(const PacketDepot&) = delete;
  PacketDepot& operator=(const PacketDepot&) = delete;

  /// Fills `into` with free packets as far as there are any; how many.
  [[nodiscard]] std::size_t take(std::span<Packet*> into);
  /// Takes packets back.
  void give(std::span<Packet* const> packets);
  void set_limit(std::size_t limit);
  /// Makes at least `count` packets now, rather than when they are first taken.
  void reserve(std::size_t count);
  void raise_limit(std::size_t by);

 private:
  struct Chunk;
  void grow(std::size_t count);  ///< under the lock

  std::mutex mutex_;
  std::vector<Packet*> free_;
  std::vector<Chunk*> chunks_;
  std::size_t made_ = 0;
  std::size_t limit_;
};

/// One core's packets.
class PacketPool {
 public:
  explicit PacketPool(PacketDepot& depot) : depot_(depot) {}
  ~PacketPool() { depot_.give(std::span(free_).first(count_)); }
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  /// A packet over a buffer of the pool, of `length` bytes of unspecified content; null where there is none left.
  [[nodiscard]] Packet* allocate(std::uint32_t length, std::uint32_t headroom = kHeadroom);

  /// A packet over somebody else's buffer, which `release(owner)` gives back; null where there is none left. Of its fields
  /// these read as zero.
  template <class Touched = AllFields>
  [[nodiscard]] Packet* adopt(std::uint8_t* buffer, std::uint32_t capacity, std::uint32_t headroom,
                              std::uint32_t length, void* owner, Packet::Release release, Touched touched = {}) {
    Packet* packet = pop();
    if (packet == nullptr) [[unlikely]]
      return nullptr;
    packet->clear(touched);
    packet->set_frame(buffer, capacity, headroom, length);
    packet->owner = owner;
    packet->release = release;
    return packet;
  }

  /// Whether the core has, or gets, packets enough to store any one that is on its way and all that elements make of it.
  [[nodiscard]] bool has_some() {
    if (count_ >= kSome) [[likely]]
      return true;
    count_ += depot_.take(std::span(free_).subspan(count_, kCache));
    return count_ >= kSome;
  }

  /// The packet's buffer and the packet go back to where they came from.
  void free(Packet* packet) {
    const bool overlaid = packet->overlaid();  // afterwards the buffer may be somebody else's already
    if (packet->owner != nullptr) packet->release(packet->owner);
    if (!overlaid) free_metadata(packet);
  }
  /// Only the packet goes back: its owner has the buffer again (a driver that sends it).
  void free_metadata(Packet* packet) {
    if (packet->overlaid()) return;
    packet->owner = nullptr;
    free_[count_++] = packet;
    if (count_ == free_.size()) [[unlikely]] {
      depot_.give(std::span(free_).last<kCache>());
      count_ -= kCache;
    }
  }

  /// Lets all cores together have `packets` more.
  void reserve(std::size_t packets) { depot_.raise_limit(packets); }

 private:
  static constexpr std::size_t kCache = 512;
  static constexpr std::size_t kSome = 64;
  [[nodiscard]] Packet* pop() {
    if (count_ == 0) [[unlikely]] {
      count_ = depot_.take(std::span(free_).first<kCache>());
      if (count_ == 0) return nullptr;
    }
    return free_[--count_];
  }

  PacketDepot& depot_;
  std::array<Packet*, 2 * kCache> free_;  ///< the first `count_`
  std::size_t count_ = 0;
};

}  // namespace packetmill
