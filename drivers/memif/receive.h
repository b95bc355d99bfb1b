/* Receiving from a memif under X-Change, descriptor by descriptor. What an application makes of one is its own; by conversion
 * functions it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_MEMIF_RECEIVE_H
#define PACKETMILL_DRIVERS_MEMIF_RECEIVE_H

#include <rte_memcpy.h>
#include <rte_prefetch.h>

#include "drivers/memif/queues.h"

/* Whether the ring is still the driver's. Its control thread unmaps it when the peer goes, at any time; the data paths
 * have a mapping of their own, so that a burst that is under way then comes to no harm. */
static inline bool xchg_memif_connected(const struct xchg_memif_queue* queue) {
  return (*queue->status & XCHG_MEMIF_CONNECTED) != 0 && *queue->mark != 0;
}

/* A descriptor as it is now, each field read once: the peer may write there at any time, and what is checked must be what is
 * used. */
static inline struct xchg_memif_descriptor xchg_memif_read(const struct xchg_memif_descriptor* shared) {
  struct xchg_memif_descriptor descriptor;
  descriptor.flags = __atomic_load_n(&shared->flags, __ATOMIC_RELAXED);
  descriptor.region = __atomic_load_n(&shared->region, __ATOMIC_RELAXED);
  descriptor.length = __atomic_load_n(&shared->length, __ATOMIC_RELAXED);
  descriptor.offset = __atomic_load_n(&shared->offset, __ATOMIC_RELAXED);
  descriptor.metadata = 0;
  return descriptor;
}

/* Whether `length` bytes from a descriptor's offset on are shared memory. */
static inline bool xchg_memif_holds(const struct xchg_memif_queue* queue,
                                    const struct xchg_memif_descriptor* descriptor, uint32_t length) {
  return descriptor->region < queue->region_count &&
         (uint64_t)descriptor->offset + length <= queue->regions[descriptor->region].size;
}
static inline uint8_t* xchg_memif_address(const struct xchg_memif_queue* queue,
                                          const struct xchg_memif_descriptor* descriptor) {
  return queue->regions[descriptor->region].address + descriptor->offset;
}

/* A burst works on a copy of its queue, which a compiler has in registers, and says at its end how far it has got. */
static inline struct xchg_memif_queue xchg_memif_receive_begin(struct xchg_memif_queue* queue) {
  if (__builtin_expect(!xchg_memif_connected(queue), 0)) xchg_memif_reconnect(queue);
  queue->limit = __atomic_load_n(queue->theirs, __ATOMIC_ACQUIRE); /* frames are written before */
  return *queue;
}

/* The descriptor of the next frame; false where there is none. What cannot be received is skipped on the way, out of line. */
static inline bool xchg_memif_receive_next(struct xchg_memif_queue* queue, struct xchg_memif_queue* burst,
                                           struct xchg_memif_descriptor* descriptor) {
  while (burst->next != burst->limit) {
    *descriptor = xchg_memif_read(&burst->descriptors[burst->next & burst->mask]);
    if (__builtin_expect((descriptor->flags & XCHG_MEMIF_NEXT) == 0 && !burst->chained &&
                             descriptor->length <= burst->room &&
                             (burst->zero_copy || xchg_memif_holds(burst, descriptor, descriptor->length)),
                         1))
      return true;
    xchg_memif_receive_skip(queue, burst->next);
    *burst = *queue;
  }
  return false;
}

/* A client gives the server the empty buffer of this slot. */
static inline void xchg_memif_receive_give(const struct xchg_memif_queue* queue, uint16_t slot) {
  struct xchg_memif_descriptor* descriptor = &queue->descriptors[slot];
  descriptor->flags = 0;
  if (queue->zero_copy) {
    descriptor->region = 1;
    descriptor->length = queue->room;
    descriptor->offset = (uint32_t)((uint8_t*)queue->slots[slot] - queue->regions[1].address);
  } else {
    descriptor->length = queue->shared_room;
  }
}

/* On to the next frame. Returns this one's buffer: the ring's, which has `empty` for it, or `empty` with a copy. */
static inline void* xchg_memif_receive_exchange(struct xchg_memif_queue* burst,
                                                const struct xchg_memif_descriptor* descriptor, void* empty) {
  const uint16_t slot = burst->next++ & burst->mask;
  void* buffer = empty;
  if (burst->zero_copy) {
    buffer = burst->slots[slot];
    burst->slots[slot] = empty;
    rte_prefetch0(burst->slots[burst->next & burst->mask]);
  } else {
    rte_memcpy(empty, xchg_memif_address(burst, descriptor), descriptor->length);
  }
  if (burst->client) xchg_memif_receive_give(burst, slot);
  return buffer;
}

/* The end of a burst: the peer may have everything that was taken. */
static inline void xchg_memif_receive_end(struct xchg_memif_queue* queue, const struct xchg_memif_queue* burst,
                                          uint64_t packets, uint64_t bytes) {
  if (packets == 0) return;
  queue->next = burst->next;
  burst->statistics->packets += packets;
  burst->statistics->bytes += bytes;
  __atomic_store_n(burst->ours, (uint16_t)(burst->next + burst->lead), __ATOMIC_RELEASE);
}

#endif
