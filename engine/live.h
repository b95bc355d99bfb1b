#pragma once

#include <type_traits>

#include "runtime/pool.h"

/// What an engine does with the packets that elements see, for packets that lie in memory. Packets whose metadata is in
/// registers (engine/registers.h) have the same functions.
namespace packetmill::engine {

/// A packet of the named type around somebody else's buffer; false where the pool has none. `touched`: the fields that
/// elements look at.
template <class Touched>
Owned<Packet> adopt(std::type_identity<Packet>, PacketPool& pool, std::uint8_t* buffer, std::uint32_t capacity,
                    std::uint32_t headroom, std::uint32_t length, void* owner, Packet::Release release,
                    Touched touched) {
  return Owned<Packet>(pool.adopt(buffer, capacity, headroom, length, owner, release, touched));
}
/// The same, the packet's own object right in front of the buffer.
inline Owned<Packet> overlay(std::uint8_t* buffer, std::uint32_t capacity, std::uint32_t headroom, std::uint32_t length,
                             void* owner, Packet::Release release) {
  auto* packet = reinterpret_cast<Packet*>(buffer) - 1;  // of a type that needs no construction
  packet->clear_metadata();
  packet->set_frame(buffer, capacity, headroom, length);
  packet->owner = owner;
  packet->release = release;
  return Owned<Packet>(packet);
}
/// The packet as it can be stored.
inline Packet* materialise(PacketPool&, Packet& packet) { return &packet; }
inline void copy_metadata(Packet& to, const Packet& from) { to.copy_metadata(from); }
/// The packet ends here, and its buffer goes back to where it came from.
inline void release(PacketPool& pool, Packet& packet) { pool.free(&packet); }
/// The same, but the buffer is somebody else's now.
inline void forget(PacketPool& pool, Packet& packet) { pool.free_metadata(&packet); }

}  // namespace packetmill::engine
