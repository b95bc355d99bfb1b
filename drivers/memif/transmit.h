/* Transmitting to a memif under X-Change, frame by frame into the ring. By conversion functions it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_MEMIF_TRANSMIT_H
#define PACKETMILL_DRIVERS_MEMIF_TRANSMIT_H

#include "drivers/memif/queues.h"
#include "drivers/memif/receive.h"

struct xchg_memif_transmit_burst {
  struct xchg_memif_queue queue; /* a copy, which a compiler has in registers */
  uint64_t packets;
  uint64_t bytes;
  uint64_t errors;
};

/* Looks at what the peer has done with; nothing is freed, the slots just become exchangeable. */
static inline void xchg_memif_transmit_complete(struct xchg_memif_queue* queue) {
  if (__builtin_expect(!xchg_memif_connected(queue), 0)) xchg_memif_reconnect(queue);
  queue->limit = __atomic_load_n(queue->theirs, __ATOMIC_ACQUIRE) + queue->lead;
}

/* How many frames there is room for. */
static inline uint16_t xchg_memif_transmit_room(const struct xchg_memif_queue* queue) {
  return queue->limit - queue->next;
}

static inline struct xchg_memif_transmit_burst xchg_memif_transmit_begin(const struct xchg_memif_queue* queue) {
  struct xchg_memif_transmit_burst burst = {*queue, 0, 0, 0};
  return burst;
}

/* One frame, which lies somewhere in `buffer`; there must be room. Returns the buffer that its packet has afterwards: one that
 * has been sent, or, where frames are copied, its own. A frame that is longer than the peer's buffer is an error, and gone. */
static inline void* xchg_memif_transmit_put(struct xchg_memif_transmit_burst* burst, void* buffer, const void* frame,
                                            uint32_t length) {
  struct xchg_memif_queue* queue = &burst->queue;
  const uint16_t slot = queue->next & queue->mask;
  struct xchg_memif_descriptor* descriptor = &queue->descriptors[slot];
  void* empty = buffer;
  if (queue->zero_copy) {
    empty = queue->slots[slot];
    queue->slots[slot] = buffer;
    descriptor->region = 1;
    descriptor->offset = (uint32_t)((const uint8_t*)frame - queue->regions[1].address);
  } else {
    const struct xchg_memif_descriptor to = xchg_memif_read(descriptor);
    if (__builtin_expect(
            length > (queue->client ? queue->shared_room : to.length) || !xchg_memif_holds(queue, &to, length), 0)) {
      ++burst->errors;
      return buffer;
    }
    rte_memcpy(xchg_memif_address(queue, &to), frame, length);
  }
  descriptor->flags = 0;
  descriptor->length = length;
  ++queue->next;
  ++burst->packets;
  burst->bytes += length;
  return empty;
}

/* The peer may have all that was put. */
static inline void xchg_memif_transmit_end(struct xchg_memif_queue* queue,
                                           const struct xchg_memif_transmit_burst* burst) {
  queue->errors += burst->errors;
  if (burst->packets == 0) return;
  queue->next = burst->queue.next;
  queue->statistics->packets += burst->packets;
  queue->statistics->bytes += burst->bytes;
  __atomic_store_n(queue->ours, queue->next, __ATOMIC_RELEASE);
  if (__builtin_expect((__atomic_load_n(&queue->ring->flags, __ATOMIC_RELAXED) & XCHG_MEMIF_MASK_INTERRUPT) == 0, 0))
    xchg_memif_interrupt(queue);
}

#endif
