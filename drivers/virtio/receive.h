/* Receiving from a virtio device under X-Change, frame by frame. What an application makes of one is its own; by conversion
 * functions it is in exchange.h. */
#ifndef PACKETMILL_DRIVERS_VIRTIO_RECEIVE_H
#define PACKETMILL_DRIVERS_VIRTIO_RECEIVE_H

#include <rte_ether.h>

#include "drivers/virtio/ring.h"

/* What works on it is in line always: it has no address. */
struct xchg_virtio_receive_burst {
  struct xchg_virtio_receive_queue queue; /* a copy, which a compiler has in registers */
  uint16_t end;                           /* split: up to where descriptors are used */
  uint16_t id;                            /* of the frame that is looked at */
  uint16_t first;                         /* packed: flags of the first that was exchanged, which are written last */
  uint16_t exchanged;
  uint32_t length; /* with the header */
};

static inline struct xchg_virtio_receive_burst xchg_virtio_receive_begin(
    const struct xchg_virtio_receive_queue* queue) {
  struct xchg_virtio_receive_burst burst = {*queue, 0, 0, 0, 0, 0};
  if (!queue->ring.packed) burst.end = xchg_virtio_used_end(&queue->ring);
  return burst;
}

/* The frame's buffer, which stays in the ring until it is exchanged. */
static inline void* xchg_virtio_receive_buffer(const struct xchg_virtio_receive_burst* burst) {
  return burst->queue.ring.slots[burst->id].buffer;
}

static __rte_always_inline void xchg_virtio_receive_exchange_split(struct xchg_virtio_ring* ring, uint16_t id,
                                                                   void* empty) {
  /* In order, descriptors are used and made available in turn; otherwise the one that was used is free. */
  const uint16_t next = ring->in_order ? ring->next_available & ring->mask : id;
  ring->slots[id].buffer = NULL;
  ring->slots[next].buffer = empty;
  ring->table[next].address = xchg_virtio_address(ring, empty, (uint8_t*)empty - ring->header_size);
  xchg_virtio_offer(ring, next);
  ++ring->next_used;
}

/* The ring is full: what is used in a place is made available again there. The device looks at places in turn and stops at
 * the first one, so that it gets a whole burst at once. */
static __rte_always_inline void xchg_virtio_receive_exchange_packed(struct xchg_virtio_receive_burst* burst,
                                                                    void* empty) {
  struct xchg_virtio_ring* ring = &burst->queue.ring;
  struct xchg_virtio_packed* place = &ring->packed_ring[ring->next_used];
  ring->slots[burst->id].buffer = empty;
  place->address = xchg_virtio_address(ring, empty, (uint8_t*)empty - ring->header_size);
  place->length = burst->queue.buffer_size;
  if (burst->exchanged == 0) {
    burst->first = ring->available_flags;
  } else {
    rte_io_wmb();
    place->flags = ring->available_flags;
  }
  const uint16_t round = ring->used_flags;
  ring->next_used = xchg_virtio_onward(ring, ring->next_used, 1, &ring->used_flags);
  ring->available_flags ^= round ^ ring->used_flags;
}

/* On to the next frame; where this one was, the device may put another into `empty`. */
static __rte_always_inline void xchg_virtio_receive_exchange(struct xchg_virtio_receive_burst* burst, void* empty) {
  if (burst->queue.ring.packed)
    xchg_virtio_receive_exchange_packed(burst, empty);
  else
    xchg_virtio_receive_exchange_split(&burst->queue.ring, burst->id, empty);
  ++burst->exchanged;
}

/* Whether there is a used descriptor; it is looked at from now on. */
static __rte_always_inline bool xchg_virtio_receive_look(struct xchg_virtio_receive_burst* burst) {
  const struct xchg_virtio_ring* ring = &burst->queue.ring;
  if (ring->packed) {
    if (!xchg_virtio_packed_is_used(ring)) return false;
    burst->id = ring->packed_ring[ring->next_used].id;
    burst->length = ring->packed_ring[ring->next_used].length;
    return true;
  }
  if (ring->next_used == burst->end) return false;
  const uint16_t place = ring->next_used & ring->mask;
  burst->id = ring->in_order ? place : (uint16_t)ring->used_ring[place].id;
  burst->length = ring->used_ring[place].length;
  return true;
}

/* Whether it is a frame, and the whole of it. One that lies in several buffers (5.1.6.4) is an error: it has no place in a
 * packet. */
static __rte_always_inline bool xchg_virtio_receive_is_frame(struct xchg_virtio_receive_queue* queue,
                                                             const struct xchg_virtio_header* header, uint32_t length) {
  if (__builtin_expect(queue->discarded != 0, 0)) {
    --queue->discarded;
    return false;
  }
  if (__builtin_expect(length < (uint32_t)queue->ring.header_size + RTE_ETHER_HDR_LEN, 0)) {
    ++queue->ring.statistics->errors;
    return false;
  }
  if (queue->merged && __builtin_expect(header->buffers > 1, 0)) {
    ++queue->ring.statistics->errors;
    queue->discarded = header->buffers - 1;
    return false;
  }
  return true;
}

/* The header of the next frame, or NULL where there is none. The buffers of what is none go back to the device. */
static __rte_always_inline const struct xchg_virtio_header* xchg_virtio_receive_next(
    struct xchg_virtio_receive_burst* burst) {
  while (xchg_virtio_receive_look(burst)) {
    void* buffer = xchg_virtio_receive_buffer(burst);
    const struct xchg_virtio_header* header =
        (const struct xchg_virtio_header*)((uint8_t*)buffer - burst->queue.ring.header_size);
    if (__builtin_expect(xchg_virtio_receive_is_frame(&burst->queue, header, burst->length), 1)) return header;
    xchg_virtio_receive_exchange(burst, buffer);
  }
  return NULL;
}

/* The end of a burst: the device may have everything that was taken and exchanged. */
static __rte_always_inline void xchg_virtio_receive_end(struct xchg_virtio_receive_queue* queue,
                                                        const struct xchg_virtio_receive_burst* burst, uint64_t packets,
                                                        uint64_t bytes) {
  const struct xchg_virtio_ring* ring = &burst->queue.ring;
  if (burst->exchanged == 0) return;
  rte_io_wmb();
  if (ring->packed)
    ring->packed_ring[queue->ring.next_used].flags = burst->first;
  else
    ring->available->index = ring->next_available & queue->lots;
  queue->ring.next_available = ring->next_available;
  queue->ring.next_used = ring->next_used;
  queue->ring.available_flags = ring->available_flags;
  queue->ring.used_flags = ring->used_flags;
  queue->discarded = burst->queue.discarded;
  ring->statistics->packets += packets;
  ring->statistics->bytes += bytes;
  xchg_virtio_kick(ring);
}

/* What is known of the frame that is looked at. */
static inline uint32_t xchg_virtio_length(const struct xchg_virtio_receive_burst* burst) {
  return burst->length - burst->queue.ring.header_size;
}
static inline uint64_t xchg_virtio_flags(const struct xchg_virtio_receive_burst* burst,
                                         const struct xchg_virtio_header* header) {
  if (!burst->queue.has_checksums) return 0;
  if (header->flags & XCHG_VIRTIO_NEEDS_CHECKSUM)
    return xchg_virtio_receive_checksum(header, (uint8_t*)xchg_virtio_receive_buffer(burst), xchg_virtio_length(burst));
  return header->flags & XCHG_VIRTIO_CHECKSUM_VALID ? RTE_MBUF_F_RX_L4_CKSUM_GOOD : 0;
}

#endif
