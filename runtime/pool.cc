#include "runtime/pool.h"

#include <algorithm>
#include <memory>
#include <new>

namespace packetmill {
namespace {

constexpr std::uint32_t kBufferBytes = kHeadroom + kStandardFrame + kTailroom;
constexpr std::size_t kChunkPackets = 1024;

void free_large(void* buffer) { delete[] static_cast<std::uint8_t*>(buffer); }

/// A pool packet and its buffer, side by side; the buffer is found from the packet.
struct alignas(64) Slot {
  Packet packet;
  alignas(64) std::uint8_t buffer[kBufferBytes];
};

}  // namespace

/// Written when it is made, so that the memory is there before packets are.
struct PacketDepot::Chunk {
  std::unique_ptr<Slot[]> slots{new Slot[kChunkPackets]()};
};

PacketDepot::~PacketDepot() {
  for (Chunk* chunk : chunks_) delete chunk;
}

void PacketDepot::set_limit(std::size_t limit) {
  const std::lock_guard lock(mutex_);
  limit_ = limit;
}

void PacketDepot::raise_limit(std::size_t by) {
  const std::lock_guard lock(mutex_);
  limit_ += by;
}

void PacketDepot::grow(std::size_t count) {
  while (free_.size() < count && made_ < limit_) {
    chunks_.push_back(new Chunk);
    const std::size_t usable = std::min(kChunkPackets, limit_ - made_);
    for (std::size_t i = 0; i < usable; ++i) free_.push_back(&chunks_.back()->slots[i].packet);
    made_ += usable;
  }
}

void PacketDepot::reserve(std::size_t count) {
  const std::lock_guard lock(mutex_);
  grow(count);
}

std::size_t PacketDepot::take(std::span<Packet*> into) {
  const std::lock_guard lock(mutex_);
  grow(into.size());
  const std::size_t n = std::min(into.size(), free_.size());
  std::copy_n(free_.end() - static_cast<std::ptrdiff_t>(n), n, into.begin());
  free_.resize(free_.size() - n);
  return n;
}

void PacketDepot::give(std::span<Packet* const> packets) {
  const std::lock_guard lock(mutex_);
  free_.insert(free_.end(), packets.begin(), packets.end());
}

Packet* PacketPool::allocate(std::uint32_t length, std::uint32_t headroom) {
  Packet* packet = pop();
  if (packet == nullptr) return nullptr;
  packet->clear_metadata();
  if (headroom + length + kTailroom <= kBufferBytes) {
    packet->set_frame(reinterpret_cast<Slot*>(packet)->buffer, kBufferBytes, headroom, length);
    packet->owner = nullptr;
    packet->release = nullptr;  // which says to ports whose a buffer is
  } else {
    const std::uint32_t capacity = headroom + length + kTailroom;
    auto* buffer = new (std::nothrow) std::uint8_t[capacity];
    if (buffer == nullptr) {
      free_metadata(packet);
      return nullptr;
    }
    packet->set_frame(buffer, capacity, headroom, length);
    packet->owner = buffer;
    packet->release = free_large;
  }
  return packet;
}

bool Packet::push_slowly(std::uint32_t n) {
  const std::uint32_t shift = n + 1 - headroom();
  if (tailroom() < shift) return false;
  std::memmove(data_ + shift, data_, length_);
  data_ += shift;
  data_ -= n;
  length_ += n;
  const auto move = [&]<class X>(X) {
    if (const auto position = get<X>(); position != 0) set<X>(position + shift);
  };
  move(MacHeader{});
  move(NetworkHeader{});
  move(TransportHeader{});
  return true;
}

}  // namespace packetmill
