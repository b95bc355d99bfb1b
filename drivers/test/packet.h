// A packet with all that a NIC may say of a frame, and the data paths for it, for tests of drivers.
#pragma once

#include <cstdint>

struct xchg {
  std::uint8_t* buffer;
  const std::uint8_t* frame;
  std::uint32_t length;
  std::uint64_t flags;
  std::uint32_t type;
  std::uint32_t hash;
  std::uint16_t vlan_tci;
  std::uint64_t timestamp;
  std::uint32_t mark;
  std::uint16_t port;
};
inline void* xchg_get_buffer(const xchg* packet) { return packet->buffer; }
inline void xchg_set_buffer(xchg* packet, void* buffer) {
  packet->buffer = static_cast<std::uint8_t*>(buffer);
  packet->frame = packet->buffer;
}
inline const void* xchg_get_frame(const xchg* packet) { return packet->frame; }
inline std::uint32_t xchg_get_length(const xchg* packet) { return packet->length; }
inline void xchg_set_length(xchg* packet, std::uint32_t length) { packet->length = length; }
#define xchg_get_frame xchg_get_frame
#define xchg_get_flags(packet) (packet)->flags
#define xchg_set_flags(packet, value) (packet)->flags = (value)
#define xchg_get_vlan_tci(packet) (packet)->vlan_tci
#define xchg_set_vlan_tci(packet, value) (packet)->vlan_tci = (value)
#define xchg_set_port(packet, value) (packet)->port = (value)
#define xchg_set_packet_type(packet, value) (packet)->type = (value)
#define xchg_set_rss_hash(packet, value) (packet)->hash = (value)
#define xchg_set_timestamp(packet, value) (packet)->timestamp = (value)
#define xchg_set_mark(packet, value) (packet)->mark = (value)

#include "drivers/port.h"  // behind the conversion functions
