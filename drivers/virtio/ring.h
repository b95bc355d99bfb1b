/* What receiving and transmitting on a virtio ring have in common. */
#ifndef PACKETMILL_DRIVERS_VIRTIO_RING_H
#define PACKETMILL_DRIVERS_VIRTIO_RING_H

#include <rte_atomic.h>
#include <rte_mbuf.h>

#include "drivers/virtio/queues.h"

/* A place further round a packed ring, whose flags change where it begins again (2.8.1). */
static __rte_always_inline uint16_t xchg_virtio_onward(const struct xchg_virtio_ring* ring, uint16_t place,
                                                       uint16_t count, uint16_t* flags) {
  const uint32_t next = (uint32_t)place + count;
  if (next < ring->size) return (uint16_t)next;
  *flags ^= XCHG_VIRTIO_ROUND;
  return (uint16_t)(next - ring->size);
}

/* Whether the descriptor of a packed ring that comes next is used; then the rest of it may be read. */
static inline bool xchg_virtio_packed_is_used(const struct xchg_virtio_ring* ring) {
  const uint16_t flags = *(const volatile uint16_t*)&ring->packed_ring[ring->next_used].flags;
  if ((flags & XCHG_VIRTIO_ROUND) != ring->used_flags) return false;
  rte_io_rmb();
  return true;
}

/* Up to where a split ring's descriptors are used; their elements may be read then. */
static inline uint16_t xchg_virtio_used_end(const struct xchg_virtio_ring* ring) {
  const uint16_t end = ring->used->index;
  rte_io_rmb();
  return end;
}

/* What lies at `bytes`, in or in front of `buffer`, by the device's address. */
static inline uint64_t xchg_virtio_address(const struct xchg_virtio_ring* ring, const void* buffer, const void* bytes) {
  if (__builtin_expect(!ring->translated, 1)) return (uintptr_t)bytes;
  const struct rte_mbuf* mbuf = (const struct rte_mbuf*)((const uint8_t*)buffer - ring->mbuf_distance);
  return rte_mbuf_iova_get(mbuf) + (uint64_t)((const uint8_t*)bytes - (const uint8_t*)mbuf->buf_addr);
}

/* Makes a split ring's descriptor available at the next place, and writes no more than it must: the device has these lines
 * in its cache. */
static __rte_always_inline void xchg_virtio_offer(struct xchg_virtio_ring* ring, uint16_t descriptor) {
  uint16_t* place = &ring->available_ring[ring->next_available++ & ring->mask];
  if (__builtin_expect(*place != descriptor, 0)) *place = descriptor;
}

/* The device is told where it wants to be, as the driver does it; it does not negotiate event indices (2.7.10, 2.8.14). */
static __rte_always_inline void xchg_virtio_kick(const struct xchg_virtio_ring* ring) {
  /* What was made available is visible before the device's wish is read. */
  if (ring->weak_barriers)
    rte_atomic_thread_fence(__ATOMIC_SEQ_CST);
  else
    rte_mb();
  const bool quiet = ring->packed ? ring->device_event->flags == XCHG_VIRTIO_EVENTS_OFF
                                  : (ring->used->flags & XCHG_VIRTIO_NO_NOTIFY) != 0;
  if (__builtin_expect(!quiet, 0)) xchg_virtio_notify(ring->driver);
}

#endif
