#pragma once

#include <gtest/gtest.h>
#include <rte_mempool.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

// What tests of virtio exchange: a packet with all that the device may say of a frame, and frames that say which they are.
struct xchg {
  std::uint8_t* buffer;
  const std::uint8_t* frame;
  std::uint32_t length;
  std::uint64_t flags;
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
#define xchg_set_port(packet, value) (packet)->port = (value)

#include "drivers/port.h"

namespace packetmill::testing {

using Bytes = std::vector<std::uint8_t>;

inline Bytes numbered(std::uint32_t number, std::size_t size = 60) {
  Bytes bytes(size, 0xee);
  std::memcpy(bytes.data() + 14, &number, sizeof number);
  return bytes;
}
inline std::uint32_t number_of(const std::uint8_t* frame) {
  std::uint32_t number = 0;
  std::memcpy(&number, frame + 14, sizeof number);
  return number;
}

/// Every one of the pool's buffers is in it again, and none twice, which a count would not say.
inline void expect_all_buffers(rte_mempool* pool) {
  std::vector<void*> all(pool->size + 1);
  unsigned count = 0;
  while (count < all.size() && rte_mempool_get(pool, &all[count]) == 0) ++count;
  EXPECT_EQ(count, pool->size);
  EXPECT_EQ(std::set<void*>(all.begin(), all.begin() + count).size(), count);
  rte_mempool_put_bulk(pool, all.data(), count);
}

}  // namespace packetmill::testing
