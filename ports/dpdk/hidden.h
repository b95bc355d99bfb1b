#pragma once

#include <rte_mempool.h>

#include <cassert>
#include <cstring>

#include "drivers/buffers.h"
#include "drivers/hidden.h"
#include "runtime/packet.h"

/// A buffer that has been exchanged away must not be touched: the NIC writes to it, sends it, or it is another frame's soon.
/// Builds for tests see to that. Under AddressSanitizer it is hidden from the program, so that an access is reported where it
/// happens; without NDEBUG a spare one holds a pattern, and what has been written there is found when it is taken again.
namespace packetmill::dpdk {

/// The mbuf that a buffer belongs to; between the two there is room for a Packet (make_pool).
inline rte_mbuf* mbuf_of(void* buffer) { return xchg_mbuf_before(sizeof(Packet), buffer); }

/// In a NIC's ring or a transmit slot: until it is shown again.
inline void hide([[maybe_unused]] void* buffer) {
#if __has_feature(address_sanitizer)
  const rte_mbuf* const mbuf = mbuf_of(buffer);
  xchg_hide(mbuf->buf_addr, mbuf->buf_len);
#endif
}
inline void show([[maybe_unused]] void* buffer) {
#if __has_feature(address_sanitizer)
  const rte_mbuf* const mbuf = mbuf_of(buffer);
  xchg_show(mbuf->buf_addr, mbuf->buf_len);
#endif
}

#ifdef NDEBUG
inline void put_away(void* buffer) { hide(buffer); }
inline void check_untouched(void*) {}
#else
inline constexpr std::uint8_t kPattern = 0x5a;

/// A spare buffer: hidden, with nothing in it that anybody may rely on.
inline void put_away(void* buffer) {
  const rte_mbuf* const mbuf = mbuf_of(buffer);
  show(buffer);
  std::memset(mbuf->buf_addr, kPattern, mbuf->buf_len);
  hide(buffer);
}
/// Ends the program where somebody has written to it meanwhile.
inline void check_untouched(void* buffer) {
  const rte_mbuf* const mbuf = mbuf_of(buffer);
  const auto* const bytes = static_cast<const std::uint8_t*>(mbuf->buf_addr);
  show(buffer);
  const bool untouched = bytes[0] == kPattern && std::memcmp(bytes, bytes + 1, mbuf->buf_len - 1U) == 0;
  assert(untouched && "a buffer was written to after it had been exchanged away");
  hide(buffer);
}
#endif

/// Of a pool whose ports have been given back: its buffers are ordinary ones again.
inline void show_all([[maybe_unused]] rte_mempool* pool) {
#if __has_feature(address_sanitizer)
  rte_mempool_obj_iter(
      pool, [](rte_mempool*, void*, void* mbuf, unsigned) { show(xchg_buffer_of(static_cast<rte_mbuf*>(mbuf))); },
      nullptr);
#endif
}

}  // namespace packetmill::dpdk
