#pragma once

#include "engine/live.h"

/// Packets whose metadata is in registers: in generated code that takes each packet all its way, a packet is a handful of
/// local variables. The object exists in memory only where it is stored (materialise); passed on by reference into code
/// that is not inlined it would have to, so generated code passes it by value there.
namespace packetmill::engine {

/// The fields `F...` and the frame, as local variables.
template <class... F>
struct Registers : PacketOf<F...> {
  /// Where the buffer comes from, as in Packet; `home` is the pool's packet, where one was taken already.
  void* owner = nullptr;
  Packet::Release release = nullptr;
  Packet* home = nullptr;

  static Registers load(Packet& packet) {
    Registers live;
    live.set_frame(packet.buffer(), packet.capacity(), packet.headroom(), packet.length());
    (live.template set<F>(packet.get<F>()), ...);
    live.owner = packet.owner;
    live.release = packet.release;
    live.home = &packet;
    return live;
  }
  /// Fields that the configuration does not use have no place: they read as zero, and nobody writes them.
  template <class X>
  [[nodiscard]] typename X::Type get() const {
    if constexpr (PacketOf<F...>::template has<X>)
      return PacketOf<F...>::template get<X>();
    else
      return {};
  }
  template <class X>
  void set(typename X::Type value) {
    if constexpr (PacketOf<F...>::template has<X>)
      PacketOf<F...>::template set<X>(value);
    else
      assert(value == typename X::Type());
  }
  /// The whole annotation area never is in registers; elements that may use it ask for this, and then do not.
  [[nodiscard]] std::uint8_t* annotations() const { return nullptr; }

  void store_metadata(Packet& packet) const { (packet.set<F>(this->template get<F>()), ...); }
};

/// A packet in registers that somebody answers for, as Owned is for packets in memory.
template <class Live>
class Received {
 public:
  Received() = default;
  explicit Received(const Live& packet) : packet_(packet), whole_(true) {}
  explicit operator bool() const { return whole_; }
  Live& operator*() { return packet_; }

 private:
  Live packet_;
  bool whole_ = false;
};

template <class... F>
Received<Registers<F...>> adopt(std::type_identity<Registers<F...>>, PacketPool& pool, std::uint8_t* buffer,
                                std::uint32_t capacity, std::uint32_t headroom, std::uint32_t length, void* owner,
                                Packet::Release release, auto) {
  // So that the packet can be stored wherever it gets to.
  if (!pool.has_some()) [[unlikely]]
    return {};
  Registers<F...> packet;
  packet.set_frame(buffer, capacity, headroom, length);
  packet.owner = owner;
  packet.release = release;
  return Received(packet);
}

template <class... F>
[[gnu::always_inline]] inline Packet* materialise(PacketPool& pool, Registers<F...>& live) {
  Packet* packet = live.home;
  if (packet == nullptr) packet = pool.adopt(live.buffer(), live.capacity(), 0, 0, live.owner, live.release);
  packet->set_frame(live.buffer(), live.capacity(), live.headroom(), live.length());
  live.store_metadata(*packet);
  return packet;
}
template <class... F>
[[gnu::always_inline]] inline void copy_metadata(Packet& to, const Registers<F...>& from) {
  from.store_metadata(to);
}
/// By value: what ends a packet must not have its address.
inline void give_back(PacketPool& pool, void* owner, Packet::Release release, Packet* home) {
  if (owner != nullptr) release(owner);
  if (home != nullptr) pool.free_metadata(home);
}
template <class... F>
[[gnu::always_inline]] inline void release(PacketPool& pool, Registers<F...>& packet) {
  give_back(pool, packet.owner, packet.release, packet.home);
}
template <class... F>
[[gnu::always_inline]] inline void forget(PacketPool& pool, Registers<F...>& packet) {
  if (packet.home != nullptr) pool.free_metadata(packet.home);
}

}  // namespace packetmill::engine
