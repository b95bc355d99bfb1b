#pragma once

#include "ports/dpdk/burst.h"
#include "runtime/fields.h"
#include "runtime/packet.h"

/// Between rte_mbuf and packet: the Copying model. What the driver says of a frame is copied into the packet's own
/// metadata on receive; on transmit only the frame's place goes back.
namespace packetmill::dpdk {

inline void free_buffer(void* owner) { rte_pktmbuf_free(static_cast<rte_mbuf*>(owner)); }

/// Whether a Packet may lie in front of the mbuf's data, in its private area; not in every other program's buffers.
inline bool has_room(const rte_mbuf& frame) {
  return frame.priv_size >= sizeof(Packet) && reinterpret_cast<std::uintptr_t>(frame.buf_addr) % alignof(Packet) == 0;
}

/// The packet's own mbuf, with the frame where the packet has it; null where the packet's buffer is no driver's.
inline rte_mbuf* buffer_of(const auto& packet) {
  if (packet.owner == nullptr || packet.release != free_buffer) return nullptr;
  auto* frame = static_cast<rte_mbuf*>(packet.owner);
  frame->data_off = static_cast<std::uint16_t>(packet.headroom());
  frame->data_len = static_cast<std::uint16_t>(packet.length());
  frame->pkt_len = packet.length();
  frame->ol_flags = 0;  // what the receiver said of the frame does not hold for what became of it
  return frame;
}

/// A frame of `pool` with a copy of the packet's bytes; null where the pool is empty or the packet too long for it. By
/// value: a call that few packets meet and that takes them by reference would have all packets in memory.
[[gnu::noinline]] inline rte_mbuf* copy_of(Frame packet, rte_mempool* pool) {
  rte_mbuf* frame = rte_pktmbuf_alloc(pool);
  if (frame == nullptr) return nullptr;
  char* bytes =
      packet.length() <= 0xffff ? rte_pktmbuf_append(frame, static_cast<std::uint16_t>(packet.length())) : nullptr;
  if (bytes == nullptr) {
    rte_pktmbuf_free(frame);
    return nullptr;
  }
  std::memcpy(bytes, packet.data(), packet.length());
  return frame;
}

/// How a frame was addressed, from its first byte (IEEE 802.3, 3.2.3).
inline PacketKind kind_of(const std::uint8_t* frame, std::uint32_t length) {
  if (length < 6 || (frame[0] & 1) == 0) [[likely]]
    return PacketKind::host;
  constexpr std::uint8_t kBroadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  return std::memcmp(frame, kBroadcast, 6) == 0 ? PacketKind::broadcast : PacketKind::multicast;
}

}  // namespace packetmill::dpdk
